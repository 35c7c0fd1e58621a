// Counts the solutions of a board, up to two, by backtracking on the cell, or the digit in a house, with the fewest
// candidates. A board is an array of 81 numbers, 0 for a blank. Returns 0, 1, 2, or null if the limit of nodes was
// reached first.
"use strict";

const HOUSES_OF = Array.from({ length: 81 }, (_, cell) => {
  const row = Math.floor(cell / 9), column = cell % 9;
  const block = Math.floor(row / 3) * 3 + Math.floor(column / 3);
  return [row, 9 + column, 18 + block];
});

const CELLS_OF = Array.from({ length: 27 }, (_, house) =>
  HOUSES_OF.map((houses, cell) => (houses.includes(house) ? cell : -1)).filter((cell) => cell >= 0));
const DIGIT_BITS = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digit) => 1 << digit);

// Returns the cells with the same digit as another cell of a house.
function conflicts(board) {
  const found = new Set();
  for (let a = 0; a < 81; a++) {
    for (let b = a + 1; b < 81; b++) {
      const equal = board[a] !== 0 && board[a] === board[b];
      if (equal && HOUSES_OF[a].some((house, i) => house === HOUSES_OF[b][i])) {
        found.add(a).add(b);
      }
    }
  }
  return found;
}

function countSolutions(board, limit = 20000) {
  if (conflicts(board).size > 0) return 0;
  // The placed digits of each house, one bit each.
  const placed = new Array(27).fill(0);
  const cells = board.slice();
  const put = (cell, bit) => HOUSES_OF[cell].forEach((house) => { placed[house] ^= bit; });
  cells.forEach((digit, cell) => { if (digit) put(cell, 1 << digit); });
  let nodes = 0, found = 0;
  const free = (cell) => {
    const [row, column, block] = HOUSES_OF[cell];
    return ~(placed[row] | placed[column] | placed[block]) & 0x3fe;
  };
  const size = (bits) => { let n = 0; for (; bits; bits &= bits - 1) n++; return n; };
  // The smallest set of branches, [cell, digit bit] each, of one cell or of one digit in a house.
  const choices = () => {
    let best = null;
    const open = new Array(81).fill(0);
    for (let cell = 0; cell < 81; cell++) {
      if (cells[cell]) continue;
      open[cell] = free(cell);
      const count = size(open[cell]);
      if (!best || count < best.length) {
        best = DIGIT_BITS.filter((bit) => open[cell] & bit).map((bit) => [cell, bit]);
      }
      if (count === 0) return best;
    }
    if (!best || best.length === 1) return best;
    for (let house = 0; house < 27; house++) {
      for (const bit of DIGIT_BITS) {
        if (placed[house] & bit) continue;
        const places = CELLS_OF[house].filter((cell) => open[cell] & bit);
        if (places.length < best.length) best = places.map((cell) => [cell, bit]);
        if (best.length < 2) return best;
      }
    }
    return best;
  };
  const search = () => {
    if (++nodes > limit) return;
    const ways = choices();
    if (!ways) { found++; return; }
    for (const [cell, bit] of ways) {
      if (found >= 2 || nodes > limit) return;
      cells[cell] = 1;
      put(cell, bit);
      search();
      put(cell, bit);
      cells[cell] = 0;
    }
  };
  search();
  return found >= 2 || nodes <= limit ? found : null;
}
