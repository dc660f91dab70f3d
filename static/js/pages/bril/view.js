// Shows a Bril program, its graphs, its run and its descent on the page "Bril".

/** @typedef {import("./descent.js").DescentScene} DescentScene */
/** @typedef {import("./doc.js").Analysis} Analysis */
/** @typedef {import("./doc.js").Step} Step */
/** @typedef {import("./graph.js").Lit} Lit */
/**
 * The functions that the view calls when you use its fields and graphs.
 * @typedef {object} BrilEvents
 * @property {() => void} resized - called when the size of a picture has changed
 * @property {(text: string) => void} typed - called with the text of the program after you have changed it
 * @property {() => void} pointed - called when you point at an instruction
 * @property {() => void} done - called when the focus leaves a field
 * @property {(k: number, value: number | boolean) => void} set - called with a new value of the main function's parameter
 *   number k
 * @property {(name: "step" | "decay" | "count", value: number) => void} tuned - called when you change a setting of the descent
 */

import { format, formatBytes, formatShort } from "../../model/numbers.js";
import { SimulationView } from "../../page/simulation-view.js";
import { numberField } from "../../widgets/fields.js";
import { CodeArea } from "../../widgets/code-area.js";
import { PlotPicture } from "../../widgets/plot-picture.js";
import { paintDescent } from "./descent.js";
import { brilLanguage } from "./grammar.js";
import { Graph } from "./graph.js";
import * as texts from "./texts.js";
import * as docs from "./doc.js";

const DIGITS = 6;
const MARGINS = { left: 52, right: 10, top: 22, bottom: 34 };

export class BrilView extends SimulationView {
  /** @param {HTMLElement} root @param {BrilEvents} events */
  constructor(root, events) {
    super(root, texts.NO_BRIL_PYTHON);
    this.events = events;
    this.code = new CodeArea(this.find("[name=program-text]"), brilLanguage, events);
    this.code.upgradeSoon();
    /** @type {Lit | null} */
    this.lit = null;
    /** @type {Lit | null} */
    this.current = null;
    const point = (/** @type {Lit | null} */ lit) => {
      this.lit = lit;
      this.light();
      if (lit !== null) events.pointed();
    };
    const choose = (/** @type {number} */ line) => this.selectLine(line);
    this.forward = new Graph(this.find(".forward-graph"), "forward", point, choose);
    this.back = new Graph(this.find(".back-graph"), "back", point, choose);
    this.descent = new PlotPicture(this.find(".descent-plot"), events.resized, MARGINS);
    this.pictures = [this.descent, this.forward, this.back, this.code];
    /** @type {Map<string, (value: number) => void>} */
    this.values = new Map();
    this.named = "";
    this.attachFields([], ["step", "decay", "count"], {
      typed: () => {},
      set: (/** @type {"step" | "decay" | "count"} */ name, value) => events.tuned(name, value),
      done: events.done,
    });
  }

  /** @param {string} text */
  showText(text) {
    this.code.text = text;
  }

  /** @param {docs.Mistake | null} mistake */
  showMistake(mistake) {
    const note = this.find(".mistake-note");
    note.hidden = mistake === null;
    this.text(".mistake-note", mistake === null ? "" : texts.atLine(mistake.line, mistake.message));
    this.code.showMistakes(mistake === null ? [] : [docs.spanOf(this.code.text, mistake)]);
  }

  /** @param {Analysis} analysis @param {readonly (number | boolean)[]} values */
  showAnalysis(analysis, values) {
    this.forward.show(analysis.functions);
    this.back.show(analysis.functions);
    this.text(".output-text", analysis.output === "" ? texts.PRINTS_NOTHING : analysis.output.trimEnd());
    this.text(".failure", analysis.failure ?? "");
    this.find(".failure").hidden = analysis.failure === null;
    this.showParameters(analysis, values);
  }

  /** @private @param {Analysis} analysis @param {readonly (number | boolean)[]} values */
  showParameters({ parameters }, values) {
    const named = parameters.map(({ name, type }) => `${name}: ${type}`).join(", ");
    const body = this.find(".arguments tbody");
    if (named !== this.named) {
      this.named = named;
      this.values.clear();
      body.replaceChildren(...parameters.map((one, k) => this.parameterRow(one, k)));
    }
    this.find(".arguments").hidden = parameters.length === 0;
    parameters.forEach(({ name, type, value }, k) => {
      const shown = values[k] ?? value;
      if (type === "bool") this.find(`[name="argument-${name}"]`).checked = shown === true;
      else this.values.get(name)?.(Number(shown));
    });
  }

