// Shows the lines of a listing. If you choose a line, the page highlights the place in the program that the line comes from.
// One line at a time is active, and the keys move from line to line as in a list box. At first, each function of the library is
// folded into one line.

import * as texts from "./texts.js";
import { byPlace } from "./provenance.js";

/** @typedef {import("./provenance.js").Row} Row */
/** @typedef {{lines: readonly string[], rows: readonly Row[], folds: readonly (readonly [number, number])[], more: number}} Content */
/** Functions that the listing calls. They get the places in the program that a line comes from. `onPick`: called when you
 * choose a line. `onHover`: called when the pointer is on a line; gets null when the pointer leaves the listing.
 * @typedef {{onPick: (places: readonly number[]) => void, onHover: (places: readonly number[] | null) => void}} ListingEvents */

const PAGE_LINES = 10;
/** We show at most LONGEST_LINE characters of a line. If a listing has more than MOST_CHARACTERS characters, we cut its lines
 * shorter. */
const LONGEST_LINE = 2000;
const MOST_CHARACTERS = 1_000_000;
/** To find the name of a folded function, we read at most this many characters of the function's first line. */
const LONGEST_NAME = 200;
/** When the listing scrolls to the first line that comes from the program, this many lines above it stay visible. */
const HEAD_LINES = 5;

export class Listing {
  /** @param {HTMLElement} root @param {ListingEvents} events */
  constructor(root, events) {
    this.root = root;
    this.events = events;
    /** @type {Content} */
    this.content = { lines: [], rows: [], folds: [], more: 0 };
    /** The HTML element of each line. For a folded line, this is the element of the fold. @type {HTMLElement[]} */
    this.elements = [];
    /** @type {Map<number, Row[]>} */
    this.rowsOf = new Map();
    /** @type {HTMLElement[]} */
    this.lit = [];
    /** @type {Set<number>} open folds, by their first line */
    this.open = new Set();
    /** @type {HTMLElement | null} */
    this.active = null;
    root.addEventListener("click", (event) => this.pick(lineOf(event.target)));
    root.addEventListener("pointerover", (event) => {
      if (event.pointerType === "mouse") this.hover(lineOf(event.target));
    });
    root.addEventListener("pointerleave", () => events.onHover(null));
    root.addEventListener("keydown", (event) => this.key(event));
  }

  /** @param {Content} content */
  show(content) {
    this.content = content;
    this.open.clear();
    this.draw();
    // A module begins with parts that all modules share. We scroll past them to the first line that comes from the program.
    const first = this.elements.find((element) => element?.classList.contains("has-place"));
    this.root.scrollTop = first === undefined ? 0 : Math.max(0, first.offsetTop - HEAD_LINES * first.offsetHeight);
  }

  /** @param {ReadonlySet<number>} places @param {boolean} reveal whether to scroll to the first lit line */
  light(places, reveal) {
    for (const element of this.lit) element.classList.remove("is-lit", "is-derived");
    this.lit = [];
    for (const place of places) {
      for (const row of this.rowsOf.get(place) ?? []) {
        const element = this.elements[row.line];
        if (element === undefined) continue;
        element.classList.add("is-lit");
        element.classList.toggle("is-derived", row.order > 0);
        this.lit.push(element);
      }
    }
    if (reveal) this.reveal();
  }

  /** @private */
  reveal() {
    const box = this.root;
    const isSeen = (/** @type {HTMLElement} */ element) =>
      element.offsetTop >= box.scrollTop && element.offsetTop + element.offsetHeight <= box.scrollTop + box.clientHeight;
    if (this.lit.length === 0 || this.lit.some(isSeen)) return;
    const first = this.lit.reduce((a, b) => (b.offsetTop < a.offsetTop ? b : a));
    box.scrollTop = first.offsetTop - 2 * first.offsetHeight;
  }

