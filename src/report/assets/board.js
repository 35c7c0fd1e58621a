// The dialog that shows a board and corrects it. Needs solver.js, doubts.js, corrections.js and corners.js.
"use strict";

const byId = (id) => document.getElementById(id);

// Returns the nodes of a file name, whose extension is never wrapped.
function fileName(name) {
  const [, stem, ending] = name.match(/^(.*?)(\.\w{1,5})?( #\d+)?$/s).slice(0, 3);
  const rest = name.slice(stem.length + (ending ?? "").length);
  return [stem, ...(ending ? [make("span", "ending", ending)] : []), rest];
}

// Creates the dialog for the boards of a gallery. `order()` returns the indices of boards in their listed order;
// `closed` is called with the index of the open board when the dialog closes.
function boardDialog(data, corrections, { order, closed }) {
  const { boards } = data;
  const dialog = byId("board"), grid = byId("grid"), flat = byId("flat"), cellsPicture = byId("cells");
  const status = (board) => data.statuses[board.status];
  const title = (board) => board.name + (board.puzzle > 1 ? " #" + board.puzzle : "");
  const isDoubtful = ({ rank, confidence }) => rank !== undefined || confidence < data.sure;
  const tds = []; // the 81 cells of the grid
  let current = -1; // index of the open board
  let read, decoded; // of a board that was found: its cells before and after decoding
  let cells; // the 81 current digits; undefined without a board
  let doubts = new Map();
  let at = 0; // the focused cell

  const body = make("tbody");
  for (let row = 0; row < 9; row++) {
    const tr = make("tr");
    tr.setAttribute("role", "row");
    for (let column = 0; column < 9; column++) {
      const td = make("td");
      const cell = tds.length;
      td.setAttribute("role", "gridcell");
      td.addEventListener("focus", () => choose(cell));
      td.addEventListener("click", () => td.focus());
      tds.push(td);
      tr.append(td);
    }
    body.append(tr);
  }
  grid.append(body);

  const say = (text = "") => { byId("message").textContent = text; };

  // ---- Opening ----

  function open(index, cell) {
    const board = boards[index];
    current = index;
    say();
    byId("board-title").replaceChildren(...fileName(title(board)));
    const facts = board.note?.startsWith(status(board)) ? [] : [status(board)];
    if (board.confidence !== undefined) facts.push("confidence " + percent(board.confidence));
    if (board.note) facts.push(board.note);
    byId("board-facts").textContent = facts.join(" · ");
    const listed = order(), place = listed.indexOf(index);
    byId("previous").disabled = place <= 0;
    byId("next").disabled = place < 0 || place >= listed.length - 1;
    read = board.givens && cellsOf(board.givens);
    decoded = board.givens && cellsOf(board.decoded ?? board.givens);
    doubts = new Map(doubtsOf(board.doubts).map((doubt) => [doubt[0], doubt]));
    const first = [...doubts.keys()].find((cell) => read[cell] !== decoded[cell]);
    at = cell ?? first ?? doubts.keys().next().value ?? 0;
    showPicture(board);
    byId("no-board").hidden = Boolean(board.givens);
    byId("no-board-facts").replaceChildren(...whyNoBoard(board));
    byId("corner-tools").hidden = !canOutline(board);
    dialog.classList.toggle("outlining", canOutline(board));
    byId("evidence").hidden = doubts.size === 0;
    byId("next-doubt").hidden = byId("marks-help").hidden = !board.givens;
    refresh();
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    (cells ? tds[at] : byId("confirm")).focus({ preventScroll: true });
  }

  const canOutline = (board) => !board.givens && Boolean(board.large);

  // Explains why a photo has no board, and what to do.
  function whyNoBoard(board) {
    const run = (command) => make("code", "", command);
    if (board.is_video) return ["No board was found in this video. Boards of videos cannot be outlined here."];
    const isLate = status(board) === "timeout";
    const found = isLate ? "The limit of time ran out before a board was found; a higher " : "No board was found in this photo.";
    const known = isLate ? [found, run("--time-limit"), " of ", run("recognize"), " may help."] : [found];
    if (board.large) {
      return [...known, " If there is one, click its four corners in the photo, then type its digits."];
    }
    if (board.thumbnail && board.rank === undefined) return [...known, " None was expected."];
    if (board.thumbnail) {
      return [...known, " There is no large picture of it here to outline a board in: run ", run("dataset review"),
        " on this run, its page has one."];
    }
    return ["This file could not be read, so there is no picture of it and nothing to correct. Once it is repaired, run ",
      run("recognize"), " on the same folder again: photos that did not change are not read twice."];
  }

  function showPicture(board) {
    const image = byId("photo"), link = byId("photo-link"), film = byId("film");
    const source = board.large?.[0] ?? board.overlay ?? board.thumbnail;
    const isFilm = Boolean(board.overlay?.endsWith(".mp4"));
    film.hidden = !isFilm;
    if (isFilm) film.src = board.overlay; else film.removeAttribute("src");
    byId("outline").hidden = !source || isFilm;
    if (source && !isFilm) {
      image.src = source;
      image.alt = board.large ? "the photo" : "the photo with its solution";
      if (canOutline(board)) link.removeAttribute("href"); else link.href = source;
      byId("outline").style.setProperty("--ratio", board.large ? board.large[1] / board.large[2] : "");
    }
    // Overlays exist only for boards that were read, so only then is `--overlay` suggested.
    const helps = board.givens ? "recognize --overlay" : isDoubtful(board) && !board.is_video ? "dataset review" : "";
    byId("larger").hidden = isFilm || !source || !helps || Boolean(board.large || board.overlay);
    byId("larger").replaceChildren(make("code", "", helps), board.givens ? " shows a larger photo here." : " makes a page with a large photo.");
    if (board.cells) {
      const [file, place, count] = board.cells;
      cellsPicture.style.backgroundImage = 'url("' + file + '")';
      cellsPicture.style.backgroundSize = "100% " + 100 * count + "%";
      cellsPicture.style.backgroundPositionY = count > 1 ? (100 * place) / (count - 1) + "%" : "0";
    } else {
      cellsPicture.style.backgroundImage = "";
      if (board.large) flat.src = board.large[0];
    }
  }
  byId("photo").addEventListener("load", ({ target }) => {
    byId("outline").style.setProperty("--ratio", target.naturalWidth / target.naturalHeight);
  });

  // ---- Drawing ----

  // Shows the open board with its current correction.
  function refresh() {
    const board = boards[current], correction = corrections.get(current);
    const corners = correction?.corners ?? [];
    outline.show(canOutline(board) ? board.large.slice(1) : undefined, corners);
    if (board.givens) {
      cells = correction?.cells ?? decoded;
    } else {
      cells = corners.length === 4 ? correction.cells : undefined;
      read = decoded = new Array(81).fill(0);
    }
    byId("digits").hidden = byId("extras").hidden = !cells;
    cellsPicture.hidden = !(board.cells || (cells && isConvex(corners)));
    flatten(corners);
    frameDoubts();
    drawCorners(board, corners);
    if (cells) drawCells();
    const { confirm, undo, reset } = { confirm: byId("confirm"), undo: byId("undo"), reset: byId("reset") };
    confirm.hidden = !board.givens && !board.large && !board.thumbnail;
    confirm.textContent = correction?.none ? "No board here: next" : !board.givens && !corners.length ? "There is no board here"
      : correction ? "Done: next" : "Correct as it is";
    undo.disabled = corrections.history.length === 0;
    reset.hidden = confirm.hidden;
    reset.disabled = !correction;
  }

  function drawCorners(board, corners) {
    byId("place-corners").disabled = corners.length === 4;
    byId("remove-corners").disabled = corners.length === 0;
    const missing = 4 - corners.length;
    byId("corner-help").textContent = missing === 4
      ? "Start with the board's own top left corner."
      : missing > 0 ? missing + (missing === 1 ? " corner is" : " corners are") + " missing."
      : !isConvex(corners) ? "The outline crosses itself or folds in: drag its corners around the board."
      : "Drag the corners, or move one with the arrow keys, until the lines of the board are straight.";
  }

  // Shows the flattened photo in place of the cells of a board that was found.
  function flatten(corners) {
    const { large, givens } = boards[current];
    flat.hidden = Boolean(givens) || !large || !isConvex(corners);
    if (flat.hidden) return;
    // In units of a thousandth of the photo, which may be too large for the layout of a browser.
    const unit = large[1] / 1000;
    flat.style.width = "1000px";
    flat.style.height = large[2] / unit + "px";
    const scaled = corners.map((corner) => corner.map((value) => value / unit));
    flat.style.transform = flattening(scaled, cellsPicture.clientWidth);
  }
  new ResizeObserver(() => {
    if (dialog.open) flatten(corrections.get(current)?.corners ?? []);
  }).observe(cellsPicture);

  const over = (element, cell) => {
    element.style.left = (100 * (cell % 9)) / 9 + "%";
    element.style.top = (100 * Math.floor(cell / 9)) / 9 + "%";
  };

  // Frames the doubtful cells in the picture of cells.
  function frameDoubts() {
    const marker = byId("marker");
    cellsPicture.replaceChildren(flat, marker, ...[...doubts.keys()].map((cell) => {
      const frame = make("div", "frame");
      over(frame, cell);
      return frame;
    }));
  }

  function drawCells() {
    const clashing = conflicts(cells);
    tds.forEach((td, cell) => {
      const digit = cells[cell];
      const changed = Boolean(boards[current].givens) && digit !== decoded[cell];
      const overruled = read[cell] !== decoded[cell];
      const kinds = [
        changed && "changed",
        overruled && "overruled",
        doubts.has(cell) && "doubtful",
        clashing.has(cell) && "clashing",
      ].filter(Boolean);
      td.className = kinds.join(" ");
      td.textContent = digit || "";
      const rival = rivalOf(cell);
      if (rival !== undefined && !changed) td.append(make("small", "", rival || "–"));
      td.tabIndex = cell === at ? 0 : -1;
      td.setAttribute("aria-label", "row " + (Math.floor(cell / 9) + 1) + ", column "
        + ((cell % 9) + 1) + ": " + [contentName(digit), ...kinds].join(", "));
    });
    const count = countSolutions(cells);
    const verdict = byId("verdict");
    verdict.className = { 0: "bad", 1: "good", 2: "fair" }[count] ?? "fair";
    verdict.textContent = clashing.size > 0 ? "No solution: a digit occurs twice in a house."
      : count === 0 ? "No solution: some digit is wrong."
      : count === 1 ? "One solution."
      : count === 2 ? "Several solutions: a digit is missing or wrong."
      : "Too many blanks to count the solutions.";
    const picture = boards[current].cells;
    const choose = (cell) => tds[cell].focus();
    byId("doubts").replaceChildren(
      ...doubtItems([...doubts.values()], { read, decoded, board: cells, picture, choose }));
    describeCell();
  }

  // Returns the alternative content of a cell: the overruled one, or the second best.
  function rivalOf(cell) {
    if (read[cell] !== decoded[cell]) return read[cell];
    const doubt = doubts.get(cell);
    return doubt?.[1].find(([digit]) => digit !== decoded[cell])[0];
  }

  // Describes the focused cell.
  function describeCell() {
    const place = "Row " + (Math.floor(at / 9) + 1) + ", column " + ((at % 9) + 1);
    const parts = [place + ": read as " + contentName(read[at])];
    const doubt = doubts.get(at);
    if (!boards[current].givens) parts[0] = place;
    else if (doubt) {
      const [[, first], [second, rest]] = doubt[1];
      parts[0] += " (" + percent(first) + "), or " + contentName(second) + " (" + percent(rest) + ")";
    }
    if (read[at] !== decoded[at]) parts.push("the rules say " + contentName(decoded[at]));
    if (cells[at] !== decoded[at]) parts.push("you say " + contentName(cells[at]));
    byId("cell-facts").textContent = parts.join("; ") + ".";
    over(byId("marker"), at);
  }

  // ---- Correcting ----

  function choose(cell) {
    tds[at].tabIndex = -1;
    at = cell;
    tds[at].tabIndex = 0;
    describeCell();
  }

  // Replaces the 81 cells of the board.
  function setCells(changed) {
    say();
    const { corners } = corrections.get(current) ?? {};
    const isUnchanged = !corners && lineOf(changed) === lineOf(decoded);
    corrections.change([[current, isUnchanged ? undefined : { ...(corners && { corners }), cells: changed }]]);
  }

  // Puts a digit into the focused cell, and moves the focus by `step` cells.
  function put(digit, step) {
    const cell = at;
    if (cells[cell] !== digit) setCells(cells.with(cell, digit));
    tds[Math.min(cell + step, 80)].focus();
  }

  function paste(text) {
    if (!cells) return say("There is no board to paste into: outline it first.");
    try {
      setCells(parseBoard(text));
      byId("paste").value = "";
      tds[at].focus();
    } catch (error) {
      say("Nothing was pasted: " + error.message + ".");
    }
  }

  function nextDoubt() {
    const places = [...doubts.keys()].sort((a, b) => a - b);
    const next = places.find((cell) => cell > at) ?? places[0];
    if (next === undefined) say("This board has no doubtful cell.");
    else tds[next].focus();
  }

  // Confirms the board and opens the next doubtful one.
  function confirm() {
    if (byId("confirm").hidden) return;
    const board = boards[current], correction = corrections.get(current);
    if (correction && !corrections.isDone(current)) {
      return say("A board needs four corners around it and its digits. If there is none, remove the corners.");
    }
    if (!correction) corrections.change([[current, board.givens ? { cells: decoded } : { none: true }]]);
    const listed = order(), place = listed.indexOf(current);
    const rest = [...listed.slice(place + 1), ...listed.slice(0, Math.max(place, 0)), ...boards.keys()];
    const isOpen = (index) => isDoubtful(boards[index]) && !corrections.isDone(index)
      && Boolean(boards[index].thumbnail);
    const next = rest.find(isOpen);
    if (next !== undefined) return open(next);
    say("No doubtful board is left.");
    if (cells) tds[at].focus();
  }

  function undo() {
    const before = cells;
    const indices = corrections.undo();
    if (!dialog.open) return;
    say(indices.length ? "" : "There is nothing to undo.");
    if (indices.length && !indices.includes(current)) open(indices[0]);
    else if (cells) {
      const changed = before ? cells.findIndex((digit, cell) => digit !== before[cell]) : -1;
      tds[changed < 0 ? at : changed].focus();
    }
  }

  const setCorners = (corners) => {
    const had = corrections.get(current);
    const shown = corners.length ? { corners, cells: had?.cells ?? new Array(81).fill(0) } : undefined;
    say();
    corrections.change([[current, shown]]);
  };
  const outline = cornerEditor(byId("outline"), {
    changed(corners) {
      const isLast = corners.length === 4 && (corrections.get(current)?.corners?.length ?? 0) < 4;
      setCorners(corners);
      if (isLast && isConvex(corners)) tds[at = 0].focus({ preventScroll: true });
    },
    moving(corners) { flatten(corners); },
  });
  byId("place-corners").addEventListener("click", () => {
    setCorners(outline.proposed());
    outline.focus();
  });
  byId("remove-corners").addEventListener("click", () => setCorners([]));

  const STEPS = {
    ArrowUp: () => (at + 72) % 81,
    ArrowDown: () => (at + 9) % 81,
    ArrowLeft: () => (at + 80) % 81,
    ArrowRight: () => (at + 1) % 81,
    Enter: () => (at + 9) % 81,
    Home: () => at - (at % 9),
    End: () => at - (at % 9) + 8,
  };
  grid.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) tds[STEPS[event.key]()].focus();
    else if (/^[1-9]$/.test(event.key)) put(Number(event.key), 1);
    else if (["0", ".", " "].includes(event.key)) put(0, 1);
    else if (["Backspace", "Delete"].includes(event.key)) put(0, 0);
    else return;
    event.preventDefault();
  });
  byId("keys").append(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => {
    const key = make("button", "", digit || "blank");
    key.type = "button";
    key.setAttribute("aria-label", digit ? "put " + digit : "put a blank");
    key.addEventListener("click", () => put(digit, 1));
    return key;
  }));
  byId("next-doubt").addEventListener("click", nextDoubt);
  byId("confirm").addEventListener("click", confirm);
  byId("undo").addEventListener("click", undo);
  byId("reset").addEventListener("click", () => {
    corrections.change([[current, undefined]]);
    if (cells) tds[at].focus();
  });
  byId("paste").addEventListener("change", ({ target }) => { if (target.value) paste(target.value); });
  dialog.addEventListener("paste", (event) => {
    paste(event.clipboardData.getData("text"));
    event.preventDefault();
  });

  const turn = (step) => {
    const listed = order(), next = listed[listed.indexOf(current) + step];
    if (next !== undefined) open(next);
  };
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("close").addEventListener("click", () => dialog.close());
  const KEYS = { PageUp: () => turn(-1), PageDown: () => turn(1), n: nextDoubt, c: confirm };
  dialog.addEventListener("keydown", (event) => {
    const isTyped = event.target.matches("input") && event.key.length === 1;
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || isTyped || event.ctrlKey || event.metaKey || event.altKey) return;
    action();
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z";
    if (!isUndo || event.target.matches("input")) return;
    undo();
    event.preventDefault();
  });
  dialog.addEventListener("close", () => closed(current));

  return {
    open,
    // Called when the corrections of these boards have changed.
    changed(indices) { if (dialog.open && indices.includes(current)) refresh(); },
    isDoubtful,
    status,
    title,
  };
}
