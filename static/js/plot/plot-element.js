// <eglantine-plot>: a compiled formula's surface in anybody's page, with a point to drag and the quadratic that touches
// it there. It needs this script and one module, which `src` names; docs/tutorial.md says how to make them.

/** @typedef {import("../engine/kernel.js").Kernel} Kernel */
/** @typedef {import("../model/mesh.js").Mesh} Mesh */
/** @typedef {import("../model/types.js").Doc} Doc */
/** @typedef {import("../model/types.js").Jet} Jet */
/** @typedef {import("../model/types.js").Point} Point */

import { instantiate } from "../engine/kernel.js";
import { attachKeys } from "../gestures/keys.js";
import { attachPointer } from "../gestures/pointer.js";
import { limitView, START_VIEW } from "../model/camera.js";
import * as docs from "../model/doc.js";
import { buildMesh } from "../model/mesh.js";
import { format, keyStep, tidy } from "../model/numbers.js";
import { buildPatch } from "../model/patch.js";
import { pick } from "../model/pick.js";
import { Picture } from "../widgets/picture.js";
import * as texts from "../texts.js";
import { unpack } from "./plot-module.js";
import { STYLE } from "./plot-style.js";

const CELLS = 44;
const TURN_PER_PX = 0.008;
const TURN_STEP = Math.PI / 36;
const OBSERVED = ["src", "formula", "x", "y", "values", "theme"];
/** Shared by all elements. @type {CSSStyleSheet[]} */
const sheets = [];

export class EglantinePlot extends HTMLElement {
  static observedAttributes = OBSERVED;

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = sheets;
    const { frame, numbers, trouble } = build(root);
    this.numbers = numbers;
    this.trouble = trouble;
    this.frame = frame;
    /** @type {Picture | null} */
    this.picture = null;
    /** @type {Kernel | null} */
    this.kernel = null;
    /** @type {Doc | null} */
    this.doc = null;
    /** Where the point was at first. @type {Point} */
    this.home = [0, 0];
    this.view = START_VIEW;
    /** @type {Mesh | null} */
    this.mesh = null;
    /** What the mesh was built from. @type {readonly unknown[]} */
    this.meshOf = [];
    this.results = new Float64Array(6);
    this.animation = 0;
    /** The address that was asked for last. @type {string | null} */
    this.asked = null;
    /** @type {(() => void)[]} */
    this.detachers = [];
    this.dark = matchMedia("(prefers-color-scheme: dark)");
    this.repaint = () => {
      this.picture?.repalette();
      this.refresh();
    };
  }

  connectedCallback() {
    this.picture = new Picture(this.frame, () => this.refresh());
    const { handle, canvas } = this.picture;
    const zoom = (/** @type {number} */ factor) => this.doc && this.move(docs.zoom(this.doc, factor));
    this.detachers = [
      attachPointer(this.frame, handle, {
        grab: () => {},
        drag: (xPx, yPx) => this.dragTo(xPx, yPx, this.doc?.point ?? null),
        release: () => {},
        turn: (dxPx, dyPx) => this.turn(dxPx * TURN_PER_PX, dyPx * TURN_PER_PX),
        place: (xPx, yPx) => this.dragTo(xPx, yPx, null),
        zoom,
      }, { wheel: false }),
      attachKeys(handle, {
        arrow: (dx, dy) => this.step(dx, dy),
        home: () => this.doc && this.move(docs.placePoint(this.doc, this.home)),
        zoom,
      }),
      attachKeys(canvas, {
        arrow: (dx, dy) => this.turn(dx * TURN_STEP, -dy * TURN_STEP),
        home: () => this.look(START_VIEW),
        zoom,
      }),
    ];
    this.dark.addEventListener("change", this.repaint);
    this.load();
    this.refresh();
  }

  disconnectedCallback() {
    for (const detach of this.detachers) detach();
    this.dark.removeEventListener("change", this.repaint);
    cancelAnimationFrame(this.animation);
    this.animation = 0;
    this.picture?.destroy();
    this.picture = null;
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (name === "theme") this.repaint();
    else if (name === "src") this.load();
    else this.readAttributes(name === "x" || name === "y");
  }

  /** The value and its derivatives at the point. @returns {(Jet & {x: number, y: number}) | null} */
  get value() {
    if (this.doc === null) return null;
    const [x, y] = this.doc.point;
    const [f, fx, fy, fxx, fxy, fyy] = this.evaluate(x, y);
    return { x, y, f, fx, fy, fxx, fxy, fyy };
  }

  /** Shows a formula. @param {Uint8Array<ArrayBuffer>} bytes of a module with its description (plot-module.js) */
  use(bytes) {
    const description = unpack(new WebAssembly.Module(bytes));
    if (description === null) {
      this.refuse(texts.PLOT_TROUBLE.module);
      return;
    }
    const { abi, text, params, region, point } = description;
    this.kernel = instantiate(bytes, abi);
    this.doc = { presetId: "", text, params, region, point };
    this.home = point;
    this.readAttributes(true);
    this.home = this.doc.point;
  }

  /** @private */
  async load() {
    const source = this.getAttribute("src");
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

  /** @private @param {boolean} places whether the point goes where x and y say */
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
    let doc = !places ? this.doc : docs.placePoint(this.doc, [number(this.getAttribute("x"), x), number(this.getAttribute("y"), y)]);
    for (const pair of (this.getAttribute("values") ?? "").split(/\s+/)) {
      const [name, value] = pair.split("=");
      if (value !== undefined) doc = docs.setParam(doc, name, number(value, NaN));
    }
    this.doc = doc;
    this.trouble.hidden = true;
    this.frame.hidden = this.numbers.hidden = false;
    this.refresh();
  }

  /** @private @param {string} sentence shown in the place of the picture */
  refuse(sentence) {
    this.trouble.textContent = sentence;
    this.trouble.hidden = false;
    this.frame.hidden = this.numbers.hidden = true;
  }

  // What a person does.

  /** @private @param {number} xPx @param {number} yPx @param {Point | null} from */
  dragTo(xPx, yPx, from) {
    if (this.mesh === null || this.picture === null || this.doc === null) return;
    const found = pick(this.mesh, this.picture.camera(this.view), xPx, yPx, from);
    if (found !== null) this.move(docs.movePoint(this.doc, found));
  }

  /** @private @param {number} dx @param {number} dy in steps */
  step(dx, dy) {
    if (this.doc === null) return;
    const { region, point: [x, y] } = this.doc;
    const moved = /** @type {const} */ ([
      tidy(x + dx * keyStep(region[1] - region[0])),
      tidy(y + dy * keyStep(region[3] - region[2])),
    ]);
    this.move(docs.placePoint(this.doc, docs.clampToRegion(region, moved)));
  }

  /** @private @param {Doc} doc */
  move(doc) {
    const before = this.doc;
    if (doc === before) return;
    this.doc = doc;
    this.refresh();
    if (doc.point !== before?.point) this.dispatchEvent(new CustomEvent("change", { bubbles: true, detail: this.value }));
  }

  /** @private @param {number} yaw @param {number} pitch in radians */
  turn(yaw, pitch) {
    this.look({ yaw: this.view.yaw - yaw, pitch: this.view.pitch + pitch });
  }

  /** @param {import("../model/types.js").View} view */
  look(view) {
    this.view = limitView(view);
    this.refresh();
  }

  // What follows from it.

  /** @private @param {number} x @param {number} y @returns {Float64Array} f, fx, fy, fxx, fxy, fyy */
  evaluate(x, y) {
    const values = this.doc?.params.map((param) => param.value) ?? [];
    this.kernel?.evaluate?.([x, y, ...values], this.results);
    return this.results;
  }

  /** Draws in the next frame. @private */
  refresh() {
    if (this.animation !== 0 || this.picture === null || this.doc === null) return;
    this.animation = requestAnimationFrame(() => {
      this.animation = 0;
      this.draw();
    });
  }

  /** @private */
  draw() {
    const { picture, doc, value } = this;
    if (picture === null || doc === null || value === null || picture.widthPx === 0) return;
    const { region, point, params, text } = doc;
    const meshOf = [this.kernel, region, ...params.map((param) => param.value)];
    if (this.mesh === null || meshOf.some((part, k) => part !== this.meshOf[k])) {
      this.meshOf = meshOf;
      this.mesh = buildMesh((x, y) => this.evaluate(x, y)[0], region, CELLS);
    }
    picture.draw({ mesh: this.mesh, jet: value, point, region, patch: buildPatch(this.mesh, value, point) }, this.view);
    picture.label(texts.surfaceLabel(text), texts.pointLabel(format(point[0]), format(point[1]), format(value.f)));
    const parts = [text, `(${format(point[0])}, ${format(point[1])})`, format(value.f), `(${format(value.fx)}, ${format(value.fy)})`];
    this.numbers.querySelectorAll("span").forEach((span, k) => {
      if (span.textContent !== parts[k]) span.textContent = parts[k];
    });
  }
}

