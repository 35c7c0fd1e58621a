// The page: a picture from the camera or a file, the boards found in it, and the selected board.

import { serverEngine } from "./engine-server.js";
import { wasmEngine } from "./engine-wasm.js";
import { Grid } from "./grid.js";
import { Smoother, draw } from "./overlay.js";

const byId = (id) => document.getElementById(id);
const [stage, video, still, overlay] = ["stage", "video", "still", "overlay"].map(byId);
const [status, note, evidence, rate] = ["status", "note", "evidence", "rate"].map(byId);

const isServed = document.querySelector('meta[name="engine"]')?.content === "server";
const engine = isServed ? serverEngine() : wasmEngine();
const smoother = new Smoother();
const grid = new Grid(byId("grid"), byId("pad"), edit);

// Longest side of a drawn still picture; files are read at full size.
const STILL_SIDE = 1600;
const BLANK = ".".repeat(81);

/** The state of the page. */
const state = {
  /** `idle`, `camera` or `still`. */
  mode: "idle",
  isFrozen: false,
  /** The answer for the current picture. */
  answer: null,
  /** Number of the selected board, from 1. */
  chosen: 1,
  /** The current puzzle: as read, then as corrected. */
  puzzle: null,
  /** Cells corrected by the user. */
  edited: new Set(),
  solved: null,
  step: null,
  /** The current file, if the picture is from one. */
  file: null,
};

/* ---- showing -------------------------------------------------------------------------------- */

const chosenBoard = () => state.answer?.boards.find(({ board }) => board === state.chosen) ?? state.answer?.boards[0];
const shown = () => document.querySelector('input[name="show"]:checked').value;
const isFixed = () => state.isFrozen || state.mode === "still";

function say(text, isBad = false) {
  if (status.textContent !== text) status.textContent = text;
  status.classList.toggle("bad", isBad);
}

/** The 81 digits added to the puzzle: the solution, the digit of the hint, or none. */
function added() {
  if (shown() === "solution" && state.solved?.solution) {
    return Array.from(state.puzzle, (given, cell) => (given === "." ? state.solved.solution[cell] : ".")).join("");
  }
  const place = shown() === "hint" ? state.step?.place : null;
  return place ? BLANK.slice(0, place.cell) + place.digit + BLANK.slice(place.cell + 1) : BLANK;
}

function hinted() {
  if (shown() !== "hint" || !state.step) return { cells: [], because: [] };
  const { place, eliminate, because } = state.step;
  return { cells: place ? [place.cell] : [...new Set(eliminate.map(({ cell }) => cell))], because };
}

function showOverlay() {
  if (state.mode === "idle" || !state.answer) return;
  const chosen = chosenBoard();
  const boards = state.answer.boards.filter(({ how }) => how !== "lost").map((board) => {
    const isChosen = board === chosen;
    const isSure = isFixed() ? board.status === "solved" : board.is_sure;
    const hasDigits = isChosen && state.puzzle !== null && (isSure || state.edited.size > 0);
    return {
      lattice: isFixed() ? board.lattice : smoother.lattice(board),
      isSure,
      isChosen,
      digits: hasDigits ? added() : BLANK,
      marks: hasDigits ? hinted().cells : [],
    };
  });
  draw(overlay, state.answer, boards);
  const count = state.answer.boards.length;
  const found = `${count === 1 ? "1 board" : `${count} boards`} framed`;
  overlay.ariaLabel = count ? `${found}${state.solved?.solution && shown() === "solution" ? ", solution drawn in" : ""}` : "No board";
}

function showPuzzle() {
  const board = chosenBoard();
  byId("puzzle").hidden = state.puzzle === null;
  if (state.puzzle === null) return;
  const digits = added();
  const { cells, because } = hinted();
  const doubtful = new Set(board && state.edited.size === 0 ? board.doubts.map(([cell]) => cell) : []);
  grid.show(Array.from(state.puzzle, (given, cell) => ({
    text: given === "." ? digits[cell] : given,
    kind: state.edited.has(cell) ? "edited" : given === "." ? "solved" : "given",
    mark: state.solved?.clash?.includes(cell) ? "clash" : cells.includes(cell) ? "hinted" : because.includes(cell) ? "because" : "",
    isDoubtful: doubtful.has(cell),
  })));
  const hint = shown() === "hint" && state.step ? `${state.step.notation}. ${state.step.text}` : "";
  const stuck = shown() === "hint" && state.step === null && state.solved?.solution ? "No technique finds a next step." : "";
  const complaint = state.solved?.complaint;
  note.textContent = complaint ? `${complaint[0].toUpperCase()}${complaint.slice(1)}.` : hint || stuck;
  note.classList.toggle("bad", Boolean(complaint));
  byId("explain").disabled = !state.solved?.solution;
  const label = byId("boards-label");
  const boards = state.answer?.boards ?? [];
  label.hidden = boards.length < 2 || !isFixed();
  const options = boards.map(({ board }) => new Option(String(board), String(board), false, board === state.chosen));
  byId("boards").replaceChildren(...options);
}

