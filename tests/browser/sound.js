// Rules for every page. Each function returns a list of problems.
"use strict";

const all = (selector) => [...document.querySelectorAll(selector)];
const isVisible = (element) => element.checkVisibility({ visibilityProperty: true });
const words = (element) => element.textContent.trim().replace(/\s+/g, " ").slice(0, 60);
const called = (element) => {
  const id = element.id && "#" + element.id;
  const classes = [...element.classList].map((name) => "." + name).join("");
  return element.tagName.toLowerCase() + id + classes + " “" + words(element) + "”";
};
const complain = (selector, isWrong) => all(selector).filter(isWrong).map(called);

const tablesWithoutName = () => complain("table", (table) =>
  !(table.caption && words(table.caption)) && !table.ariaLabel && !table.hasAttribute("aria-labelledby"));

const headsWithoutScope = () => complain("table:not([role=grid]) th", (th) => !th.scope);

const picturesWithoutWords = () => [
  ...complain("img", (image) => !image.hasAttribute("alt")),
  ...complain("svg", (svg) => svg.ariaHidden !== "true" && !svg.ariaLabel
    && !svg.querySelector(":scope > title")),
];

const brokenPictures = () => all("img").filter((image) =>
  image.getAttribute("src") && image.complete && image.naturalWidth === 0).map((image) => image.src);

const controlsWithoutName = () => [
  ...complain("button, summary, a[href]", (it) => !words(it) && !it.ariaLabel && !it.querySelector("img[alt]")),
  ...complain("input, select, textarea", (it) => it.labels.length === 0 && !it.ariaLabel),
];

const idsTwice = () => {
  const ids = all("[id]").map((element) => element.id);
  return ids.filter((id, place) => ids.indexOf(id) !== place);
};

// The first heading is the only h1, and no level is skipped.
const headingsOutOfOrder = () => {
  const headings = all("h1, h2, h3, h4, h5, h6").filter(isVisible);
  const level = (heading) => Number(heading.tagName[1]);
  return headings.filter((heading, place) =>
    place === 0 ? level(heading) !== 1
    : level(heading) === 1 || level(heading) > level(headings[place - 1]) + 1).map(called);
};

// Red, green and blue from 0 to 255, and alpha from 0 to 1.
// `rgb(r, g, b)` and `rgba(r, g, b, a)` go to 255, `color(srgb r g b / a)` to 1.
const rgba = (colour) => {
  const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
  return [r, g, b].map((value) => (colour.startsWith("color") ? 255 * value : value)).concat(a);
};
const over = (front, back) =>
  [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
const background = (element) => {
  const own = rgba(getComputedStyle(element).backgroundColor);
  if (own[3] === 1) return own;
  return over(own, element.parentElement ? background(element.parentElement) : [255, 255, 255, 1]);
};
// Relative luminance and contrast as defined by WCAG 2.
const luminance = (colour) => {
  const [r, g, b] = colour.slice(0, 3).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const contrast = (element) => {
  const ground = background(element);
  const ink = over(rgba(getComputedStyle(element).color), ground);
  const [low, high] = [luminance(ink), luminance(ground)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const paleTexts = () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const elements = new Set();
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const isText = walker.currentNode.data.trim() && isVisible(element);
    if (isText && !element.closest("svg, option, :disabled")) elements.add(element);
  }
  const pale = [...elements].filter((element) => contrast(element) < 4.5);
  return pale.map((element) => contrast(element).toFixed(2) + ": " + called(element));
};
const paperLuminance = () => luminance(background(document.body));

// Elements that overflow a narrow screen outside of a scrollable part.
const tooWide = () => {
  const limit = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= limit) return [];
  const scrolls = (element) => element && element !== document.body
    && (["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX)
      || scrolls(element.parentElement));
  const wide = all("body *").filter((element) => isVisible(element)
    && element.getBoundingClientRect().right > limit + 0.5 && !scrolls(element.parentElement));
  return ["the page is " + document.documentElement.scrollWidth + " wide", ...wide.map(called)];
};

// Controls that cannot be tapped after scrolling to them.
const outOfReach = () => {
  const dialog = document.querySelector("dialog[open]");
  const controls = [...(dialog ?? document).querySelectorAll("button, summary, select, input, a[href]")];
  const reached = (control) => {
    control.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { x, y, width, height } = control.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    return top && (control.contains(top) || top.contains(control));
  };
  return controls.filter((control) => isVisible(control) && !control.disabled && !reached(control)).map(called);
};

// Elements that must also be visible in print.
const essentials = () => all("h1, h2, h3, table, tbody tr, figure, svg, img, .tile, .card").filter(isVisible);
// Colored marks without text: browsers do not print backgrounds unless requested.
const unprinted = () => complain("body *", (element) => isVisible(element) && !element.closest("svg, button")
  && element.childNodes.length === 0 && rgba(getComputedStyle(element).backgroundColor)[3] > 0
  && !["IMG", "INPUT", "SELECT"].includes(element.tagName)
  && getComputedStyle(element).printColorAdjust !== "exact");
const cutOff = () => complain(".wide", (part) => isVisible(part) && part.scrollWidth > part.clientWidth + 1);
