// Shows value, gradient and Hessian as numbers that follow the point, and as formulas. KaTeX loads with the first formula.

/** @typedef {import("../../model/types.js").Jet} Jet */
/** @typedef {import("../../model/types.js").Tex} Tex */
/** @typedef {import("../../model/point-kind.js").Description} Description */
/** @typedef {keyof Jet} Entry */

import { format, formatSlope } from "../../model/numbers.js";
import { loadKatex } from "../../widgets/katex.js";
import * as texts from "./texts.js";

/** The rows of the table, in three groups: value, gradient and Hessian. Each row contains a name in a jet, the index of the
 * derivative, and the group's name and number of rows. In all but the first row of a group, the last two are null and 0. */
const ROWS = /** @type {const} */ ([
  ["f", "", "f", 1],
  ["fx", "x", "g", 2],
  ["fy", "y", null, 0],
  ["fxx", "xx", "h", 3],
  ["fxy", "xy", null, 0],
  ["fyy", "yy", null, 0],
]);

export class Readout {
  /** @param {HTMLTableElement} table @param {HTMLElement} kind @param {HTMLElement} eigenvalues */
  constructor(table, kind, eigenvalues) {
    this.kind = kind;
    this.eigenvalues = eigenvalues;
    /** @type {Map<Entry, {data: HTMLDataElement, formula: HTMLElement}>} */
    this.rows = new Map();
    const body = table.createTBody();
    for (const [entry, subscript, group, span] of ROWS) this.rows.set(entry, addRow(body, entry, subscript, group, span));
    new ResizeObserver(() => {
      for (const { formula } of this.rows.values()) reachIfScrolled(formula);
    }).observe(table);
    /** @type {Tex | null} */
    this.tex = null;
  }

  /** @param {Jet} jet @param {Description} description */
  show(jet, description) {
    for (const [entry, { data }] of this.rows) {
      const text = entry === "f" ? format(jet.f) : formatSlope(jet[entry]);
      if (data.textContent !== text) data.textContent = text;
      data.value = String(jet[entry]);
    }
    const kind = texts.noDerivatives(jet.f) ?? sentence(description);
    if (this.kind.textContent !== kind) this.kind.textContent = kind;
    const { eigenvalues } = description;
    this.eigenvalues.textContent = eigenvalues.some(Number.isNaN) ? formatSlope(NaN) : eigenvalues.map(format).join(", ");
  }

  /** Removes the formulas from the table, because Python has not written the new ones yet. */
  hideFormulas() {
    if (this.tex === null) return;
    this.tex = null;
    for (const { formula } of this.rows.values()) formula.replaceChildren();
  }

  /** @param {Tex} tex */
  async showFormulas(tex) {
    if (tex === this.tex) return;
    this.tex = tex;
    const katex = await loadKatex();
    if (tex !== this.tex) return;
    for (const [entry, { formula }] of this.rows) {
      const source = tex[entry] ?? null;
      formula.classList.toggle("small", source === null);
      if (source === null) formula.textContent = texts.LONG_FORMULA;
      else if (source === "") formula.textContent = formatSlope(NaN);
      else katex.render(source, formula, { throwOnError: false, displayMode: false });
      reachIfScrolled(formula);
    }
  }
}

/** Lets the Tab key reach a formula if the formula is too wide for its place. The arrow keys can then scroll the formula.
 * @param {HTMLElement} element */
function reachIfScrolled(element) {
  if (element.scrollWidth > element.clientWidth) element.tabIndex = 0;
  else element.removeAttribute("tabindex");
}

/** @param {Description} description */
function sentence({ kind, shape, slope }) {
  if (Number.isNaN(slope)) return texts.NO_SLOPE;
  if (kind === "none") return texts.sloping(texts.SHAPES[shape], format(slope));
  return texts.stationary(texts.KINDS[kind], texts.SHAPES[shape]);
}

/**
 * @param {HTMLTableSectionElement} body @param {Entry} entry @param {string} subscript
 * @param {"f" | "g" | "h" | null} group @param {number} span
 */
function addRow(body, entry, subscript, group, span) {
  const row = body.insertRow();
  row.className = group === null ? "" : "opens-group";
  if (group !== null) {
    const head = document.createElement("th");
    head.scope = "rowgroup";
    head.rowSpan = span;
    head.textContent = texts.GROUPS[group];
    row.append(head);
  }
  const name = document.createElement("th");
  name.scope = "row";
  name.className = "entry";
  const said = document.createElement("span");
  said.className = "heard";
  said.textContent = texts.ROWS[entry];
  name.append(said);
  if (subscript !== "") {
    const letter = document.createElement("i");
    letter.textContent = "f";
    const below = document.createElement("sub");
    below.textContent = subscript;
    letter.append(below);
    letter.setAttribute("aria-hidden", "true");
    name.append(letter);
  }
  const data = document.createElement("data");
  data.dataset.entry = entry;
  const formula = document.createElement("div");
  formula.className = "formula-tex";
  row.append(name);
  row.insertCell().append(data);
  row.insertCell().append(formula);
  return { data, formula };
}