  /** @private @param {import("./doc.js").Parameter} parameter @param {number} k */
  parameterRow({ name, type }, k) {
    const row = document.createElement("tr");
    const head = document.createElement("th");
    head.scope = "row";
    head.textContent = name;
    const input = document.createElement("input");
    input.name = `argument-${name}`;
    input.setAttribute("aria-label", texts.brilArgument(name, type));
    const cells = [document.createElement("td"), document.createElement("td"), document.createElement("td")];
    if (type === "bool") {
      input.type = "checkbox";
      const label = document.createElement("label");
      label.className = "check";
      label.append(input);
      input.addEventListener("change", () => this.events.set(k, input.checked));
      cells[0].append(label);
    } else {
      this.values.set(name, numberField(input, (value) => this.events.set(k, type === "int" ? Math.round(value) : value), this.events.done));
      cells[0].append(input);
    }
    cells[1].textContent = type;
    cells[2].className = "slope-of";
    cells[2].dataset.of = name;
    row.append(head, ...cells);
    return row;
  }

  /** @param {number | null} value of the result @param {ReadonlyMap<string, number>} slopes with respect to parameter */
  showResult(value, slopes) {
    this.data(".value", value, DIGITS);
    for (const cell of this.root.querySelectorAll(".slope-of")) {
      const slope = slopes.get(/** @type {HTMLElement} */ (cell).dataset.of ?? "");
      cell.textContent = slope === undefined ? "\u2013" : format(Number(slope.toPrecision(DIGITS)));
    }
  }

  /** @param {Analysis} analysis @param {number} k the step shown */
  showStep({ functions, steps, isWhole }, k) {
    const main = functions.find(({ name }) => name === "main");
    const step = steps[k];
    this.find(".steps").hidden = steps.length === 0;
    this.find(".no-steps").hidden = steps.length > 0;
    const range = this.find("[name=moment]");
    range.max = String(Math.max(0, steps.length - 1));
    range.value = String(k);
    if (main === undefined || step === undefined) {
      this.current = null;
    } else {
      const [block, position] = step;
      const { items } = main.blocks[block];
      this.current = { name: "main", block, position: position < 0 ? items.length - 1 : position };
      this.text(".step-text", texts.stepOf(k + 1, steps.length, items[this.current.position]?.text ?? ""));
    }
    this.text(".cut", isWhole || steps.length === 0 ? "" : texts.stepsCut(steps.length));
    this.showVariables(main, steps, k);
    this.light();
  }

  /** Shows a table with a row for each variable. A row has the variable's value at step k, and the derivative of the program's
   * result with respect to this value.
   * @private @param {import("./doc.js").BrilFunction | undefined} main @param {readonly Step[]} steps @param {number} k */
  showVariables(main, steps, k) {
    /** @type {Map<string, Step>} */
    const latest = new Map();
    for (const step of steps.slice(0, k + 1)) {
      const name = step[1] < 0 ? null : /^(\S+?):/.exec(main?.blocks[step[0]].items[step[1]].text ?? "")?.[1];
      if (name) latest.set(name, step);
    }
    const shown = (/** @type {unknown} */ value) => (typeof value === "number" ? format(Number(value.toPrecision(DIGITS))) : value === null ? "\u2013" : String(value));
    const rows = [...latest].map(([name, [, , value, slope]]) => {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = name;
      row.append(head, ...[value, slope].map((one) => Object.assign(document.createElement("td"), { textContent: shown(one) })));
      row.classList.toggle("is-current", steps[k] === latest.get(name));
      return row;
    });
    this.find(".variables tbody").replaceChildren(...rows);
  }

  /** @param {DescentScene | null} scene null if there is nothing to descend */
  showDescent(scene) {
    this.find(".descending").hidden = scene === null;
    if (scene === null) return;
    this.descent.draw(scene.region, (pen, frame, palette) => paintDescent(pen, frame, palette, scene));
    const number = (/** @type {number} */ value) => format(Number(value.toPrecision(9)));
    const rows = scene.rows.map(({ x, value }) => {
      const row = document.createElement("tr");
      row.append(...[...x, value].map((one) => Object.assign(document.createElement("td"), { textContent: number(one) })));
      return row;
    });
    const head = document.createElement("tr");
    head.append(...[...scene.names, texts.RESULT].map((name) => Object.assign(document.createElement("th"), { textContent: name, scope: "col" })));
    this.find(".descent-rows thead").replaceChildren(head);
    this.find(".descent-rows tbody").replaceChildren(...rows);
  }

  /** @param {Analysis["cost"]} cost */
  showBrilCost(cost) {
    this.text(".cost", cost === null ? "" : texts.brilCost(cost.ms === undefined ? null : formatShort(cost.ms), formatBytes(cost.bytes)));
  }

  /** @private */
  light() {
    this.forward.light(this.lit, this.current);
    this.back.light(this.lit, this.current);
  }

  /** Selects a line of the text. @private @param {number} line from 1 */
  selectLine(line) {
    const span = docs.lineOf(this.code.text, line);
    if (span !== null) this.code.select(...span);
  }
}
