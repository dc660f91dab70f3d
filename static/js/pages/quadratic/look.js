// The controls of the pictures: the pictures and parts to show, the region, and the direction of the slice.

/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("../../model/types.js").Layout} Layout */
/** @typedef {import("../../model/types.js").Region} Region */
/** @typedef {import("../../model/types.js").Shown} Shown */
/** @typedef {(change: (doc: Doc) => Doc, tag: string | null) => void} Edit */

import * as docs from "../../model/doc.js";
import { numberField } from "../../widgets/fields.js";

const PARTS = /** @type {const} */ (["slice", "critical", "descent", "error", "band"]);
const ENDS = ["x-from", "x-to", "y-from", "y-to", "z-from", "z-to"];

export class Look {
  /** @param {HTMLElement} root @param {Edit} edit @param {() => void} done called when the focus leaves a field
   * @param {() => readonly [number, number]} heights returns the lowest and the highest height in the pictures */
  constructor(root, edit, done, heights) {
    this.root = root;
    this.edit = edit;
    this.heights = heights;
    this.layouts = /** @type {HTMLInputElement[]} */ ([...root.querySelectorAll("[name=layout]")]);
    for (const input of this.layouts) {
      input.addEventListener("change", () => edit((doc) => docs.setShown(doc, { layout: /** @type {Layout} */ (input.value) }), null));
    }
    this.parts = PARTS.map((part) => /** @type {const} */ ([part, this.input(part)]));
    for (const [part, input] of this.parts) {
      input.addEventListener("change", () => edit((doc) => docs.setShown(doc, { [part]: input.checked }), null));
    }
    this.range = this.input("angle-range");
    this.range.addEventListener("input", () => this.turnTo(Number(this.range.value)));
    this.range.addEventListener("change", done);
    this.showAngle = numberField(this.input("angle"), (angle) => this.turnTo(angle), done);
    this.ends = ENDS.map((name, k) => numberField(this.input(name), (value) => this.typed(k, value), done));
    this.fit = /** @type {HTMLButtonElement} */ (root.querySelector(".fit-heights"));
    this.fit.addEventListener("click", () => edit((doc) => docs.setHeights(doc, null), null));
  }

  /** @private @param {string} name @returns {HTMLInputElement} */
  input(name) {
    return /** @type {HTMLInputElement} */ (this.root.querySelector(`[name=${name}]`));
  }

  /** @private @param {number} angle */
  turnTo(angle) {
    this.edit((doc) => docs.setShown(doc, { angle: docs.wholeTurn(angle) }), "angle");
  }

  /** Sets one end of a range (of x, y or height) to a typed number. Does nothing if the range would be empty.
   * @private @param {number} k the end's index in ENDS @param {number} value */
  typed(k, value) {
    const withEnd = (/** @type {readonly number[]} */ ends, /** @type {number} */ at) => ends.map((end, i) => (i === at ? value : end));
    if (k < 4) this.edit((doc) => docs.setRegion(doc, /** @type {any} */ (withEnd(doc.region, k))), "region");
    else this.edit((doc) => docs.setHeights(doc, /** @type {any} */ (withEnd(doc.heights ?? this.heights(), k - 4))), "region");
  }

  /** @param {Doc} doc @param {readonly [number, number]} heights shown */
  show({ region, shown, heights: fixed }, heights) {
    for (const input of this.layouts) input.checked = input.value === shown.layout;
    for (const [part, input] of this.parts) input.checked = shown[part];
    this.range.value = String(shown.angle);
    this.showAngle(shown.angle);
    [...region, ...heights].forEach((end, k) => this.ends[k](Number(end.toPrecision(6))));
    this.fit.disabled = fixed === null;
  }
}