  /** @private */
  draw() {
    const { lines, rows, folds, more } = this.content;
    const placed = new Map(rows.map((row) => [row.line, row]));
    this.rowsOf = byPlace(rows);
    this.elements = [];
    this.lit = [];
    this.active = null;
    const children = [];
    const folded = new Map(folds.map((fold) => [fold[0], fold]));
    const longest = longestOf(lines);
    for (let line = 0; line < lines.length; line++) {
      const fold = folded.get(line);
      if (fold !== undefined && !this.open.has(line)) {
        children.push(this.foldElement(fold));
        line = fold[1];
      } else {
        const element = this.element(line, shortened(lines[line], longest));
        if (fold !== undefined) element.dataset.fold = String(line);
        const row = placed.get(line);
        if (row !== undefined) element.classList.add("has-place");
        if (row !== undefined && row.order > 0) element.classList.add("of-derivative");
        children.push(element);
      }
    }
    if (more !== 0) children.push(this.element(-1, texts.moreLines(more)));
    this.root.replaceChildren(...children);
    this.root.removeAttribute("aria-activedescendant");
  }

  /** @private @param {number} line @param {string} text */
  element(line, text) {
    const element = document.createElement("div");
    element.role = "option";
    element.ariaSelected = "false";
    element.id = `${this.root.id}-${line}`;
    element.dataset.line = String(line);
    element.textContent = text === "" ? "\u00a0" : text;
    if (line >= 0) this.elements[line] = element;
    return element;
  }

  /** @private @param {readonly [number, number]} fold */
  foldElement([first, last]) {
    const name = this.content.lines[first].slice(0, LONGEST_NAME).trim().split(" ")[1] ?? "";
    const element = this.element(first, texts.foldedFunction(name, last - first + 1));
    element.dataset.fold = String(first);
    element.classList.add("is-fold");
    return element;
  }

  /** @private @param {HTMLElement | null} element */
  pick(element) {
    if (element === null || !this.root.contains(element)) return;
    const { fold } = element.dataset;
    if (fold !== undefined) this.toggle(Number(fold));
    else {
      this.activate(element);
      this.events.onPick(this.placesOf(element));
    }
  }

  /** @private @param {number} first */
  toggle(first) {
    if (!this.open.delete(first)) this.open.add(first);
    const { scrollTop } = this.root;
    this.draw();
    this.root.scrollTop = scrollTop;
    this.activate(this.elements[first]);
  }

  /** @private @param {HTMLElement | null} element */
  hover(element) {
    this.events.onHover(element === null ? null : this.placesOf(element));
  }

  /** @private @param {HTMLElement} element @returns {number[]} */
  placesOf(element) {
    const line = Number(element.dataset.line);
    return [...new Set(this.content.rows.filter((row) => row.line === line).map((row) => row.place))];
  }

  /** @private @param {HTMLElement} element */
  activate(element) {
    this.active?.classList.remove("is-active");
    if (this.active !== null) this.active.ariaSelected = "false";
    this.active = element;
    element.classList.add("is-active");
    element.ariaSelected = "true";
    this.root.setAttribute("aria-activedescendant", element.id);
  }

  /** @private @param {KeyboardEvent} event */
  key(event) {
    const shown = /** @type {HTMLElement[]} */ ([...this.root.children]);
    if (shown.length === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = this.active === null ? -1 : shown.indexOf(this.active);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE_LINES, PageUp: -PAGE_LINES, Home: -shown.length, End: shown.length };
    const step = /** @type {Record<string, number>} */ (steps)[event.key];
    if (step !== undefined) {
      const next = shown[Math.max(0, Math.min(at + step, shown.length - 1))];
      this.activate(next);
      next.scrollIntoView({ block: "nearest" });
      this.events.onPick(this.placesOf(next));
    } else if ((event.key === "Enter" || event.key === " ") && this.active !== null) {
      this.pick(this.active);
    } else {
      return;
    }
    event.preventDefault();
  }
}

/** @param {readonly string[]} lines @returns {number} how many characters of a line are shown */
export function longestOf(lines) {
  const characters = lines.reduce((sum, { length }) => sum + Math.min(length, LONGEST_LINE), 0);
  return characters <= MOST_CHARACTERS ? LONGEST_LINE : Math.floor(MOST_CHARACTERS / lines.length);
}

/** @param {string} line @param {number} longest @returns {string} the line, or its beginning and how many characters are left out */
export function shortened(line, longest) {
  return line.length <= longest ? line : `${line.slice(0, longest)}${texts.moreCharacters(line.length - longest)}`;
}

/** @param {EventTarget | null} target @returns {HTMLElement | null} the line that contains it */
function lineOf(target) {
  return target instanceof Element ? target.closest("[data-line]") : null;
}