function showControls() {
  stage.dataset.mode = state.mode === "camera" && state.isFrozen ? "still" : state.mode;
  byId("controls").hidden = state.mode === "idle";
  byId("freeze").hidden = state.mode !== "camera";
  byId("freeze").textContent = state.isFrozen ? "Resume" : "Freeze";
  byId("camera").textContent = state.mode === "camera" ? "Stop camera" : "Use camera";
  evidence.hidden = state.mode === "idle";
  byId("save").disabled = state.mode === "idle" || !state.answer;
}

function showEvidence() {
  const board = chosenBoard();
  evidence.value = board?.evidence ?? 0;
  evidence.classList.toggle("sure", Boolean(board?.is_sure));
}

/** Shows the result for the picture. */
function showResult() {
  const board = chosenBoard();
  if (!board) return say(isFixed() ? sentence(state.answer.refusal ?? "no board found") : "Looking for a board: hold the whole grid into the picture.");
  if (board.how === "lost") return say("The board left the picture.");
  if (isFixed() && board.objection) return say(sentence(board.objection));
  if (board.is_sure) return say(isFixed() ? "Board read." : "Board read: freeze the picture, or hold it still.");
  say(board.status === "multiple" ? "Board read; it has several solutions." : isFixed() ? "Board read, with some doubt: check it." : "Reading the board…");
}

