// The badge that says whether a formula's numbers are right, and how we know.

/** @typedef {import("../model/types.js").Verdict} Verdict */

import * as texts from "../formula-texts.js";

export class Badge {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    this.mark = element.appendChild(Object.assign(document.createElement("b"), { className: "mark" }));
    this.mark.setAttribute("role", "status");
    this.detail = element.appendChild(Object.assign(document.createElement("span"), { className: "reason" }));
    this.detail.textContent = texts.NOT_CHECKED;
    this.show(null);
  }

  /** Shows the verdict that says whether the numbers on the page are right. Null means that they have not been checked yet. The
   * badge then shows the previous verdict without its colour.
   * @param {Verdict | null} verdict */
  show(verdict) {
    this.element.classList.toggle("is-old", verdict === null);
    if (verdict === null) return;
    this.element.dataset.state = verdict.state;
    const { mark, detail } = texts.badge(verdict);
    if (this.mark.textContent !== mark) this.mark.textContent = mark;
    if (this.detail.textContent !== detail) this.detail.textContent = detail;
  }
}
