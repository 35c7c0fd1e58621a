// The doubtful cells of a board: the crop of each, its probable contents, and how many solutions the board has with
// each of these. Needs solver.js.
"use strict";

// Creates an element with this text.
const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

// Limit of search nodes for one content of one cell.
const REASON_NODES = 500;

const percent = (share) => (100 * share).toFixed(share > 0.999 || share < 0.001 ? 2 : 1) + " %";
const contentName = (digit) => (digit ? String(digit) : "blank");
const cellName = (cell) => "r" + (Math.floor(cell / 9) + 1) + "c" + ((cell % 9) + 1);

// Parses the doubts of a board, `[cell, [[content, probability], …]]` each, from text:
// two digits for the cell, then one for each content and three for its thousandths.
function doubtsOf(text) {
  return (text ?? "").split(" ").filter(Boolean).map((doubt) => [
    Number(doubt.slice(0, 2)),
    doubt.slice(2).match(/..../g).map((guess) => [Number(guess[0]), Number(guess.slice(1)) / 1000]),
  ]);
}

// Returns a peer of the cell with the same digit, or -1.
function twin(board, cell, digit) {
  return board.findIndex((other, at) => at !== cell && other === digit
    && HOUSES_OF[at].some((house, kind) => house === HOUSES_OF[cell][kind]));
}

// Describes the effect of another digit in a cell.
function consequence(board, cell, digit) {
  const at = digit ? twin(board, cell, digit) : -1;
  if (at >= 0) return cellName(at) + " has a " + digit;
  const changed = board.slice();
  changed[cell] = digit;
  return { 0: "no solution", 1: "one solution", 2: "several solutions" }[
    countSolutions(changed, REASON_NODES)] ?? "too many blanks";
}

// Shows one cell of the picture with the cells of `count` boards.
function showCell(element, [file, place, count], cell) {
  const row = 9 * place + Math.floor(cell / 9);
  element.style.backgroundImage = 'url("' + file + '")';
  element.style.backgroundSize = "900% " + 900 * count + "%";
  element.style.backgroundPosition = (100 * (cell % 9)) / 8 + "% " + (100 * row) / (9 * count - 1) + "%";
}

// Creates a list item per doubt, overruled cells first. `board` has the current digits; `picture` is the argument of
// `showCell`, if there is a picture; `choose` is called with a cell.
function doubtItems(doubts, { read, decoded, board, picture, choose }) {
  const isOverruled = ([cell]) => read[cell] !== decoded[cell];
  const isFirst = (a, b) => isOverruled(b) - isOverruled(a) || a[1][0][1] - b[1][0][1];
  return doubts.slice().sort(isFirst).map((doubt) => {
    const [cell, guesses] = doubt;
    const item = make("li");
    const button = make("button", "doubt");
    button.type = "button";
    button.addEventListener("click", () => choose(cell));
    const crop = make("span", "crop");
    if (picture) showCell(crop, picture, cell);
    const name = make("b", "", cellName(cell));
    const kind = "read as " + contentName(read[cell])
      + (isOverruled(doubt) ? ", overruled: " + contentName(decoded[cell]) : "");
    const lines = make("span", "guesses");
    const contents = guesses.slice();
    for (const digit of [decoded[cell], board[cell]]) {
      if (!contents.some(([known]) => known === digit)) contents.push([digit, undefined]);
    }
    for (const [digit, share] of contents) {
      const isTaken = digit === board[cell];
      const line = make("span", isTaken ? "guess taken" : "guess");
      const bar = make("span", "bar");
      bar.append(make("span"));
      bar.firstChild.style.width = 100 * (share ?? 0) + "%";
      line.append(
        make("span", "content", digit || "–"),
        bar,
        make("span", "share", share === undefined ? "< 0.5 %" : percent(share)),
        make("span", "says", isTaken ? "taken" : consequence(board, cell, digit)),
      );
      lines.append(line);
    }
    button.append(crop, name, make("span", "quiet", kind), lines);
    item.append(button);
    return item;
  });
}
