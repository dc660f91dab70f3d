// The list of a diagram's relations. For a relation that must hold, the list shows its error. For another relation (an
// objective), it shows the energy. If you point at a relation, the page highlights its shapes. If you point at a shape, the
// page highlights the shape's relations.

/** @typedef {import("../../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("./layout.js").Layout} Layout */
/** @typedef {import("./layout.js").Placed} Placed */

import { format } from "../../model/numbers.js";
import { VIOLATED } from "./layout.js";
import * as texts from "./texts.js";

/** Smaller amounts are shown as 0. */
const SHOWN_FROM = 1e-6;
const DIGITS = 3;
/** While you drag, each call shows the amounts of at most this many terms, so that no frame takes long. */
const MOST_ROWS = 100;

export class TermList {
  /** @param {HTMLElement} list @param {(term: number) => void} light called with a term, or −1 for none */
  constructor(list, light) {
    this.list = list;
    /** @type {DiagramArtifact | null} @private */
    this.artifact = null;
    /** The rows by term. @type {{row: HTMLElement, amount: HTMLElement}[]} @private */
    this.rows = [];
    /** During a drag, the next call shows the amounts from this term on. @private */
    this.next = 0;
    /** The term that the keys have reached. */
    this.chosen = -1;
    list.addEventListener("pointerover", ({ target }) => light(termOf(target)));
    list.addEventListener("pointerleave", () => light(this.chosen));
    list.addEventListener("blur", () => this.choose(-1, light));
    list.addEventListener("keydown", (event) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (by === undefined) return;
      event.preventDefault();
      const now = [...list.children].findIndex((row) => termOf(row) === this.chosen);
      const next = list.children[Math.min(Math.max(now + by, 0), list.children.length - 1)];
      this.choose(termOf(next), light);
      next?.scrollIntoView({ block: "nearest" });
    });
  }

  /** @param {Layout} layout @param {Placed} placed @param {boolean} isHeld while you drag, the rows keep their order */
  show({ artifact }, { amounts }, isHeld) {
    const isOther = artifact !== this.artifact;
    if (isOther) this.begin(artifact);
    const { terms } = artifact;
    const count = isHeld ? Math.min(MOST_ROWS, terms.length) : terms.length;
    this.next = isHeld ? this.next % Math.max(terms.length, 1) : 0;
    for (let shown = 0; shown < count; shown++) {
      const k = (this.next + shown) % terms.length;
      const { must } = terms[k];
      const { row, amount } = this.rows[k];
      const value = Math.abs(amounts[k]) < SHOWN_FROM || (must && amounts[k] <= 0) ? 0 : amounts[k];
      const text = format(Number(value.toPrecision(DIGITS)));
      if (amount.textContent !== text) amount.textContent = text;
      row.classList.toggle("is-missed", must && !(amounts[k] <= VIOLATED));
    }
    this.next += count;
    if (isOther || !isHeld) this.sort(artifact, amounts);
  }

  /** Lights up the rows of a shape. @param {number | null} shape */
  light(shape) {
    this.artifact?.terms.forEach(({ shapes }, k) => {
      this.rows[k].row.classList.toggle("is-lit", shape !== null && shapes.includes(shape));
    });
  }

  /** Lights up the rows of a line of the program. @param {number} line 0 for none */
  lightLine(line) {
    this.artifact?.terms.forEach((term, k) => this.rows[k].row.classList.toggle("is-lit", line > 0 && term.line === line));
  }

  /** Makes the rows of another diagram. @private @param {DiagramArtifact} artifact */
  begin(artifact) {
    this.artifact = artifact;
    this.chosen = -1;
    this.rows = artifact.terms.map(({ words, line, must }, k) => {
      const row = document.createElement("li");
      row.id = `term-${k}`;
      row.dataset.term = String(k);
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", "false");
      row.classList.toggle("is-wish", !must);
      const amount = document.createElement("span");
      row.append(Object.assign(document.createElement("span"), { textContent: texts.termOfLine(words, line) }), amount);
      return { row, amount };
    });
    this.list.replaceChildren();
  }

  /** Sorts the list. The violated relations come first, those with the largest errors at the top. Then come the objectives,
   * those with the largest energies at the top. The relations that hold come last. @private @param {DiagramArtifact} artifact
   * @param {Float64Array} amounts */
  sort({ terms }, amounts) {
    const rank = (/** @type {number} */ k) => (!terms[k].must ? 1 : amounts[k] <= VIOLATED ? 2 : 0);
    const order = [...terms.keys()].sort((j, k) => rank(j) - rank(k) || (rank(j) === 2 ? j - k : amounts[k] - amounts[j]));
    if (order.some((k, place) => this.list.children[place] !== this.rows[k].row)) this.list.replaceChildren(...order.map((k) => this.rows[k].row));
  }

  /** @private @param {number} term @param {(term: number) => void} light */
  choose(term, light) {
    this.rows[this.chosen]?.row.setAttribute("aria-selected", "false");
    this.chosen = term;
    this.rows[term]?.row.setAttribute("aria-selected", "true");
    if (term < 0) this.list.removeAttribute("aria-activedescendant");
    else this.list.setAttribute("aria-activedescendant", `term-${term}`);
    light(term);
  }
}

/** @param {unknown} target @returns {number} the term of a row, or −1 */
function termOf(target) {
  const row = target instanceof Element ? target.closest("[data-term]") : null;
  return row instanceof HTMLElement ? Number(row.dataset.term) : -1;
}
