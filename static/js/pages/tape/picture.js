// Draws the graph of a tape: a button for each row, and lines between them along which values and cotangents travel.

/** @typedef {import("./steps.js").Moment} Moment */
/** @typedef {import("./steps.js").Mode} Mode */
/** @typedef {import("./steps.js").TapeArtifact} TapeArtifact */
/** @typedef {import("./layers.js").Spot} Spot */
/** @typedef {{path: SVGPathElement, label: SVGTextElement}} Edge */
/** The elements of a box that shows a row of the tape. `value` and `slope`: the row's numbers. `saysValue` and `saysSlope`:
 * texts for screen readers that say what these numbers are.
 * @typedef {Record<"saysValue" | "value" | "saysSlope" | "slope", HTMLElement> & {element: HTMLButtonElement}} Box */
/**
 * Everything that the picture of a tape shows.
 * @typedef {object} TapeScene
 * @property {TapeArtifact} tape
 * @property {ArrayLike<number>} numbers all numbers that the tape computes
 * @property {Moment} moment
 * @property {Mode} mode
 * @property {number} chosen the number of the chosen node
 * @property {number | null} share the progress of the present step, from 0 to 1; null while the tape is paused
 */

import { clamp, format, formatShort } from "../../model/numbers.js";
import { layersOf } from "./layers.js";
import { nameElement, operationElements } from "./operation.js";
import { edgesOf, numberAt, sumOf } from "./steps.js";
import * as texts from "./texts.js";

const SVG = "http://www.w3.org/2000/svg";
/** The sizes of a box in pixels. `width`: the largest width, unless a row's name is wider. `least`: the smallest width.
 * `height`: the height if the names fit into one line. `tall`: the height if a name needs two lines. */
const BOX = { width: 104, least: 82, height: 76, tall: 90 };
/** Padding and border beside a name. */
const BESIDE_NAME = 12;
const BETWEEN_LAYERS = { least: 22, most: 84 };
/** The horizontal space between two layers, in pixels. A number is shown there, in small digits if the space is less than
 * `enough`. */
const ROOM_FOR_NUMBER = { least: 54, enough: 72 };
const BETWEEN_BOXES = { least: 8, most: 40 };
const PADDING = 6;
const DOT_PX = 5;

export class TapePicture {
  /** @param {HTMLElement} place with an svg and a place for boxes @param {(node: number) => void} onChoose
   * @param {() => void} onResize */
  constructor(place, onChoose, onResize) {
    this.place = place;
    this.svg = /** @type {SVGSVGElement} */ (place.querySelector("svg"));
    this.boxesPlace = /** @type {HTMLElement} */ (place.querySelector(".boxes"));
    this.onChoose = onChoose;
    /** @type {TapeArtifact | null} */
    this.tape = null;
    /** @type {Box[]} */
    this.boxes = [];
    /** Keyed by from, to and operand. @type {Map<string, Edge>} */
    this.edges = new Map();
    /** The layer for the numbers that move along the lines. It is above the boxes. */
    this.labels = document.createElementNS(SVG, "svg");
    this.labels.setAttribute("class", "numbers");
    this.labels.setAttribute("aria-hidden", "true");
    this.boxesPlace.after(this.labels);
    this.dots = document.createElementNS(SVG, "g");
    this.dots.setAttribute("class", "dots");
    this.widthPx = 0;
    /** The row of the step shown last. */
    this.stage = -1;
    this.observer = new ResizeObserver(onResize);
    this.observer.observe(place);
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
  }

