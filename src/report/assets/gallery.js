// The gallery of a recognition run: cards created as they come into view, and the file of corrections. Untrusted text
// is inserted as text, never as markup. Needs board.js and its dependencies.
"use strict";

(() => {
  const data = JSON.parse(document.getElementById("gallery-data").textContent);
  const { boards } = data;
  let listed = []; // indices of the boards that pass the filter, in order
  let shown = 0; // number of cards created

  const corrections = new Corrections(data, (indices) => {
    dialog.changed(indices);
    indices.forEach((index) => cardOf(index)?.parentElement.replaceWith(card(index)));
    drawBar();
  });
  const cards = byId("cards"), more = byId("more");
  const cardOf = (index) => cards.querySelector('[data-index="' + index + '"]');
  const dialog = boardDialog(data, corrections, {
    order: () => listed,
    closed: (index) => cardOf(index)?.focus(),
  });
  const isCorrected = (index) => {
    const { cells, corners } = corrections.get(index), board = boards[index];
    return Boolean(corners) || (cells !== undefined && lineOf(cells) !== (board.decoded ?? board.givens));
  };

  // ---- The list: filter, sort, cards ----

  const BATCH = 48;
  const show = byId("show"), sort = byId("sort"), find = byId("find");
  const FILTERS = {
    all: () => true,
    doubtful: (board) => dialog.isDoubtful(board),
    wrong: (board) => board.rank !== undefined,
    corrected: (board, index) => corrections.has(index),
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
    const wanted = FILTERS[show.value] ?? ((board) => dialog.status(board) === show.value);
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
    const board = boards[index], status = dialog.status(board);
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
    const name = make("span", "name");
    name.append(...fileName(dialog.title(board)));
    const facts = make("span", "facts");
    facts.append(make("span", "status " + status, status));
    if (board.confidence !== undefined) facts.append(make("span", "", percent(board.confidence)));
    if (corrections.has(index)) {
      const kind = !corrections.isDone(index) ? "unfinished" : isCorrected(index) ? "corrected" : "confirmed";
      facts.append(make("span", "corrected", kind));
    }
    button.append(name, facts);
    if (board.note) button.append(make("span", "why", board.note));
    button.addEventListener("click", () => dialog.open(index));
    const item = make("li");
    item.append(button);
    return item;
  }

  new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting) && !more.hidden) showMore();
  }, { rootMargin: "600px" }).observe(byId("end"));
  more.addEventListener("click", showMore);
  // Printed pages cannot load more cards by scrolling.
  addEventListener("beforeprint", () => { while (!more.hidden && shown < 10 * BATCH) showMore(); });
  for (const control of [show, sort]) control.addEventListener("change", list);
  find.addEventListener("input", list);

  // ---- corrections.csv ----

  const counted = (count, what) => count + " " + what + (count === 1 ? "" : "s");

  function drawBar() {
    const indices = [...corrections.known.keys()];
    const done = indices.filter((index) => corrections.isDone(index));
    const corrected = done.filter(isCorrected).length;
    byId("save").hidden = indices.length === 0;
    byId("changed").textContent = counted(indices.length, "board") + ": "
      + [[corrected, "corrected"], [done.length - corrected, "confirmed"],
        [indices.length - done.length, "unfinished"]].filter(([some]) => some)
        .map((part) => part.join(" ")).join(", ");
    const left = boards.filter((board, index) =>
      board.thumbnail && dialog.isDoubtful(board) && !corrections.isDone(index)).length;
    byId("left").textContent = left ? counted(left, "doubtful board") + " left" : "No doubtful board is left";
    byId("download").disabled = done.length === 0;
    byId("not-kept").hidden = corrections.isStored;
  }

  byId("download").addEventListener("click", () => {
    const link = make("a");
    link.href = URL.createObjectURL(new Blob([corrections.toCsv()], { type: "text/csv" }));
    link.download = "corrections.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });

  async function load(file) {
    const { count, wrong } = corrections.load(await file.text());
    const left = wrong.length ? make("ul") : "";
    if (left) left.append(...wrong.map((line) => make("li", "", line)));
    byId("loaded").replaceChildren(
      make("p", wrong.length ? "bad" : "good", counted(count, "board") + " loaded from " + file.name
        + (wrong.length ? ", " + counted(wrong.length, "line") + " left out:" : ".")), left);
    list();
  }
  byId("load").addEventListener("change", ({ target }) => {
    if (target.files.length) load(target.files[0]);
    // So that the same file can be chosen again.
    target.value = "";
  });
  const holdsFile = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => { if (holdsFile(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!holdsFile(event)) return;
    event.preventDefault();
    load(event.dataTransfer.files[0]);
  });

  const question = byId("question");
  byId("start-over").addEventListener("click", () => {
    byId("question-text").textContent = "Start over? The corrections of " + counted(corrections.known.size, "board")
      + " are removed from this page and from what this browser has kept. Files that you downloaded stay.";
    question.showModal();
  });
  byId("question-no").addEventListener("click", () => question.close());
  byId("question-yes").addEventListener("click", () => {
    corrections.startOver();
    question.close();
    list();
  });
  addEventListener("beforeunload", (event) => {
    if (!corrections.isStored && corrections.known.size) event.preventDefault();
  });

  byId("gallery").hidden = false;
  list();
  drawBar();
})();
