// Draws boards over the picture, in their perspective.

const COLORS = { sure: "#16a34a", unsure: "#f59e0b", other: "#64748b", digit: "#047857", hint: "#facc15" };

/** Smooths drawn lattices: small motion is damped, jumps are not. Reading does not use it. */
export class Smoother {
  #last = new Map();

  lattice({ board, lattice }) {
    const before = this.#last.get(board);
    const side = Math.hypot(lattice[18] - lattice[0], lattice[19] - lattice[1]);
    const farthest = before ? Math.max(...lattice.map((value, at) => Math.abs(value - before[at]))) : Infinity;
    const share = Math.min(1, 0.35 + (8 * farthest) / side);
    const drawn = before ? lattice.map((value, at) => before[at] + share * (value - before[at])) : lattice;
    this.#last.set(board, drawn);
    return drawn;
  }

  forget() {
    this.#last.clear();
  }
}

/** The position of the crossing at `column`, `row` of a lattice. */
const crossing = (lattice, column, row) => [lattice[2 * (10 * row + column)], lattice[2 * (10 * row + column) + 1]];

/** The corners of a cell, clockwise from its own top left. */
export function cellCorners(lattice, cell) {
  const [row, column] = [Math.floor(cell / 9), cell % 9];
  return [[column, row], [column + 1, row], [column + 1, row + 1], [column, row + 1]].map(([x, y]) => crossing(lattice, x, y));
}

/**
 * Draws boards `{ lattice, isSure, isChosen, digits, marks }` into a canvas over a picture of this size. `digits` are
 * 81 characters to draw, `.` for none; `marks` are cells to tint.
 */
export function draw(canvas, { width, height }, boards) {
  const scale = devicePixelRatio;
  canvas.width = Math.round(canvas.clientWidth * scale);
  canvas.height = Math.round(canvas.clientHeight * scale);
  const context = canvas.getContext("2d");
  const [toX, toY] = [canvas.width / width, canvas.height / height];
  for (const board of boards) {
    const lattice = board.lattice.map((value, at) => value * (at % 2 ? toY : toX));
    frame(context, lattice, board, scale);
    for (const cell of board.marks) tint(context, cellCorners(lattice, cell));
    for (let cell = 0; cell < 81; cell++) {
      if (board.digits[cell] !== ".") digit(context, cellCorners(lattice, cell), board.digits[cell]);
    }
  }
}

function frame(context, lattice, { isSure, isChosen }, scale) {
  const border = [];
  for (let at = 0; at < 9; at++) border.push([at, 0]);
  for (let at = 0; at < 9; at++) border.push([9, at]);
  for (let at = 9; at > 0; at--) border.push([at, 9]);
  for (let at = 9; at > 0; at--) border.push([0, at]);
  path(context, border.map(([column, row]) => crossing(lattice, column, row)));
  context.lineJoin = "round";
  context.strokeStyle = isChosen ? (isSure ? COLORS.sure : COLORS.unsure) : COLORS.other;
  context.lineWidth = (isChosen ? 4 : 2) * scale;
  context.stroke();
}

function tint(context, corners) {
  path(context, corners);
  context.fillStyle = COLORS.hint;
  context.globalAlpha = 0.45;
  context.fill();
  context.globalAlpha = 1;
}

function path(context, points) {
  context.beginPath();
  points.forEach(([x, y], at) => (at ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}

// A cell is small enough to approximate its perspective by a parallelogram.
function digit(context, [a, b, c, d], text) {
  const across = [(b[0] - a[0] + c[0] - d[0]) / 2, (b[1] - a[1] + c[1] - d[1]) / 2];
  const down = [(d[0] - a[0] + c[0] - b[0]) / 2, (d[1] - a[1] + c[1] - b[1]) / 2];
  const middle = [(a[0] + b[0] + c[0] + d[0]) / 4, (a[1] + b[1] + c[1] + d[1]) / 4];
  context.save();
  context.transform(across[0] / 100, across[1] / 100, down[0] / 100, down[1] / 100, ...middle);
  context.font = "700 74px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  context.lineJoin = "round";
  context.lineWidth = 10;
  context.strokeStyle = "#fff";
  context.strokeText(text, 0, 27);
  context.fillStyle = COLORS.digit;
  context.fillText(text, 0, 27);
  context.restore();
}