  /** @param {TapeScene} scene */
  draw(scene) {
    const { tape, moment } = scene;
    const widthPx = this.place.clientWidth;
    const isNew = tape !== this.tape || widthPx !== this.widthPx;
    if (isNew) this.lay(tape, widthPx);
    const stage = this.stageOf(scene);
    if (isNew || stage !== this.stage) this.reveal(stage);
    this.stage = stage;
    tape.nodes.forEach((_, node) => this.fill(scene, node));
    const active = edgesOf(tape, moment.step);
    const direction = moment.step.kind === "back" ? "is-back" : "is-forward";
    for (const { path, label } of this.edges.values()) {
      path.classList.remove("is-back", "is-forward");
      setText(label, "");
    }
    this.dots.replaceChildren();
    for (const { from, to, operand } of active) {
      const [start, end] = moment.step.kind === "back" ? [to, from] : [from, to];
      const edge = this.edges.get(`${start} ${end} ${operand}`);
      if (edge === undefined) continue;
      edge.path.classList.add(direction);
      this.label(scene, edge, end, operand);
      this.travel(scene, edge);
    }
  }

  /** The row of the present step. @private @param {TapeScene} scene @returns {number} */
  stageOf({ tape, moment: { step } }) {
    if (step.kind === "inputs") return 0;
    return step.kind === "seed" ? tape.result : step.node;
  }

  /** Scrolls sideways to a row's box, if the box is not visible. @private @param {number} node */
  reveal(node) {
    const box = this.boxes[node].element.getBoundingClientRect();
    const place = this.place.getBoundingClientRect();
    if (box.left >= place.left && box.right <= place.right) return;
    this.place.scrollLeft += (box.left + box.right - place.left - place.right) / 2;
  }

  /** Shows the number that moves along an edge: a contribution to a cotangent or to a tangent. @private
   * @param {TapeScene} scene @param {Edge} edge @param {number} user the row that uses the operand
   * @param {number} operand the operand's index in that row */
  label({ tape, numbers, moment, mode }, { label }, user, operand) {
    const given = tape.nodes[user].operands[operand];
    if (!("node" in given)) return;
    label.classList.toggle("is-slope", mode !== "values");
    if (moment.step.kind === "back") {
      const contribution = tape.nodes[given.node].contributions.find((one) => one.user === user && one.operand === operand);
      if (contribution !== undefined) setText(label, format(numberAt(numbers, contribution.term)));
    } else if (mode === "tangents") {
      setText(label, format(numberAt(numbers, given.share)));
    }
  }

  /** Draws the dot that moves along an edge while the tape plays. @private @param {TapeScene} scene
   * @param {Edge} edge */
  travel({ moment, share, mode }, { path }) {
    if (share === null || this.still.matches) return;
    const length = path.getTotalLength();
    const { x, y } = path.getPointAtLength(length * (moment.step.kind === "back" ? 1 - share : share));
    const dot = document.createElementNS(SVG, "circle");
    dot.setAttribute("cx", x.toFixed(1));
    dot.setAttribute("cy", y.toFixed(1));
    dot.setAttribute("r", String(DOT_PX));
    dot.setAttribute("class", moment.step.kind === "back" || mode === "tangents" ? "is-slope" : "");
    this.dots.append(dot);
  }

