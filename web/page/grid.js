// The board as an editable grid of cells.

/** Creates the grid; calls `edit(cell, character)` when the user types a digit or a blank. */
export class Grid {
  #cells;
  #selected = 0;

  constructor(grid, pad, edit) {
    this.#cells = [];
    for (let row = 0; row < 9; row++) {
      const line = grid.appendChild(document.createElement("div"));
      line.role = "row";
      for (let column = 0; column < 9; column++) {
        const cell = line.appendChild(document.createElement("div"));
        const number = 9 * row + column;
        cell.role = "gridcell";
        cell.tabIndex = number ? -1 : 0;
        cell.addEventListener("focus", () => this.#select(number));
        this.#cells.push(cell);
      }
    }
    grid.addEventListener("keydown", (event) => this.#key(event, edit));
    // Taps on the pad type into the selected cell, which keeps its selection.
    for (const character of "123456789.") {
      const button = pad.appendChild(document.createElement("button"));
      button.type = "button";
      button.textContent = character === "." ? "⌫" : character;
      button.ariaLabel = character === "." ? "Blank" : character;
      button.addEventListener("click", () => edit(this.#selected, character));
    }
  }

  /** Shows the cells, each `{ text, kind, mark, isDoubtful }`. */
  show(cells) {
    cells.forEach(({ text, kind, mark, isDoubtful }, number) => {
      const cell = this.#cells[number];
      cell.textContent = text === "." ? "" : text;
      cell.className = [kind, mark, isDoubtful ? "doubtful" : ""].filter(Boolean).join(" ");
      const place = `row ${Math.floor(number / 9) + 1}, column ${(number % 9) + 1}`;
      const content = text === "." ? "blank" : `${text}, ${kind}`;
      cell.ariaLabel = `${place}: ${content}${isDoubtful ? ", check this cell" : ""}`;
    });
  }

  #select(number) {
    this.#cells[this.#selected].tabIndex = -1;
    this.#cells[this.#selected].removeAttribute("aria-selected");
    this.#selected = number;
    this.#cells[number].tabIndex = 0;
    this.#cells[number].setAttribute("aria-selected", "true");
  }

  #key(event, edit) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const [row, column] = [Math.floor(this.#selected / 9), this.#selected % 9];
    const places = {
      ArrowLeft: [row, Math.max(0, column - 1)],
      ArrowRight: [row, Math.min(8, column + 1)],
      ArrowUp: [Math.max(0, row - 1), column],
      ArrowDown: [Math.min(8, row + 1), column],
      Home: [row, 0],
      End: [row, 8],
    };
    const place = places[event.key];
    if (place) this.#cells[9 * place[0] + place[1]].focus();
    else if (/^[1-9]$/.test(event.key)) edit(this.#selected, event.key);
    else if (["0", ".", " ", "Backspace", "Delete"].includes(event.key)) edit(this.#selected, ".");
    else return;
    event.preventDefault();
  }
}
