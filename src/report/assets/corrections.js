// The corrections of a run: stored in this browser, undone, exported as CSV and imported. Needs corners.js.
//
// A correction is `{ cells }`, the 81 digits (0 is a blank), for a board that was found; `{ corners, cells }` for a
// board that was not found; or `{ none: true }` for a photo without a board. Corrections are immutable.
"use strict";

const lineOf = (cells) => cells.map((digit) => digit || ".").join("");
const cellsOf = (line) => Array.from(line, (c) => (c === "." ? 0 : Number(c)));

// Parses the cells of a board: digits, and `.` or `0` for blanks, with any spaces. Throws an error for other text.
function parseBoard(text) {
  const cells = text.replace(/\s+/g, "");
  const other = cells.match(/[^0-9.]/u);
  if (other) throw new Error("“" + other[0] + "” is neither a digit nor a blank (. or 0)");
  if (cells.length !== 81) {
    throw new Error((cells.length === 1 ? "1 cell" : cells.length + " cells") + ", and a board has 81");
  }
  return cellsOf(cells);
}

// Parses the corners of a board in a photo of this size: eight numbers. Throws an error if they are invalid.
function parseCorners(text, [width, height]) {
  const numbers = text.trim().split(/\s+/).map(Number);
  if (numbers.length !== 8 || !numbers.every(Number.isFinite)) {
    throw new Error("the corners are not eight numbers, x and y of each");
  }
  const corners = [0, 2, 4, 6].map((at) => [numbers[at], numbers[at + 1]]);
  if (!isConvex(corners)) throw new Error("the corners are not those of a convex board");
  const outside = corners.find(([x, y]) => x < 0 || y < 0 || x > width || y > height);
  if (outside) throw new Error("the corner " + outside.join(" ") + " lies outside the photo");
  return clockwise(corners);
}

// Parses a CSV file into rows, each with its first line and its fields.
function csvRows(text) {
  const rows = [];
  let fields = [], field = "", quoted = false, line = 1, first = 1;
  const end = () => {
    fields.push(field);
    if (fields.length > 1 || field !== "") rows.push({ line: first, fields });
    fields = [];
    field = "";
  };
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === "\n") line++;
    if (quoted) {
      if (c !== '"') field += c;
      else if (text[at + 1] === '"') field += text[++at];
      else quoted = false;
    } else if (c === '"' && field === "") quoted = true;
    else if (c === ",") { fields.push(field); field = ""; }
    else if (c === "\n") { end(); first = line; }
    else if (c !== "\r") field += c;
  }
  end();
  return rows;
}

