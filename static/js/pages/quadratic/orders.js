// The control of the approximation's order: a slider, a field and the keys 1 to 8, and the words about the approximation.

/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("./approximation.js").Approximation} Approximation */
/** @typedef {import("./hands.js").Page & {root: HTMLElement}} Page */

import { HIGHEST_ORDER, setOrder } from "../../model/doc.js";
import { numberField } from "../../widgets/fields.js";
import * as texts from "./texts.js";

export class Orders {
  /** @param {Page} page */
  constructor(page) {
    const find = (/** @type {string} */ selector) => /** @type {any} */ (page.root.querySelector(selector));
    this.range = /** @type {HTMLInputElement} */ (find("[name=order-range]"));
    const choose = (/** @type {number} */ order) => page.change(setOrder(page.doc, order), "order");
    const done = () => page.formula.settle();
    const listeners = new AbortController();
    const { signal } = listeners;
    this.range.addEventListener("input", () => choose(Number(this.range.value)), { signal });
    this.range.addEventListener("change", done, { signal });
    this.showNumber = numberField(find("[name=order]"), choose, done);
    find(".pictures").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const order = Number(event.key);
      if (event.ctrlKey || event.metaKey || event.altKey || !(order >= 1 && order <= HIGHEST_ORDER)) return;
      done();
      choose(order);
      done();
    }, { signal });
    this.disc = /** @type {HTMLElement} */ (find(".legend .is-disc").nextElementSibling);
    this.along = /** @type {HTMLElement} */ (find(".legend .is-parabola").nextElementSibling);
    this.late = /** @type {HTMLElement} */ (find(".order-late"));
    this.bound = /** @type {HTMLElement} */ (find(".band-bound"));
    this.destroy = () => listeners.abort();
  }

  /** @param {number} order chosen @param {Approximation} approximation shown */
  show(order, { order: shown, late, words }) {
    this.range.value = String(order);
    this.range.setAttribute("aria-valuetext", texts.ORDER_NAMES[order]);
    this.showNumber(order);
    write(this.disc, texts.orderOf(texts.ORDER_NAMES[shown]));
    write(this.along, shown === 2 ? texts.PARABOLA : texts.APPROXIMATION_ALONG);
    write(this.late, late);
    write(this.bound, words);
  }
}

/** @param {HTMLElement} place @param {string} text */
function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}
