// The rows of the parameters: each with its value, its standard error, a slider that holds it, bounds, and a certified value.

/** @typedef {import("./doc.js").ByName} ByName */
/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {import("./fitter.js").Solution} Solution */
/**
 * Functions that the rows of the parameters call when you use them.
 * @typedef {object} ParameterEvents
 * @property {(name: string, value: number | null) => void} held fixes a parameter at a value; null frees the parameter
 * @property {(side: "lower" | "upper", name: string, value: number | null) => void} bounded sets a bound of a parameter; null
 *   removes the bound
 * @property {() => void} done called when the focus leaves a field, or you let go of a slider
 */
/** @typedef {{value: (value: number) => void, hold: HTMLInputElement, nudge: HTMLInputElement, error: HTMLElement, certified: HTMLElement, sides: Record<"lower" | "upper", HTMLInputElement>}} Row */

import { format, parseNumber } from "../../model/numbers.js";
import { numberField } from "../../widgets/fields.js";
import { agreement } from "./fitter.js";
import * as texts from "./texts.js";

const NUDGES = 100;
/** The distance from a slider's middle, which is the parameter's value, to each end of the slider. ERRORS_REACHED: as a number
 * of standard errors. SHARE_REACHED: as a fraction of the parameter's value, if the standard error is unknown or 0. */
const ERRORS_REACHED = 6;
const SHARE_REACHED = 0.5;
const DIGITS = 6;
const CERTIFIED_DIGITS = 8;

export class ParameterRows {
  /** @param {HTMLElement} body of a table @param {ParameterEvents} events */
  constructor(body, events) {
    this.body = body;
    this.events = events;
    this.names = "";
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    /** The value and reach of the slider that is moved. @type {{name: string, from: number, reach: number} | null} */
    this.moved = null;
  }

  /** @param {readonly string[]} names @param {Doc} doc @param {Solution} solution
   * @param {{certified?: ByName, deviations?: ByName}} known certified values of the set, if it has them */
  show(names, doc, solution, known) {
    if (names.join(" ") !== this.names) {
      this.names = names.join(" ");
      this.rows = new Map();
      this.body.replaceChildren(...names.map((name) => this.addRow(name)));
    }
    names.forEach((name, k) => {
      const row = /** @type {Row} */ (this.rows.get(name));
      const isHeld = name in doc.held;
      row.value(Number(solution.x[k].toPrecision(DIGITS)));
      row.hold.checked = isHeld;
      const error = solution.deviations[k];
      write(row.error, isHeld ? texts.HELD : Number.isFinite(error) ? `± ${format(Number(error.toPrecision(3)))}` : "\u2013");
      for (const side of /** @type {const} */ (["lower", "upper"])) {
        const bound = doc[side][name];
        if (document.activeElement !== row.sides[side]) row.sides[side].value = bound === undefined ? "" : String(bound).replace("-", "\u2212");
      }
      row.nudge.dataset.value = String(solution.x[k]);
      row.nudge.dataset.error = String(error);
      row.nudge.setAttribute("aria-valuetext", format(Number(solution.x[k].toPrecision(DIGITS))));
      const certified = known.certified?.[name];
      const digits = certified === undefined ? 0 : agreement(solution.x[k], certified);
      write(row.certified, certified === undefined ? "" : texts.certifiedAs(Number(certified.toPrecision(CERTIFIED_DIGITS)), Math.floor(digits)));
    });
  }

  /** @private @param {string} name @returns {HTMLElement} */
  addRow(name) {
    const { events } = this;
    const row = document.createElement("tr");
    const cell = (/** @type {Node[]} */ ...nodes) => {
      const td = document.createElement("td");
      td.append(...nodes);
      row.append(td);
      return td;
    };
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    row.append(head);
    const input = document.createElement("input");
    input.name = `parameter-${name}`;
    input.setAttribute("aria-label", texts.parameterLabel(name));
    const value = numberField(input, (typed) => events.held(name, typed), events.done);
    cell(input);
    const error = cell();
    error.className = "error-of";
    const hold = document.createElement("input");
    hold.type = "checkbox";
    hold.name = `hold-${name}`;
    hold.setAttribute("aria-label", texts.holdLabel(name));
    const nudge = this.addNudge(name);
    hold.addEventListener("change", () => events.held(name, hold.checked ? Number(nudge.dataset.value) : null));
    const label = document.createElement("label");
    label.className = "check";
    label.append(hold);
    cell(label);
    cell(nudge);
    const sides = { lower: this.addBound("lower", name), upper: this.addBound("upper", name) };
    cell(sides.lower).className = "bound";
    cell(sides.upper).className = "bound";
    const certified = cell();
    certified.className = "certified";
    this.rows.set(name, { value, hold, nudge, error, certified, sides });
    return row;
  }

  /** Makes a slider that changes a parameter. The slider's middle means the parameter's present value. When you release the
   * slider, its thumb returns to the middle, and the middle then means the new value.
   * @private
   * @param {string} name */
  addNudge(name) {
    const nudge = document.createElement("input");
    nudge.type = "range";
    nudge.min = String(-NUDGES);
    nudge.max = String(NUDGES);
    nudge.value = "0";
    nudge.name = `slider-${name}`;
    nudge.setAttribute("aria-label", texts.nudgeLabel(name));
    nudge.addEventListener("input", () => {
      if (this.moved?.name !== name) {
        const from = Number(nudge.dataset.value);
        const error = Number(nudge.dataset.error);
        const byError = Number.isFinite(error) ? ERRORS_REACHED * error : 0;
        this.moved = { name, from, reach: byError || SHARE_REACHED * Math.abs(from) || 1 };
      }
      this.events.held(name, this.moved.from + (this.moved.reach * Number(nudge.value)) / NUDGES);
    });
    nudge.addEventListener("change", () => {
      this.moved = null;
      nudge.value = "0";
      this.events.done();
    });
    return nudge;
  }

  /** @private @param {"lower" | "upper"} side @param {string} name */
  addBound(side, name) {
    const input = document.createElement("input");
    input.type = "text";
    input.inputMode = "decimal";
    input.autocomplete = "off";
    input.name = `${side}-${name}`;
    input.setAttribute("aria-label", texts.boundLabel(side, name));
    input.addEventListener("change", () => {
      const value = parseNumber(input.value);
      input.toggleAttribute("aria-invalid", value === null && input.value.trim() !== "");
      this.events.bounded(side, name, value);
    });
    return input;
  }
}

/** @param {HTMLElement} element @param {string} text */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