// As in results.csv: a spreadsheet must not treat a name as a formula.
const csvField = (text) => {
  const plain = /^[=+\-@]/.test(text) ? "'" + text : text;
  return /[",\r\n]/.test(plain) ? '"' + plain.replaceAll('"', '""') + '"' : plain;
};

class Corrections {
  // Loads the corrections of the boards of a page from this browser. `onChange` is called with the indices of boards
  // whose correction has changed.
  constructor({ boards, folder, root, settings }, onChange) {
    this.boards = boards;
    this.folder = folder;
    this.onChange = onChange;
    this.prefix = ["sudoku-batch corrections", new URL(root, location.href).href, settings, ""].join("\n");
    this.known = new Map(); // index of a board -> its correction
    this.history = []; // steps to undo: [[index, previous correction], …]
    this.isStored = true; // false once the browser has refused to store something
    this.indices = new Map(boards.map((board, index) => [this.keyOf(board), index]));
    boards.forEach((board, index) => this.recall(index));
    addEventListener("storage", ({ key }) => {
      const index = this.indices.get(key);
      if (index === undefined) return;
      this.recall(index);
      onChange([index]);
    });
  }

  get(index) { return this.known.get(index); }
  has(index) { return this.known.has(index); }

  // Whether a correction is complete: an outlined board needs four corners and digits.
  isDone(index) {
    const correction = this.get(index);
    if (!correction?.corners) return correction !== undefined;
    return correction.corners.length === 4 && isConvex(correction.corners) && correction.cells.some(Boolean);
  }

  // Replaces corrections, `undefined` to remove them, as one undo step.
  change(entries) {
    this.history.push(entries.map(([index]) => [index, this.get(index)]));
    this.put(entries);
  }

  // Undoes the last step; returns the indices of its boards, or none if there is no step.
  undo() {
    const entries = this.history.pop() ?? [];
    this.put(entries);
    return entries.map(([index]) => index);
  }

  startOver() { this.change([...this.known.keys()].map((index) => [index, undefined])); }

  put(entries) {
    for (const [index, correction] of entries) {
      if (correction) this.known.set(index, correction); else this.known.delete(index);
      this.store(index, correction);
    }
    this.onChange(entries.map(([index]) => index));
  }

  keyOf(board) { return this.prefix + this.folder + board.name + "\n" + board.puzzle; }

  // Distinguishes a photo from another one with the same name: pictures are named by the content of their photo.
  photoOf(board) { return (board.thumbnail ?? "").split("/").pop(); }

  store(index, correction) {
    const board = this.boards[index], key = this.keyOf(board);
    try {
      if (correction) {
        const cells = correction.cells && lineOf(correction.cells);
        localStorage.setItem(key, JSON.stringify({ ...correction, cells, photo: this.photoOf(board) }));
      } else {
        localStorage.removeItem(key);
      }
    } catch {
      this.isStored = false;
    }
  }

  recall(index) {
    const board = this.boards[index];
    this.known.delete(index);
    try {
      const stored = JSON.parse(localStorage.getItem(this.keyOf(board)));
      if (!stored || stored.photo !== this.photoOf(board)) return;
      const { none, corners } = stored;
      this.known.set(index, none ? { none } : {
        ...(corners && { corners }), cells: parseBoard(stored.cells),
      });
    } catch {
      // Nothing is stored, or it is unreadable: the board has no correction.
    }
  }

  // Returns corrections.csv with all complete corrections.
  toCsv() {
    const done = [...this.known.keys()].filter((index) => this.isDone(index)).sort((a, b) => a - b);
    const rows = done.map((index) => {
      const { name, puzzle } = this.boards[index];
      const { cells, corners, none } = this.get(index);
      const number = corners ? 1 : puzzle;
      const places = (corners ?? []).flat().map((value) => value.toFixed(1)).join(" ");
      return [csvField(this.folder + name), number, none ? "none" : lineOf(cells), places].join(",") + "\n";
    });
    return "photo,puzzle,givens,corners\n" + rows.join("");
  }

  // Imports a corrections.csv. Returns the number of boards, and the skipped lines with reasons.
  load(text) {
    const [header, ...rows] = csvRows(text.replace(/^\uFEFF/, ""));
    const column = (name) => header?.fields.findIndex((field) => field.trim() === name) ?? -1;
    const places = ["photo", "puzzle", "givens", "corners"].map(column);
    if (places.slice(0, 3).includes(-1)) {
      return { count: 0, wrong: ["line 1: the columns photo,puzzle,givens are not all there"] };
    }
    const taken = new Map(); // index of a board -> its line and text
    const wrong = [], entries = [];
    for (const { line, fields } of rows) {
      try {
        const [photo, ...rest] = places.map((at) => fields[at] ?? "");
        const [puzzle, givens, corners] = rest.map((field) => field.trim());
        const [index, correction] = this.fromRow(photo, puzzle, givens, corners);
        const content = givens + " " + corners, other = taken.get(index);
        if (other && other.content !== content) {
          throw new Error("line " + other.line + " says something else of this board");
        }
        if (!other) entries.push([index, correction]);
        taken.set(index, { line, content });
      } catch (error) {
        wrong.push("line " + line + ": " + error.message);
      }
    }
    if (entries.length) this.change(entries);
    return { count: entries.length, wrong };
  }

  fromRow(photo, puzzle, givens, corners) {
    const name = photo.replace(/^'(?=[=+\-@])/, "");
    const at = (number) => this.indices.get(this.prefix + name + "\n" + number);
    if (givens !== "none" && !corners) {
      const index = at(puzzle);
      if (index === undefined || !this.boards[index].givens) {
        throw new Error("this page has no board " + puzzle + " of a photo " + name);
      }
      return [index, { cells: parseBoard(givens) }];
    }
    const index = at(0);
    if (index === undefined) throw new Error("this page has no photo " + name + " without a board");
    if (givens === "none") return [index, { none: true }];
    const { large } = this.boards[index];
    if (!large) throw new Error("there is no large photo of " + name);
    return [index, { corners: parseCorners(corners, large.slice(1)), cells: parseBoard(givens) }];
  }
}
