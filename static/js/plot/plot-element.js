// Defines <eglantine-plot>, which shows a compiled formula in any web page, with a point that the reader can drag. A formula of
// two variables is shown as a surface with its quadratic approximation at the point. A formula of one variable is shown as a
// curve with its tangent and parabola. The element needs this script and a module. Its attribute `src` names the module.
// docs/tutorial.md says how to make both.

/** @typedef {import("../engine/instance.js").Instance} Instance */
/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {import("../model/types.js").Jet} Jet */
/** @typedef {import("../model/types.js").Point} Point */
/** The `value` of a curve. @typedef {{x: number, f: number, fx: number, fxx: number}} CurveJet */

import { instanceOf } from "../engine/instance.js";
import * as docs from "../model/doc.js";
import { definedJet } from "../model/point-kind.js";
import * as texts from "../formula-texts.js";
import { CurvePlot } from "./curve-plot.js";
import { unpack } from "./plot-module.js";
import { STYLE } from "./plot-style.js";
import { SurfacePlot } from "./surface-plot.js";
import { Speaker } from "../widgets/speaker.js";

const OBSERVED = ["src", "formula", "x", "y", "values", "theme"];
/** Shared by all elements. @type {CSSStyleSheet[]} */
const sheets = [];

export class EglantinePlot extends HTMLElement {
  static observedAttributes = OBSERVED;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = sheets;
    const { frame, handle, numbers, trouble, live } = build(root);
    this.handle = handle;
    this.numbers = numbers;
    this.trouble = trouble;
    this.frame = frame;
    this.speaker = new Speaker(live);
    /** The kind of picture for the formula. @type {typeof SurfacePlot | typeof CurvePlot | null} */
    this.kind = null;
    /** @type {SurfacePlot | CurvePlot | null} */
    this.picture = null;
    /** @type {Instance | null} */
    this.kernel = null;
    /** @type {Doc | null} */
    this.doc = null;
    /** The document with which the plot began. @type {Doc | null} */
    this.first = null;
    this.results = new Float64Array(6);
    this.animation = 0;
    /** The address requested last. @type {string | null} */
    this.asked = null;
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.repaint = () => {
      this.picture?.repalette();
      this.refresh();
    };
  }

  connectedCallback() {
    this.dark.addEventListener("change", this.repaint);
    this.makePicture();
    this.load();
  }

  disconnectedCallback() {
    this.dark.removeEventListener("change", this.repaint);
    cancelAnimationFrame(this.animation);
    this.animation = 0;
    this.speaker.destroy();
    this.picture?.destroy();
    this.picture = null;
  }

  /** @private */
  makePicture() {
    this.picture?.destroy();
    this.picture = null;
    if (this.kind === null || !this.isConnected) return;
    this.picture = new this.kind(this, this.frame);
    this.numbers.replaceChildren(...this.kind.numbers.map(([name, label]) => {
      const part = createElement("div", name);
      part.append(Object.assign(createElement("i", ""), { textContent: label }), createElement("span", ""));
      return part;
    }));
    this.refresh();
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (name === "theme") this.repaint();
    else if (name === "src") this.load();
    else this.readAttributes(name === "x" || name === "y");
  }

  /** The value and its derivatives at the point. @returns {(Jet & {x: number, y: number}) | CurveJet | null} */
  get value() {
    if (this.doc === null) return null;
    const [x, y] = this.doc.point;
    const { f, fx, fy, fxx, fxy, fyy } = this.jet(this.doc.point);
    return this.kind === CurvePlot ? { x, f, fx, fxx } : { x, y, f, fx, fy, fxx, fxy, fyy };
  }

  /** Shows a formula. @param {Uint8Array<ArrayBuffer>} bytes of a module with its description (plot-module.js) */
  use(bytes) {
    const description = unpack(new WebAssembly.Module(bytes));
    if (description === null) {
      this.refuse(texts.PLOT_TROUBLE.module);
      return;
    }
    const { abi, text, params, region, point, variables } = description;
    this.kernel = instanceOf(bytes, abi);
    this.doc = { ...docs.PLAIN, presetId: "", text, params, region, point };
    this.kind = variables === 1 ? CurvePlot : SurfacePlot;
    this.makePicture();
    this.readAttributes(true);
    this.first = this.doc;
  }

  /** @private */
  async load() {
    const source = this.getAttribute("src");
    const formula = this.getAttribute("formula");
    if (source === null && formula !== null && this.doc === null) this.refuse(texts.plotWithout(formula));
    if (!this.isConnected || source === null || source === this.asked) return;
    this.asked = source;
    try {
      const response = await fetch(new URL(source, document.baseURI));
      if (!response.ok) throw new Error(String(response.status));
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (this.asked === source) this.use(bytes);
    } catch {
      if (this.asked === source) this.refuse(texts.plotMissing(source));
    }
  }

  /** @private @param {boolean} places whether the attributes x and y move the point */
  readAttributes(places) {
    if (this.doc === null) return;
    const formula = this.getAttribute("formula");
    const plain = (/** @type {string} */ text) => text.replaceAll(/\s/g, "");
    if (formula !== null && plain(formula) !== plain(this.doc.text)) {
      this.refuse(texts.plotOther(formula, this.doc.text));
      return;
    }
    const number = (/** @type {string | null} */ text, /** @type {number} */ otherwise) =>
      text === null || text.trim() === "" || !Number.isFinite(Number(text)) ? otherwise : Number(text);
    const [x, y] = this.doc.point;
    const to = /** @type {const} */ ([number(this.getAttribute("x"), x), this.kind === CurvePlot ? 0 : number(this.getAttribute("y"), y)]);
    let doc = places ? docs.placePoint(this.doc, to) : this.doc;
    for (const pair of (this.getAttribute("values") ?? "").split(/\s+/)) {
      const [name, value] = pair.split("=");
      if (value !== undefined) doc = docs.setParam(doc, name, number(value, NaN));
    }
    this.doc = doc;
    this.trouble.hidden = true;
    this.frame.hidden = this.numbers.hidden = false;
    this.refresh();
  }

  /** @private @param {string} sentence shown instead of the picture */
  refuse(sentence) {
    this.trouble.textContent = sentence;
    this.trouble.hidden = false;
    this.frame.hidden = this.numbers.hidden = true;
  }

  // The reader's actions.

  /** @param {(doc: Doc) => Doc} change */
  edit(change) {
    const before = this.doc;
    if (before === null) return;
    const doc = change(before);
    if (doc === before) return;
    this.doc = doc;
    this.refresh();
    const isMoved = doc.point.some((at, k) => at !== before.point[k]);
    if (isMoved) this.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: this.value }));
  }

  /** Moves the point back to its first place. For a curve, also restores the first region. */
  goHome() {
    this.edit((doc) => {
      const { point, region } = this.first ?? doc;
      return this.kind === CurvePlot ? { ...doc, point, region } : docs.placePoint(doc, point);
    });
  }

  // Consequences of the actions.

  /** @private @param {Point} point @returns {Jet} */
  jet([x, y]) {
    const [f, fx, fy, fxx, fxy, fyy] = this.evaluate(x, y);
    return definedJet({ f, fx, fy, fxx, fxy, fyy });
  }

  /** @param {number} x @param {number} y @returns {Float64Array} f, fx, fy, fxx, fxy, fyy */
  evaluate(x, y) {
    const values = this.doc?.params.map((param) => param.value) ?? [];
    this.kernel?.evaluate?.([x, y, ...values], this.results);
    return this.results;
  }

  /** Draws in the next frame. */
  refresh() {
    if (this.animation !== 0 || this.picture === null || this.doc === null) return;
    this.animation = requestAnimationFrame(() => {
      this.animation = 0;
      this.draw();
    });
  }

  /** @private */
  draw() {
    const { picture, doc } = this;
    if (picture === null || doc === null || this.frame.clientWidth === 0) return;
    const parts = picture.draw(doc, this.jet(doc.point));
    this.handle.hidden = false;
    this.numbers.querySelectorAll("span").forEach((span, k) => {
      if (span.textContent !== parts[k]) span.textContent = parts[k];
    });
  }
}