  /** Arranges the boxes and the lines between them. They go from left to right if there is enough room, and else from top to
   * bottom.
   * @private @param {TapeArtifact} tape @param {number} widthPx */
  lay(tape, widthPx) {
    this.widthPx = widthPx;
    if (tape !== this.tape) this.make(tape);
    const graph = layersOf(tape.nodes.map(({ operands }) => operands.map((operand) => ("node" in operand ? operand.node : null))));
    const inRow = (/** @type {number} */ count, /** @type {number} */ between) =>
      Math.floor((widthPx - 2 * PADDING + between) / count - between);
    const named = this.widestName() + BESIDE_NAME;
    const isAcross = inRow(graph.layers, ROOM_FOR_NUMBER.least) >= BOX.least;
    const most = isAcross ? inRow(graph.layers, ROOM_FOR_NUMBER.least) : inRow(graph.most, BETWEEN_BOXES.least);
    const boxWidth = clamp(most, BOX.least, Math.max(BOX.width, named));
    const boxHeight = boxWidth < named ? BOX.tall : BOX.height;
    this.boxesPlace.classList.toggle("is-tall", boxWidth < named);
    const [along, beside] = isAcross ? [boxWidth, boxHeight] : [boxHeight, boxWidth];
    const room = isAcross ? (widthPx - 2 * PADDING - graph.layers * along) / Math.max(1, graph.layers - 1) : BETWEEN_LAYERS.least + 14;
    const pitch = along + clamp(room, BETWEEN_LAYERS.least, BETWEEN_LAYERS.most);
    this.place.classList.toggle("is-tight", isAcross && room < ROOM_FOR_NUMBER.enough);
    const roomBeside = isAcross ? BETWEEN_BOXES.most : (widthPx - 2 * PADDING - graph.most * beside) / Math.max(1, graph.most - 1);
    const pitchBeside = beside + clamp(roomBeside, BETWEEN_BOXES.least, BETWEEN_BOXES.most);
    const length = (graph.layers - 1) * pitch + along + 2 * PADDING;
    const breadth = (graph.most - 1) * pitchBeside + beside + 2 * PADDING;
    const middle = Math.max(breadth, isAcross ? 0 : widthPx) / 2;
    const shift = isAcross ? Math.max(0, (widthPx - length) / 2) : 0;
    const centre = (/** @type {Spot} */ { layer, at }) => {
      const a = shift + PADDING + along / 2 + layer * pitch;
      const b = middle + at * pitchBeside;
      return isAcross ? /** @type {const} */ ([a, b]) : /** @type {const} */ ([b, a]);
    };
    const [width, height] = isAcross ? [Math.max(length, widthPx), breadth] : [Math.max(breadth, widthPx), length];
    for (const svg of [this.svg, this.labels]) {
      svg.setAttribute("width", String(width));
      svg.setAttribute("height", String(height));
    }
    this.boxesPlace.style.width = `${width}px`;
    this.boxesPlace.style.height = `${height}px`;
    graph.spots.forEach((spot, node) => {
      const [x, y] = centre(spot);
      const { style } = this.boxes[node].element;
      style.width = `${boxWidth}px`;
      style.height = `${boxHeight}px`;
      style.transform = `translate(${(x - boxWidth / 2).toFixed(1)}px, ${(y - boxHeight / 2).toFixed(1)}px)`;
    });
    this.join(graph.routes, centre, along / 2, isAcross);
  }

  /** @private @returns {number} the width of the longest name on one line, in pixels */
  widestName() {
    this.boxesPlace.classList.remove("is-tall");
    const range = document.createRange();
    return Math.max(...this.boxes.map(({ element }) => {
      range.selectNodeContents(/** @type {HTMLElement} */ (element.firstElementChild));
      return Math.ceil(range.getBoundingClientRect().width);
    }));
  }

  /** @private @param {TapeArtifact} tape */
  make(tape) {
    this.tape = tape;
    this.boxes = tape.nodes.map((node, k) => {
      const element = document.createElement("button");
      element.type = "button";
      element.className = "box";
      element.dataset.node = node.name;
      element.classList.toggle("is-input", node.op === "input");
      const [name, value, slope] = ["name", "value", "slope"].map((kind) => {
        const part = document.createElement("span");
        part.className = `box-${kind}`;
        return part;
      });
      const [saysValue, saysSlope] = ["heard", "heard"].map((kind) => {
        const part = document.createElement("span");
        part.className = kind;
        return part;
      });
      element.append(name, saysValue, value, saysSlope, slope);
      if (node.op === "input") name.append(nameElement(node.name));
      else name.append(nameElement(node.name), " = ", ...operationElements(tape.nodes, k));
      element.addEventListener("click", () => this.onChoose(k));
      return { element, saysValue, value, saysSlope, slope };
    });
    this.boxesPlace.replaceChildren(...this.boxes.map(({ element }) => element));
  }

