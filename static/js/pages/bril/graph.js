// Draws a function's basic blocks, one below the other. An edge to a later block passes on the right, and an edge to an earlier
// block on the left. An edge to the next block may also be a straight line between the two blocks. The graph of the derivative
// has the same blocks and edges. But each block is read from its end, and each edge points in the opposite direction.

/** @typedef {import("./doc.js").BrilFunction} BrilFunction */
/** The highlighted instruction. @typedef {{name: string, block: number, position: number}} Lit */

import * as texts from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
const LANE_PX = 9;
const FIRST_LANE_PX = 8;
const ARROW_PX = 4;

export class Graph {
  /** @param {HTMLElement} place @param {"forward" | "back"} way @param {(lit: Lit | null) => void} onPoint
   * @param {(line: number) => void} onChoose */
  constructor(place, way, onPoint, onChoose) {
    this.place = place;
    this.way = way;
    this.onChoose = onChoose;
    /** @type {readonly BrilFunction[]} */
    this.functions = [];
    /** @type {Map<string, HTMLElement>} */
    this.items = new Map();
    /** @type {{blocks: HTMLElement[], after: readonly (readonly number[])[], svg: SVGSVGElement, box: HTMLElement}[]} */
    this.drawn = [];
    place.addEventListener("pointermove", (event) => onPoint(this.at(event.target)));
    place.addEventListener("pointerleave", () => onPoint(null));
    place.addEventListener("focusin", (event) => onPoint(this.at(event.target)));
    place.addEventListener("keydown", (event) => this.key(event));
    this.observer = new ResizeObserver(() => this.drawEdges());
    this.observer.observe(place);
  }

  /** @param {readonly BrilFunction[]} functions */
  show(functions) {
    if (functions === this.functions) return;
    this.functions = functions;
    this.items.clear();
    this.drawn = [];
    this.place.replaceChildren(...functions.map((one) => this.function(one)));
    const first = this.items.values().next().value;
    if (first !== undefined) first.tabIndex = 0;
    this.drawEdges();
  }

  /** @param {Lit | null} lit @param {Lit | null} current the instruction of the present step */
  light(lit, current) {
    for (const [key, element] of this.items) {
      element.classList.toggle("is-lit", lit !== null && key === keyOf(lit));
      element.classList.toggle("is-current", current !== null && key === keyOf(current));
    }
  }

  /** @private @param {BrilFunction} one @returns {HTMLElement} */
  function(one) {
    const box = document.createElement("div");
    box.className = "function";
    const head = document.createElement("p");
    head.className = "heading small";
    head.textContent = this.way === "forward" ? one.heading : texts.adjointOf(one.name);
    const svg = document.createElementNS(SVG, "svg");
    svg.setAttribute("aria-hidden", "true");
    const blocks = one.blocks.map((_, k) => this.block(one, k));
    box.append(head, svg, ...blocks);
    this.drawn.push({ blocks, after: one.blocks.map(({ after }) => after), svg, box });
    return box;
  }

  /** @private @param {BrilFunction} one @param {number} k @returns {HTMLElement} */
  block({ name, blocks }, k) {
    const { label, items, after } = blocks[k];
    const list = document.createElement("ol");
    list.className = "block";
    const to = after.map((next) => blocks[next].label || texts.FIRST_BLOCK).join(", ");
    list.setAttribute("aria-label", texts.blockLabel(label || texts.FIRST_BLOCK, to));
    if (label !== "") list.dataset.label = `.${label}`;
    const shown = items.map((item, position) => {
      const row = document.createElement("li");
      row.textContent = this.way === "forward" ? item.text : item.back;
      const key = keyOf({ name, block: k, position });
      row.dataset.key = key;
      row.dataset.line = String(item.line);
      row.tabIndex = -1;
      if (row.textContent === "") row.hidden = true;
      row.addEventListener("click", () => this.onChoose(item.line));
      this.items.set(key, row);
      return row;
    });
    list.append(...(this.way === "forward" ? shown : shown.reverse()));
    return list;
  }

