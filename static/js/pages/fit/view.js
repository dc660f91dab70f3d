// Shows points, their fit and its numbers on the page "Fit".

/** @typedef {import("../../widgets/handles.js").Handle} Handle */
/** @typedef {import("./doc.js").DataSet} DataSet */
/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {import("./fitter.js").Fitter} Fitter */
/** @typedef {import("./fitter.js").Solution} Solution */
/** @typedef {import("./scene.js").FitScene} FitScene */
/**
 * Functions that the view calls when you use its fields and handles.
 * @typedef {object} FitEvents
 * @property {() => void} resized called when the size of a picture has changed
 * @property {(element: HTMLElement, id: string) => void} newHandle called when the view has made the handle of a point
 * @property {(axis: 0 | 1 | 2, value: number) => void} typed called when you have typed a number of the chosen point
 * @property {() => void} done called when the focus leaves a field
 * @property {(text: string) => void} formula called when you have typed in the formula's field
 * @property {import("./parameters.js").ParameterEvents["held"]} held fixes or frees a parameter
 * @property {import("./parameters.js").ParameterEvents["bounded"]} bounded sets or removes a bound of a parameter
 */

import { format, formatBytes, formatShort } from "../../model/numbers.js";
import { SimulationView } from "../../page/simulation-view.js";
import { numberField } from "../../widgets/fields.js";
import { FormulaField } from "../../widgets/formula-field.js";
import { Handles } from "../../widgets/handles.js";
import { PlotPicture } from "../../widgets/plot-picture.js";
import { mostPoints } from "./doc.js";
import { ParameterRows } from "./parameters.js";
import { paintPoints, paintResiduals, paintValley, residualRegion } from "./scene.js";
import * as texts from "./texts.js";

const MARGINS = { left: 52, right: 10, top: 22, bottom: 34 };
/** If there are more points than this, the Tab key reaches only the chosen point. */
const MANY_HANDLES = 40;
const FIELDS = ["point-x", "point-y", "point-sigma"];

export class FitView extends SimulationView {
  /** @param {HTMLElement} root @param {import("./doc.js").Beginning} beginning @param {FitEvents} events */
  constructor(root, beginning, events) {
    super(root, texts.NO_FIT_PYTHON);
    this.beginning = beginning;
    this.scatter = new PlotPicture(this.find(".scatter"), events.resized);
    this.residuals = new PlotPicture(this.find(".residual-plot"), events.resized, MARGINS);
    this.valley = new PlotPicture(this.find(".valley"), events.resized, MARGINS);
    this.pictures = [this.scatter, this.residuals, this.valley];
    this.grips = new Handles(this.find(".scatter .grips"), events.newHandle);
    this.field = new FormulaField(this.find(".formula"), events.formula, events.done, null, () => ({ names: ["x"], equations: false }));
    this.parameters = new ParameterRows(this.find(".parameters tbody"), events);
    FIELDS.forEach((name, axis) => {
      const input = this.find(`[name=${name}]`);
      input.setAttribute("aria-label", texts.DATUM_FIELDS[axis]);
      this.show.set(name, numberField(input, (value) => events.typed(/** @type {0 | 1 | 2} */ (axis), value), events.done));
    });
  }

  /** @param {FitScene} scene @param {Fitter} fitter @param {DataSet | null} own the set whose points are shown, if they are its own */
  draw(scene, fitter, own) {
    const { doc, solution, valley } = scene;
    this.scatter.draw(scene.region, (pen, frame, palette) => paintPoints(pen, frame, palette, scene));
    this.residuals.draw(residualRegion(scene), (pen, frame, palette) => paintResiduals(pen, frame, palette, scene));
    this.find(".valley").hidden = valley === null;
    if (valley !== null) this.valley.draw(valley.region, (pen, frame, palette) => paintValley(pen, frame, palette, scene));
    this.grips.show(this.handles(scene));
    this.showHint(scene);
    this.parameters.show(fitter.names, doc, solution, own ?? {});
    this.root.classList.toggle("is-certified", own?.certified !== undefined);
    this.showStatistics(solution);
    this.showChosen(scene);
    this.showCorrelations(fitter.names, doc, solution);
    this.speaker.say(this.handles(scene), texts.fitFound(fitter.names.map((name, k) => `${name} ${format(Number(solution.x[k].toPrecision(3)))}`)), this.grips.focused);
  }

