// The gallery of a recognition run: cards as they come into view, and boards that can be mended.
// All text from outside goes into the page as text, never as markup. Needs solver.js and doubts.js.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("gallery-data").textContent);
  const byId = (id) => document.getElementById(id);
  const boards = data.boards;
  const mendings = new Map(); // index of a board -> its 81 digits as mended or confirmed

  const digits = (line) => Array.from(line, (c) => (c === "." ? 0 : Number(c)));
  const line = (cells) => cells.map((digit) => digit || ".").join("");
  const status = (board) => data.statuses[board.status];
  const title = (board) => board.name + (board.puzzle > 1 ? " #" + board.puzzle : "");
  const after = (board) => digits(board.decoded ?? board.givens);
  const isMended = (index) => line(mendings.get(index)) !== line(after(boards[index]));

  // ---- The list: filter, sort, cards ----

  const BATCH = 48;
  const show = byId("show"), sort = byId("sort"), find = byId("find");
  const cards = byId("cards"), more = byId("more");
  let listed = [];
  let shown = 0;

  const FILTERS = {
    all: () => true,
    wrong: (board) => board.rank !== undefined,
    mended: (board, index) => mendings.has(index),
  };
  const collator = new Intl.Collator(undefined, { numeric: true });
  const byName = (a, b) => collator.compare(boards[a].name, boards[b].name) || a - b;
  const confidence = (index) => boards[index].confidence ?? -1;
  const ORDERS = {
    worst: (a, b) => (boards[a].rank ?? 9) - (boards[b].rank ?? 9)
      || confidence(a) - confidence(b) || byName(a, b),
    lowest: (a, b) => confidence(a) - confidence(b) || byName(a, b),
    highest: (a, b) => confidence(b) - confidence(a) || byName(a, b),
    name: byName,
  };

  function list() {
    const wanted = FILTERS[show.value] ?? ((board) => status(board) === show.value);
    const text = find.value.toLowerCase();
    listed = [];
    boards.forEach((board, index) => {
      if (wanted(board, index) && board.name.toLowerCase().includes(text)) listed.push(index);
    });
    listed.sort(ORDERS[sort.value]);
    cards.replaceChildren();
    shown = 0;
    showMore();
    byId("count").textContent = listed.length + " of " + boards.length;
  }

  function showMore() {
    const next = listed.slice(shown, shown + BATCH);
    cards.append(...next.map(card));
    shown += next.length;
    more.hidden = shown >= listed.length;
  }

  function card(index) {
    const board = boards[index];
    const button = make("button", "card");
    button.type = "button";
    button.dataset.index = index;
    if (board.thumbnail) {
      const image = make("img");
      image.loading = "lazy";
      image.alt = "";
      image.src = board.thumbnail;
      button.append(image);
    } else {
      button.append(make("span", "nothing", "no picture"));
    }
    button.append(make("span", "name", title(board)));
    const facts = make("span", "facts");
    facts.append(make("span", "status " + status(board), status(board)));
    if (board.confidence !== undefined) facts.append(make("span", "", percent(board.confidence)));
    if (mendings.has(index)) {
      facts.append(make("span", "mended", isMended(index) ? "mended" : "confirmed"));
    }
    button.append(facts);
    if (board.note) button.append(make("span", "why", board.note));
    button.addEventListener("click", () => open(index));
    const item = make("li");
    item.append(button);
    return item;
  }

  new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && !more.hidden) showMore();
  }, { rootMargin: "600px" }).observe(byId("end"));
  more.addEventListener("click", showMore);
  // Paper cannot be scrolled.
  addEventListener("beforeprint", () => { while (!more.hidden && shown < 10 * BATCH) showMore(); });
  for (const control of [show, sort]) control.addEventListener("change", list);
  find.addEventListener("input", list);

  // ---- One board: as read, and as mended ----

  const dialog = byId("board"), grid = byId("grid");
  const cells = []; // the 81 cells of the grid, as elements
  let current = -1; // index of the board that is open
  let read, decoded, mended, doubts;
  let at = 0; // the cell that has the focus

  const body = make("tbody");
  for (let row = 0; row < 9; row++) {
    const tr = make("tr");
    tr.setAttribute("role", "row");
    for (let column = 0; column < 9; column++) {
      const td = make("td");
      const cell = cells.length;
      td.setAttribute("role", "gridcell");
      td.addEventListener("focus", () => choose(cell));
      td.addEventListener("click", () => td.focus());
      cells.push(td);
      tr.append(td);
    }
    body.append(tr);
  }
  grid.append(body);

  function open(index) {
    const board = boards[index];
    current = index;
    byId("board-title").textContent = title(board);
    const facts = board.note?.startsWith(status(board)) ? [] : [status(board)];
    if (board.confidence !== undefined) facts.push("confidence " + percent(board.confidence));
    if (board.note) facts.push(board.note);
    byId("board-facts").textContent = facts.join(" · ");
    picture(board);
    const place = listed.indexOf(index);
    byId("previous").disabled = place <= 0;
    byId("next").disabled = place < 0 || place >= listed.length - 1;
    byId("mending").hidden = !board.givens;
    byId("no-board").hidden = Boolean(board.givens);
    byId("evidence").hidden = !board.doubts;
    if (board.givens) {
      read = digits(board.givens);
      decoded = after(board);
      mended = mendings.get(index)?.slice() ?? decoded.slice();
      doubts = new Map(doubtsOf(board.doubts).map((doubt) => [doubt[0], doubt]));
      const first = [...doubts.keys()].find((cell) => read[cell] !== decoded[cell]);
      at = first ?? doubts.keys().next().value ?? 0;
      frameDoubts();
      draw();
    }
    if (!dialog.open) dialog.showModal();
    if (board.givens) cells[at].focus();
  }

  function picture(board) {
    const image = byId("photo"), link = byId("photo-link");
    const source = board.overlay ?? board.thumbnail;
    const film = byId("film"), isFilm = Boolean(board.overlay?.endsWith(".mp4"));
    film.hidden = !isFilm;
    if (isFilm) film.src = source; else film.removeAttribute("src");
    link.hidden = !source || isFilm;
    if (source && !isFilm) {
      image.src = source;
      link.href = source;
    }
    byId("larger").hidden = Boolean(board.overlay);
    const sheet = byId("cells");
    sheet.hidden = !board.cells;
    if (board.cells) {
      const [file, place, count] = board.cells;
      sheet.style.backgroundImage = 'url("' + file + '")';
      sheet.style.backgroundSize = "100% " + 100 * count + "%";
      sheet.style.backgroundPositionY = count > 1 ? (100 * place) / (count - 1) + "%" : "0";
    }
  }

  const over = (element, cell) => {
    element.style.left = (100 * (cell % 9)) / 9 + "%";
    element.style.top = (100 * Math.floor(cell / 9)) / 9 + "%";
  };

  // Frames the doubtful cells in the picture of the cells.
  function frameDoubts() {
    const marker = byId("marker");
    byId("cells").replaceChildren(marker, ...[...doubts.keys()].map((cell) => {
      const frame = make("div", "frame");
      over(frame, cell);
      return frame;
    }));
  }

  function draw() {
    const clashing = conflicts(mended);
    cells.forEach((td, cell) => {
      const digit = mended[cell];
      const changed = digit !== decoded[cell];
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
    const count = countSolutions(mended);
    const verdict = byId("verdict");
    verdict.className = { 0: "bad", 1: "good", 2: "fair" }[count] ?? "fair";
    verdict.textContent = clashing.size > 0 ? "No solution: a digit stands twice in a house."
      : count === 0 ? "No solution: some digit is wrong."
      : count === 1 ? "One solution."
      : count === 2 ? "Several solutions: a digit is missing or wrong."
      : "Too many blanks to tell how many solutions there are.";
    byId("reset").disabled = !mendings.has(current);
    byId("confirm").disabled = mendings.has(current);
    const picture = boards[current].cells;
    const choose = (cell) => cells[cell].focus();
    byId("doubts").replaceChildren(
      ...doubtItems([...doubts.values()], { read, decoded, board: mended, picture, choose }));
    tell();
  }

  // What else a cell may hold: what was overruled there, else the second best.
  function rivalOf(cell) {
    if (read[cell] !== decoded[cell]) return read[cell];
    const doubt = doubts.get(cell);
    return doubt?.[1].find(([digit]) => digit !== decoded[cell])[0];
  }

  function tell() {
    const doubt = doubts.get(at);
    const parts = ["Row " + (Math.floor(at / 9) + 1) + ", column " + ((at % 9) + 1) + ": read as "
      + contentName(read[at])];
    if (doubt) {
      const [[, first], [second, rest]] = doubt[1];
      parts[0] += " (" + percent(first) + "), or " + contentName(second) + " (" + percent(rest) + ")";
    }
    if (read[at] !== decoded[at]) parts.push("the rules say " + contentName(decoded[at]));
    if (mended[at] !== decoded[at]) parts.push("you say " + contentName(mended[at]));
    byId("cell-facts").textContent = parts.join("; ") + ".";
    over(byId("marker"), at);
  }

  function choose(cell) {
    cells[at].tabIndex = -1;
    at = cell;
    cells[at].tabIndex = 0;
    tell();
  }

  function set(digit) {
    mended[at] = digit;
    if (mended.some((value, cell) => value !== decoded[cell])) {
      mendings.set(current, mended.slice());
    } else {
      mendings.delete(current);
    }
    changed();
    draw();
  }

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
    if (STEPS[event.key]) cells[STEPS[event.key]()].focus();
    else if (/^[1-9]$/.test(event.key)) set(Number(event.key));
    else if (["0", ".", " ", "Backspace", "Delete"].includes(event.key)) set(0);
    else return;
    event.preventDefault();
  });
  byId("keys").append(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 0].map((digit) => {
    const key = make("button", "", digit || "⌫");
    key.type = "button";
    key.setAttribute("aria-label", digit ? "put " + digit : "clear");
    key.addEventListener("click", () => { set(digit); cells[at].focus(); });
    return key;
  }));
  byId("confirm").addEventListener("click", () => {
    mendings.set(current, mended.slice());
    changed();
    draw();
    cells[at].focus();
  });
  byId("reset").addEventListener("click", () => {
    mendings.delete(current);
    mended = decoded.slice();
    changed();
    draw();
    cells[at].focus();
  });
  const turn = (step) => {
    const next = listed[listed.indexOf(current) + step];
    if (next !== undefined) open(next);
  };
  byId("previous").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));
  byId("close").addEventListener("click", () => dialog.close());
  dialog.addEventListener("keydown", (event) => {
    if (event.key === "PageUp" || event.key === "PageDown") {
      turn(event.key === "PageUp" ? -1 : 1);
      event.preventDefault();
    }
  });
  const cardOf = (index) => cards.querySelector('[data-index="' + index + '"]');
  dialog.addEventListener("close", () => cardOf(current)?.focus());

  // ---- corrections.csv ----

  // Whether every mended board is in a file that was downloaded.
  let saved = true;
  function changed() {
    saved = mendings.size === 0;
    const count = mendings.size;
    const mended = [...mendings.keys()].filter(isMended).length;
    byId("save").hidden = count === 0;
    byId("changed").textContent = (count === 1 ? "1 board: " : count + " boards: ")
      + [[mended, "mended"], [count - mended, "confirmed"]].filter(([some]) => some)
        .map((part) => part.join(" ")).join(", ");
    cardOf(current)?.parentElement.replaceWith(card(current));
  }
  const field = (text) => {
    // As in results.csv: a spreadsheet must not take a name for a formula.
    const plain = /^[=+\-@]/.test(text) ? "'" + text : text;
    return /[",\r\n]/.test(plain) ? '"' + plain.replaceAll('"', '""') + '"' : plain;
  };
  byId("download").addEventListener("click", () => {
    const rows = [...mendings.entries()].sort((a, b) => a[0] - b[0]).map(([index, board]) => {
      const { name, puzzle } = boards[index];
      return [field(data.folder + name), puzzle, line(board)].join(",") + "\n";
    });
    const text = "photo,puzzle,givens\n" + rows.join("");
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
    link.download = "corrections.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    saved = true;
  });
  addEventListener("beforeunload", (event) => { if (!saved) event.preventDefault(); });

  byId("gallery").hidden = false;
  list();
})();
