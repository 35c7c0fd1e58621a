// The outline of a board that was not found: four corners set by a person, and the photo flattened along them.
// Corners are [x, y] in pixels of the upright photo, clockwise from the board's own top left.
"use strict";

// Whether four corners form a convex board, in either direction.
function isConvex(corners) {
  if (corners.length !== 4) return false;
  const turns = corners.map(([ax, ay], at) => {
    const [bx, by] = corners[(at + 1) % 4], [cx, cy] = corners[(at + 2) % 4];
    return (bx - ax) * (cy - by) - (by - ay) * (cx - bx);
  });
  return turns.every((turn) => turn > 0) || turns.every((turn) => turn < 0);
}

// Sorts corners clockwise; the first one stays first.
function clockwise(corners) {
  const middle = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4);
  const angle = ([x, y]) => Math.atan2(y - middle[1], x - middle[0]);
  const first = angle(corners[0]);
  const after = (corner) => (angle(corner) - first + 4 * Math.PI) % (2 * Math.PI);
  return [corners[0], ...corners.slice(1).sort((a, b) => after(a) - after(b))];
}

// Returns the CSS transform that maps the corners to a square with this side.
function flattening(corners, side) {
  // From the unit square to the corners, after Heckbert (1989); then the inverse, by its adjugate.
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners;
  const [u1, u2, u3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [v1, v2, v3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const det = u1 * v2 - u2 * v1;
  const g = (u3 * v2 - u2 * v3) / det, h = (u1 * v3 - u3 * v1) / det;
  const [a, b, c] = [x1 - x0 + g * x1, x3 - x0 + h * x3, x0];
  const [d, e, f] = [y1 - y0 + g * y1, y3 - y0 + h * y3, y0];
  const rows = [
    [e - f * h, c * h - b, b * f - c * e],
    [f * g - d, a - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ];
  // Positive depth inside the outline: browsers hide points behind the viewer.
  const [x, y] = [0, 1].map((axis) => corners.reduce((sum, corner) => sum + corner[axis], 0) / 4);
  const depth = rows[2][0] * x + rows[2][1] * y + rows[2][2];
  const [[p, q, r], [s, t, u], [k, l, m]] = rows.map((row, at) =>
    row.map((value) => ((at < 2 ? side : 1) * value) / depth));
  return "matrix3d(" + [p, s, 0, k, q, t, 0, l, 0, 0, 1, 0, r, u, 0, m].join(",") + ")";
}

const CORNER_NAMES = ["the board's own top left", "its top right", "its bottom right", "its bottom left"];

// Creates corners that can be clicked, dragged, and moved with the arrow keys. `changed` is called with them after a
// move, `moving` while they are dragged.
function cornerEditor(frame, { changed, moving }) {
  const holder = frame.querySelector("#corners");
  const line = frame.querySelector("#edges polyline");
  let corners = [];
  let size; // of the photo; undefined if its corners cannot be edited

  const share = ([x, y]) => [(100 * x) / size[0], (100 * y) / size[1]];
  const inside = (point) => point.map((value, axis) => Math.min(Math.max(value, 0), size[axis]));
  const pointAt = (event) => {
    const { left, top, width, height } = frame.getBoundingClientRect();
    return inside([
      ((event.clientX - left) / width) * size[0], ((event.clientY - top) / height) * size[1]]);
  };

  function draw() {
    corners.forEach((corner, at) => {
      const handle = holder.children[at];
      const [x, y] = share(corner);
      handle.style.left = x + "%";
      handle.style.top = y + "%";
      handle.setAttribute("aria-label", "corner " + (at + 1) + ", " + CORNER_NAMES[at] + ": x "
        + Math.round(corner[0]) + ", y " + Math.round(corner[1]));
    });
    const closed = corners.length === 4 ? [...corners, corners[0]] : corners;
    line.setAttribute("points", closed.map((corner) => share(corner).join(",")).join(" "));
    line.parentElement.classList.toggle("crossing", corners.length === 4 && !isConvex(corners));
  }

  function handle(at) {
    const button = make("button", "corner");
    button.append(make("span", "", at + 1));
    button.type = "button";
    button.addEventListener("click", (event) => event.stopPropagation());
    button.addEventListener("pointerdown", (event) => {
      button.setPointerCapture(event.pointerId);
      button.focus();
      event.preventDefault();
    });
    button.addEventListener("pointermove", (event) => {
      if (!button.hasPointerCapture(event.pointerId)) return;
      corners = corners.with(at, pointAt(event));
      draw();
      moving(corners);
    });
    button.addEventListener("pointerup", () => changed(corners));
    button.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (!step) return;
      event.preventDefault();
      // One pixel of the screen, or ten.
      const pixel = (size[0] / frame.clientWidth) * (event.shiftKey ? 10 : 1);
      corners = corners.with(at, inside(corners[at].map((value, axis) => value + pixel * step[axis])));
      draw();
      changed(corners);
    });
    return button;
  }

  frame.addEventListener("click", (event) => {
    if (!size || corners.length === 4) return;
    corners = [...corners, pointAt(event)];
    if (corners.length === 4) corners = clockwise(corners);
    changed(corners);
  });

  return {
    // Shows corners in a photo of this size; without a size, editing is off.
    show(photo, shown) {
      size = photo;
      corners = size ? shown : [];
      frame.classList.toggle("editable", Boolean(size));
      frame.classList.toggle("open", Boolean(size) && corners.length < 4);
      while (holder.children.length > corners.length) holder.lastChild.remove();
      while (holder.children.length < corners.length) holder.append(handle(holder.children.length));
      draw();
    },
    // Returns initial corners, for users without a pointer.
    proposed() {
      const [width, height] = size, side = 0.7 * Math.min(width, height);
      const [left, top] = [(width - side) / 2, (height - side) / 2];
      return [[left, top], [left + side, top], [left + side, top + side], [left, top + side]];
    },
    focus() { holder.firstChild?.focus(); },
  };
}