  /** @private @param {EventTarget | null} target @returns {Lit | null} */
  at(target) {
    const key = target instanceof Element ? target.closest("li")?.dataset.key : undefined;
    if (key === undefined) return null;
    const [name, block, position] = key.split(" ");
    return { name, block: Number(block), position: Number(position) };
  }

  /** Responds to an arrow key, which moves the focus to the next or previous instruction. @private
   * @param {KeyboardEvent} event */
  key(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0;
    const rows = [...this.place.querySelectorAll("li:not([hidden])")];
    const at = rows.indexOf(/** @type {Element} */ (document.activeElement));
    const next = /** @type {HTMLElement | undefined} */ (rows[at + step]);
    if (event.key === "Enter" && at >= 0) this.onChoose(Number(/** @type {HTMLElement} */ (rows[at]).dataset.line));
    if (step === 0 || at < 0 || next === undefined) return;
    event.preventDefault();
    /** @type {HTMLElement} */ (rows[at]).tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }

  /** @private */
  drawEdges() {
    for (const { blocks, after, svg, box } of this.drawn) {
      svg.setAttribute("width", String(box.clientWidth));
      svg.setAttribute("height", String(box.clientHeight));
      const lanes = { right: 0, left: 0 };
      const paths = after.flatMap((targets, from) => targets.map((to, k) => this.edge(blocks, from, to, k, lanes)));
      svg.replaceChildren(...paths.flat());
    }
  }

  /** Draws the edge from one block to another. @private @param {HTMLElement[]} blocks @param {number} from @param {number} to
   * @param {number} k the number of this edge among the edges that begin at the same block
   * @param {{right: number, left: number}} lanes how many edges already pass on each side @returns {SVGElement[]} */
  edge(blocks, from, to, k, lanes) {
    const [a, b] = [blocks[from], blocks[to]];
    const isBack = to <= from;
    const y0 = a.offsetTop + a.offsetHeight - 8 - 7 * k;
    const y1 = b.offsetTop + 10;
    const next = to === from + 1 && k === 0;
    if (next) {
      const x = a.offsetLeft + a.offsetWidth / 2;
      return this.arrow(`M${x} ${a.offsetTop + a.offsetHeight} V${b.offsetTop}`, [x, a.offsetTop + a.offsetHeight, 0, 1], [x, b.offsetTop, 0, 1]);
    }
    if (isBack) {
      const x = a.offsetLeft;
      const lane = x - FIRST_LANE_PX - LANE_PX * (lanes.left++ % 3);
      return this.arrow(`M${x} ${y0} H${lane} V${y1} H${x}`, [x, y0, -1, 0], [x, y1, 1, 0]);
    }
    const x = a.offsetLeft + a.offsetWidth;
    const lane = x + FIRST_LANE_PX + LANE_PX * (lanes.right++ % 3);
    return this.arrow(`M${x} ${y0} H${lane} V${y1} H${x}`, [x, y0, 1, 0], [x, y1, -1, 0]);
  }

  /** Draws a line with an arrow head. The head is at the end of the line. In the graph of the derivative, it is at the start of
   * the line. @private @param {string} path @param {readonly number[]} start the start's x and y, and the line's direction
   * there
   * @param {readonly number[]} end the same for the end
   * @returns {SVGElement[]} */
  arrow(path, start, end) {
    const line = document.createElementNS(SVG, "path");
    line.setAttribute("d", path);
    const head = document.createElementNS(SVG, "path");
    const [x, y, dx, dy] = this.way === "forward" ? end : [start[0], start[1], -start[2], -start[3]];
    const s = ARROW_PX;
    head.setAttribute("d", `M${x} ${y} L${x - dx * 2 * s - dy * s} ${y - dy * 2 * s - dx * s} L${x - dx * 2 * s + dy * s} ${y - dy * 2 * s + dx * s} Z`);
    head.setAttribute("class", "head");
    return [line, head];
  }

  destroy() {
    this.observer.disconnect();
  }
}

/** @param {Lit} lit */
function keyOf({ name, block, position }) {
  return `${name} ${block} ${position}`;
}