  /** @param {FitScene} scene @returns {Handle[]} */
  handles(scene) {
    const all = this.allHandles(scene);
    return all.length > MANY_HANDLES ? all.slice(scene.chosen, scene.chosen + 1) : all;
  }

  /** @param {Pick<FitScene, "doc">} scene @returns {Handle[]} of all points, for the pointer */
  allHandles({ doc: { points } }) {
    return points.map(([x, y, , out], k) => {
      const [xPx, yPx] = this.scatter.frame.toPx([x, y]);
      const place = texts.pointGripPlace(k + 1, points.length, format(x), format(y));
      return { id: String(k), place: out ? `${place} ${texts.LEFT_OUT}` : place, keys: texts.DATUM_KEYS, xPx, yPx };
    });
  }

  /** @private @param {FitScene} scene */
  showHint({ doc: { points } }) {
    const [x, y] = points[Math.floor(points.length / 2)];
    const [xPx, yPx] = this.scatter.frame.toPx([x, y]);
    this.find(".hint").style.transform = `translate(${xPx.toFixed(1)}px, ${yPx.toFixed(1)}px)`;
  }

  /** @private @param {Solution} solution */
  showStatistics({ sum, deviation, freedom, determined, information, rounds }) {
    const number = (/** @type {number} */ value) => (Number.isFinite(value) ? value : null);
    this.data(".sum", number(sum));
    this.data(".deviation", number(deviation));
    this.data(".freedom", freedom);
    this.data(".determined", number(determined));
    this.data(".information", number(information));
    this.data(".rounds", rounds);
  }

  /** @private @param {FitScene} scene */
  showChosen({ doc: { points }, chosen }) {
    const select = this.find("[name=chosen]");
    while (select.length > points.length) select.remove(select.length - 1);
    while (select.length < points.length) select.add(new Option(texts.pointName(select.length + 1), String(select.length)));
    select.value = String(chosen);
    const datum = points[chosen];
    FIELDS.forEach((name, axis) => this.show.get(name)?.(Number(datum[axis])));
    this.find("[name=out]").checked = datum[3];
    this.find(".remove").disabled = points.length < 2;
    this.find(".add").disabled = points.length >= mostPoints(this.beginning);
    this.text(".count", texts.pointCount(points.length, points.filter(([, , , out]) => out).length));
  }

  /** Shows the correlations between the errors of the parameters. @private @param {readonly string[]} names @param {Doc} doc
   * @param {Solution} solution */
  showCorrelations(names, doc, { covariance, deviations }) {
    const box = this.find(".correlations");
    const shown = names.map((name, k) => ({ name, k })).filter(({ name }) => !(name in doc.held));
    box.hidden = shown.length < 2;
    if (!box.open || box.hidden) return;
    const n = names.length;
    const of = (/** @type {number} */ i, /** @type {number} */ j) => covariance[i * n + j] / (deviations[i] * deviations[j]);
    const row = (/** @type {string} */ head, /** @type {readonly string[]} */ cells, /** @type {string} */ kind) => {
      const tr = document.createElement("tr");
      const th = document.createElement("th");
      th.scope = "row";
      th.textContent = head;
      tr.append(th, ...cells.map((cell) => Object.assign(document.createElement(kind), { textContent: cell })));
      return tr;
    };
    const rows = shown.map(({ name, k }) => row(name, shown.map(({ k: other }) => (Number.isFinite(of(k, other)) ? of(k, other).toFixed(3).replace("-", "\u2212") : "\u2013")), "td"));
    this.find(".correlations tbody").replaceChildren(row("", shown.map(({ name }) => name), "th"), ...rows);
  }

  /** @param {import("./fitter.js").FitterArtifact["cost"]} cost @param {number} fastestMs of a fit @param {boolean} isCompiledHere */
  showFitCost({ ms, bytes }, fastestMs, isCompiledHere) {
    const call = Number.isFinite(fastestMs) ? formatShort(1000 * fastestMs) : null;
    this.text(".cost", texts.fitterCost(isCompiledHere && ms !== undefined ? formatShort(ms) : null, formatBytes(bytes), call));
  }
}
