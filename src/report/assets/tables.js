// Sortable and filterable tables, and chart values on touch screens. All numbers are visible without this script.
"use strict";

// Returns the sort key of a cell: its number if it has one, otherwise its text; empty cells come last.
function key(row, column) {
  const cell = row.cells[column];
  if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
  return cell.textContent.trim().toLowerCase();
}

function compare(a, b, direction) {
  if (a === "" || b === "") return (a === "") - (b === "");
  if (typeof a === "number" && typeof b === "number") return direction * (a - b);
  return direction * String(a).localeCompare(String(b), "en", { numeric: true });
}

function makeSortable(table) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    if (heading.tagName !== "TH") return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const ascending = heading.getAttribute("aria-sort") !== "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", ascending ? "ascending" : "descending");
      const body = table.tBodies[0];
      const direction = ascending ? 1 : -1;
      const rows = [...body.rows];
      rows.sort((a, b) => compare(key(a, column), key(b, column), direction));
      body.append(...rows);
    });
  });
}

function makeFilterable(table) {
  const rows = [...table.tBodies[0].rows];
  const label = document.createElement("label");
  const input = document.createElement("input");
  const count = document.createElement("output");
  const line = document.createElement("div");
  input.type = "search";
  input.placeholder = "words of a row";
  label.append("Filter ", input);
  line.className = "filter";
  line.append(label, count);
  table.parentElement.before(line);
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = [...row.cells].map((cell) => cell.textContent).join(" ").toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.value = words.length ? `${shown} of ${rows.length} rows` : "";
  });
}

// Shows the value under the pointer below each chart, since touch screens have no tooltips.
function makeReadable(figure) {
  const reading = figure.querySelector(".reading");
  const show = (event) => {
    const place = event.target.closest(".hovers rect");
    if (!place) return;
    figure.querySelector(".active")?.classList.remove("active");
    place.classList.add("active");
    reading.textContent = place.textContent;
  };
  figure.addEventListener("pointerover", show);
  figure.addEventListener("click", show);
}

document.querySelectorAll("table.sorts").forEach(makeSortable);
document.querySelectorAll("table.filters").forEach(makeFilterable);
document.querySelectorAll("figure").forEach(makeReadable);