/** Defines the element. @param {string} tokens CSS that sets the colours, for pages that do not load our own */
export function definePlot(tokens = "") {
  if (customElements.get("eglantine-plot") !== undefined) return;
  for (const css of [tokens, STYLE]) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    sheets.push(sheet);
  }
  customElements.define("eglantine-plot", EglantinePlot);
}

/** Builds the content of the element's shadow root.
 * @param {ShadowRoot} root @returns {Record<"frame" | "handle" | "numbers" | "trouble" | "live", HTMLElement>} */
function build(root) {
  const frame = createElement("div", "frame");
  const canvas = createElement("canvas", "");
  const handle = createElement("div", "handle");
  for (const held of [canvas, handle]) {
    held.tabIndex = 0;
    held.setAttribute("role", "application");
  }
  handle.setAttribute("aria-roledescription", texts.POINT_ROLE);
  handle.hidden = true;
  frame.append(canvas, handle);
  const numbers = createElement("div", "numbers");
  const trouble = createElement("p", "trouble");
  trouble.setAttribute("role", "alert");
  trouble.hidden = true;
  const live = createElement("output", "live");
  root.append(frame, numbers, trouble, live);
  return { frame, handle, numbers, trouble, live };
}

/** @param {string} tag @param {string} name of its class @returns {HTMLElement} */
function createElement(tag, name) {
  return Object.assign(document.createElement(tag), { className: name });
}