const sentence = (text) => `${text[0].toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;

/** Gives the stage the shape of the picture. */
function setRatio(width, height) {
  stage.style.setProperty("--ratio", width / height);
}

/* ---- a picture and its boards --------------------------------------------------------------- */

/** Accepts a new answer; it replaces the current puzzle unless the user has corrected that. */
async function take(answer) {
  state.answer = answer;
  setRatio(answer.width, answer.height);
  showResult();
  showEvidence();
  const board = chosenBoard();
  if (board && state.edited.size === 0 && (isFixed() || board.is_sure) && board.decoded !== state.puzzle) {
    await setPuzzle(board.decoded);
  } else if (isFixed() && !board) {
    state.puzzle = state.solved = state.step = null;
    showPuzzle();
  }
  showOverlay();
}

/** Shows this puzzle with its solution and hint. */
async function setPuzzle(puzzle) {
  state.puzzle = puzzle;
  byId("explanation").hidden = true;
  const solved = await engine.solve(puzzle);
  const step = solved.status === "solved" ? (await engine.hint(puzzle)).step : null;
  if (state.puzzle !== puzzle) return;
  [state.solved, state.step] = [solved, step];
  showPuzzle();
  showOverlay();
}

async function edit(cell, character) {
  if (state.puzzle === null) return;
  if (state.mode === "camera" && !state.isFrozen) await freeze();
  state.edited.add(cell);
  await setPuzzle(state.puzzle.slice(0, cell) + character + state.puzzle.slice(cell + 1));
  say("Corrected by hand.");
}

function forget() {
  smoother.forget();
  Object.assign(state, { answer: null, puzzle: null, solved: null, step: null, file: null, chosen: 1, isFrozen: false });
  state.edited.clear();
  overlay.getContext("2d").clearRect(0, 0, overlay.width, overlay.height);
  overlay.ariaLabel = "No board";
  rate.textContent = "";
  evidence.value = 0;
  showPuzzle();
}

/* ---- photos --------------------------------------------------------------------------------- */

async function openFile(file) {
  stopCamera();
  forget();
  state.mode = "still";
  showControls();
  say("Reading the photo…");
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap) paint(bitmap, bitmap.width, bitmap.height);
  try {
    let answer;
    try {
      answer = await engine.photo(file);
    } catch (error) {
      // The browser may support formats that the reader does not, such as HEIC and AVIF.
      if (!bitmap) throw error;
      answer = await engine.photo(await blobOf(bitmap, "image/png"));
    }
    state.file = file;
    await take(answer);
    rate.textContent = `${Math.round(answer.ms)} ms`;
  } catch (error) {
    say(sentence(error.message), true);
    state.mode = bitmap ? "still" : "idle";
  }
  showControls();
  showPuzzle();
}

/** Draws a still picture. */
function paint(source, width, height) {
  const scale = Math.min(1, STILL_SIDE / Math.max(width, height));
  still.width = Math.round(width * scale);
  still.height = Math.round(height * scale);
  still.getContext("2d").drawImage(source, 0, 0, still.width, still.height);
  setRatio(width, height);
}

function blobOf(source, type) {
  const canvas = document.createElement("canvas");
  canvas.width = source.width;
  canvas.height = source.height;
  canvas.getContext("2d").drawImage(source, 0, 0);
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.95));
}

/* ---- the camera ----------------------------------------------------------------------------- */

let stream = null;
// A video that the server provides instead of a camera.
const clip = document.querySelector('meta[name="video"]')?.content;

async function startCamera(deviceId) {
  stopCamera();
  if (clip) return play(new MediaStream(), () => { video.src = clip + location.search; });
  if (!navigator.mediaDevices?.getUserMedia) {
    return say("This browser gives no camera to this page: choose a photo instead.", true);
  }
  say("Starting the camera…");
  const choice = deviceId ? { deviceId: { exact: deviceId } } : { facingMode: { ideal: "environment" } };
  try {
    const camera = await navigator.mediaDevices.getUserMedia({
      video: { ...choice, width: { ideal: 640 }, height: { ideal: 480 }, frameRate: { ideal: 30 } },
    });
    await play(camera, () => { video.srcObject = camera; });
    await listCameras();
  } catch (error) {
    stopCamera();
    const reason = {
      NotAllowedError: "The camera is not allowed for this page",
      NotFoundError: "There is no camera",
      NotReadableError: "Another program uses the camera",
    }[error.name];
    return say(`${reason ?? "The camera does not start"}: choose a photo instead.`, true);
  }
}

/** Shows a camera, or a video, and reads its frames. */
async function play(source, connect) {
  stream = source;
  forget();
  state.mode = "camera";
  connect();
  for (const track of stream.getVideoTracks()) track.addEventListener("ended", stopCamera);
  await video.play();
  setRatio(video.videoWidth, video.videoHeight);
  showControls();
  watch(stream);
}

function stopCamera() {
  if (!stream) return;
  for (const track of stream.getTracks()) track.stop();
  stream = null;
  video.srcObject = null;
  video.removeAttribute("src");
  state.mode = "idle";
  forget();
  showControls();
  say("Ready.");
}

async function listCameras() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  const cameras = devices.filter(({ kind }) => kind === "videoinput");
  const used = stream?.getVideoTracks()[0]?.getSettings().deviceId;
  const options = cameras.map(({ label, deviceId }, at) => new Option(label || `Camera ${at + 1}`, deviceId, false, deviceId === used));
  byId("cameras").replaceChildren(...options);
  byId("cameras-label").hidden = cameras.length < 2;
}

/** Reads frames one after another, as fast as possible. */
async function watch(mine) {
  const times = [];
  const delays = [];
  while (stream === mine) {
    const captured = await nextFrame();
    if (stream !== mine) return;
    if (state.isFrozen || document.hidden) continue;
    let answer;
    try {
      answer = await engine.frame(video);
    } catch (error) {
      say(sentence(error.message), true);
      await new Promise((resolve) => setTimeout(resolve, 500));
      continue;
    }
    if (stream !== mine || state.isFrozen) continue;
    await take(answer);
    keep(times, performance.now(), 20);
    keep(delays, performance.now() - captured, 100);
    const each = (times.at(-1) - times[0]) / (times.length - 1);
    const sorted = delays.toSorted((a, b) => a - b);
    const within = (share) => Math.round(sorted[Math.floor(share * sorted.length)]);
    if (times.length > 4) rate.textContent = `${Math.round(1000 / each)} frames/s · ${within(0.5)} ms from camera to overlay`;
    rate.title = `95 % of ${delays.length} frames within ${within(0.95)} ms`;
  }
}

function keep(latest, value, most) {
  latest.push(value);
  if (latest.length > most) latest.shift();
}

/** Waits for the next frame of the camera and returns its capture time, if known; a paused video has none. */
function nextFrame() {
  return new Promise((resolve) => {
    const give = (_, frame) => {
      clearTimeout(late);
      resolve(Math.min(frame?.captureTime ?? Infinity, performance.now()));
    };
    const late = setTimeout(give, 250);
    if (video.requestVideoFrameCallback) video.requestVideoFrameCallback(give);
    else requestAnimationFrame(give);
  });
}

/** Freezes the current frame, and reads it again so that the overlay matches it. */
async function freeze() {
  state.isFrozen = true;
  video.pause();
  paint(video, video.videoWidth, video.videoHeight);
  showControls();
  const chosen = chosenBoard();
  const sure = chosen?.is_sure ? chosen : null;
  // If the video is not sure of the board, the still picture is read as thoroughly as a photo.
  const answer = sure ? await engine.frame(still) : await engine.photo(await blobOf(still, "image/png"));
  if (!state.isFrozen) return;
  // A reading that is sure after many frames is better than that of one.
  if (sure) for (const board of answer.boards) {
    if (board.board === sure.board || answer.boards.length === 1) Object.assign(board, { ...sure, lattice: board.lattice, corners: board.corners });
  }
  if (answer.boards.length || !sure) await take(answer);
  else { showPuzzle(); showOverlay(); }
}

async function resume() {
  const before = state.mode;
  forget();
  state.mode = before;
  await video.play();
  showControls();
}

/* ---- user actions --------------------------------------------------------------------------- */

addEventListener("unhandledrejection", ({ reason }) => say(sentence(String(reason?.message ?? reason)), true));
byId("start").addEventListener("click", () => startCamera());
byId("camera").addEventListener("click", () => (state.mode === "camera" ? stopCamera() : startCamera()));
byId("cameras").addEventListener("change", (event) => startCamera(event.target.value));
byId("freeze").addEventListener("click", () => (state.isFrozen ? resume() : freeze()));
for (const id of ["pick", "other"]) byId(id).addEventListener("click", () => byId("file").click());
byId("file").addEventListener("change", ({ target }) => {
  if (target.files.length) openFile(target.files[0]);
  target.value = "";
});
byId("show").addEventListener("change", () => { showPuzzle(); showOverlay(); });
byId("boards").addEventListener("change", async ({ target }) => {
  state.chosen = Number(target.value);
  state.edited.clear();
  await setPuzzle(chosenBoard().decoded);
  showEvidence();
  showResult();
});
byId("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(state.puzzle);
    say("Copied: 81 characters, a dot for a blank.");
  } catch {
    say(state.puzzle);
  }
});

byId("explain").addEventListener("click", async () => {
  const { steps, is_complete } = await engine.explain(state.puzzle);
  byId("steps").replaceChildren(...steps.map(({ notation, text }) => {
    const item = document.createElement("li");
    const head = item.appendChild(document.createElement("b"));
    head.textContent = notation;
    item.append(text);
    return item;
  }));
  byId("end").textContent = is_complete ? "" : "Beyond this no technique finds a step; the solution is found by search.";
  byId("explanation").hidden = false;
  byId("explanation").open = true;
});

byId("save").addEventListener("click", async () => {
  if (state.mode === "camera" && !state.isFrozen) await freeze();
  const boards = state.answer.boards.map((board) => (board === chosenBoard() ? state.puzzle : board.decoded));
  const picture = state.file ?? (await blobOf(still, "image/jpeg"));
  if (engine.save) return say(`Saved as ${await engine.save(picture, boards)}.`);
  const name = `sudoku-${new Date().toISOString().slice(0, 19).replace(/\D/g, "")}`;
  const end = state.file?.name.match(/\.\w+$/)?.[0] ?? ".jpg";
  download(picture, `${name}${end}`);
  // The sidecar with the ground truth for `dataset` and `train`.
  download(new Blob([boards.map((board) => `${board}\n`).join("") || "none\n"], { type: "text/plain" }), `${name}.txt`);
  say(`Saved as ${name}${end}, and the puzzle as ${name}.txt.`);
});

function download(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

document.addEventListener("dragover", (event) => {
  event.preventDefault();
  stage.classList.add("dropping");
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) stage.classList.remove("dropping");
});
document.addEventListener("drop", (event) => {
  event.preventDefault();
  stage.classList.remove("dropping");
  const file = event.dataTransfer.files[0];
  if (file) openFile(file);
});
document.addEventListener("paste", (event) => {
  const file = event.clipboardData.files[0];
  if (file) openFile(file);
});
new ResizeObserver(showOverlay).observe(stage);

if (document.querySelector('meta[name="show"]')?.content === "hint") document.querySelector('input[value="hint"]').checked = true;
byId("privacy").textContent = engine.privacy;
if (!isServed && "serviceWorker" in navigator) {
  navigator.serviceWorker.register("service-worker.js").catch(() => {});
}
engine.ready().then(
  () => { if (state.mode === "idle") say("Ready."); },
  (error) => say(sentence(error.message), true),
);
showControls();