/** Makes the element known. @param {string} tokens styles that say the colours, for pages that have none of ours */
export function definePlot(tokens = "") {
  if (customElements.get("eglantine-plot") !== undefined) return;
  for (const css of [tokens, STYLE]) {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    sheets.push(sheet);
  }
  customElements.define("eglantine-plot", EglantinePlot);
}

/** @param {ShadowRoot} root @returns {{frame: HTMLElement, numbers: HTMLElement, trouble: HTMLElement}} what it holds now */
function build(root) {
  const made = (/** @type {string} */ tag, /** @type {string} */ name) => Object.assign(document.createElement(tag), { className: name });
  const frame = made("div", "frame");
  const canvas = made("canvas", "");
  const handle = made("div", "handle");
  for (const held of [canvas, handle]) {
    held.tabIndex = 0;
    held.setAttribute("role", "application");
  }
  handle.setAttribute("aria-roledescription", texts.POINT_ROLE);
  frame.append(canvas, handle);
  const numbers = made("div", "numbers");
  for (const [name, label] of [["", "z = "], ["wide", "at "], ["", "f "], ["gradient wider", "∇f "]]) {
    const part = made("div", name);
    part.append(Object.assign(made("i", ""), { textContent: label }), made("span", ""));
    numbers.append(part);
  }
  const trouble = made("p", "trouble");
  trouble.setAttribute("role", "alert");
  trouble.hidden = true;
  root.append(frame, numbers, trouble);
  return { frame, numbers, trouble };
}