  /** Draws the lines between the boxes. @private @param {readonly import("./layers.js").Route[]} routes
   * @param {(spot: Spot) => readonly [number, number]} centre returns the pixel coordinates of a position in the graph
   * @param {number} reach the distance from a box's middle to its side @param {boolean} isAcross true from left to right */
  join(routes, centre, reach, isAcross) {
    this.edges.clear();
    this.svg.replaceChildren();
    this.labels.replaceChildren();
    for (const { from, to, operand, through } of routes) {
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("class", "edge");
      const isAlone = routes.filter((route) => route.to === to).length === 1;
      path.setAttribute("d", curve(through.map(centre), reach, isAcross, isAlone ? 0 : operand === 0 ? -8 : 8));
      const label = document.createElementNS(SVG, "text");
      this.svg.append(path);
      this.labels.append(label);
      const { x, y } = path.getPointAtLength(path.getTotalLength() / 2);
      label.setAttribute("x", (isAcross ? x : x + 7).toFixed(1));
      label.setAttribute("y", (isAcross ? y - 6 : y + 4).toFixed(1));
      label.setAttribute("class", isAcross ? "edge-label" : "edge-label is-beside");
      this.edges.set(`${from} ${to} ${operand}`, { path, label });
    }
    this.svg.append(this.dots);
  }

  /** @private @param {TapeScene} scene @param {number} node */
  fill({ tape, numbers, moment, mode, chosen }, node) {
    const { element, saysValue, value, saysSlope, slope } = this.boxes[node];
    const { value: place, tangent, chunk } = tape.nodes[node];
    const isKnown = moment.values.has(node);
    setText(saysValue, isKnown ? texts.BOX_VALUE : texts.BOX_UNKNOWN);
    setText(value, isKnown ? format(numberAt(numbers, place)) : "\u00a0");
    const count = moment.sums.get(node);
    let derivative = null;
    if (mode === "tangents" && isKnown) derivative = numberAt(numbers, tangent);
    if (mode === "gradient" && count !== undefined) derivative = sumOf(tape, numbers, node, count);
    setText(saysSlope, derivative === null ? "" : texts.SLOPE_NAMES[mode]);
    setText(slope, derivative === null ? "\u00a0" : format(derivative));
    if (mode === "chunk" && isKnown) {
      setText(saysSlope, texts.SLOPE_NAMES.chunk);
      setText(slope, texts.chunkOf(chunk.map((one) => formatShort(numberAt(numbers, one)))));
    }
    const total = tape.nodes[node].contributions.length;
    const isWhole = mode !== "gradient" || count === undefined || count === total;
    slope.classList.toggle("is-part", !isWhole);
    const step = moment.step;
    element.classList.toggle("is-now", "node" in step && step.node === node);
    element.classList.toggle("is-known", isKnown);
    element.classList.toggle("is-chosen", node === chosen);
    element.setAttribute("aria-pressed", String(node === chosen));
  }

  destroy() {
    this.observer.disconnect();
    this.labels.remove();
  }
}

/** Makes the path of a line from one box to another. `centres`: the middle of the first box, the places that the line passes
 * through, and the middle of the other box.
 * @param {readonly (readonly [number, number])[]} centres @param {number} reach @param {boolean} isAcross
 * @param {number} aside how many pixels the line's end is beside the middle of the box's side; keeps two lines to a box apart
 * @returns {string} */
function curve(centres, reach, isAcross, aside) {
  const points = centres.map(([x, y]) => (isAcross ? [x, y] : [y, x]));
  points[0][0] += reach;
  points[points.length - 1][0] -= reach;
  points[points.length - 1][1] += aside;
  const put = (/** @type {number} */ a, /** @type {number} */ b) => (isAcross ? `${a.toFixed(1)} ${b.toFixed(1)}` : `${b.toFixed(1)} ${a.toFixed(1)}`);
  let d = `M${put(points[0][0], points[0][1])}`;
  for (let k = 1; k < points.length; k++) {
    const [[a, b], [c, e]] = [points[k - 1], points[k]];
    const half = (c - a) / 2;
    d += `C${put(a + half, b)} ${put(c - half, e)} ${put(c, e)}`;
  }
  return d;
}

/** @param {Element} element @param {string} text */
function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
