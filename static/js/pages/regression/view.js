// Shows points, their line and its descent on the page "Regression".

/** @typedef {import("./fitting.js").Fitting} Fitting */
/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").FitBeginning} FitBeginning */
/** @typedef {import("./scene.js").FitScene} FitScene */
/** @typedef {import("../../widgets/handles.js").Handle} Handle */
/** @typedef {import("./line-descent.js").LineDescent} LineDescent */
/** @typedef {"line" | "point"} Row a row of numbers */
/**
 * Functions that the view calls when you use its fields and handles.
 * @typedef {object} RegressionEvents
 * @property {() => void} resized called when the size of a picture has changed
 * @property {(row: Row, axis: 0 | 1, value: number) => void} typed called when you have typed a coordinate of the point or the
 *   line
 * @property {(name: "rate" | "threshold", value: number) => void} set called when you have typed a setting
 * @property {() => void} done called when the focus leaves a field
 * @property {(element: HTMLElement, id: string) => void} newHandle called when the view has made a handle
 */

import { format, formatBytes, formatShort } from "../../model/numbers.js";
import { SimulationView } from "../../page/simulation-view.js";
import { numberField } from "../../widgets/fields.js";
import { Handles } from "../../widgets/handles.js";
import { LossCurve } from "../../widgets/loss-curve.js";
import { PlotPicture } from "../../widgets/plot-picture.js";
import { AREA } from "./fit.js";
import { paintScatter, paintSurface } from "./scene.js";
import * as texts from "./texts.js";

const DIGITS = 5;
/** The id of the line's handle on the surface. (The id of a point's handle is the point's number.) */
export const LINE = "line";

export class RegressionView extends SimulationView {
  /** @param {HTMLElement} root @param {FitBeginning} beginning @param {RegressionEvents} events */
  constructor(root, beginning, events) {
    super(root, "");
    this.beginning = beginning;
    this.scatter = new PlotPicture(this.find(".scatter"), events.resized);
    this.surface = new PlotPicture(this.find(".surface"), events.resized);
    this.points = new Handles(this.find(".scatter .grips"), events.newHandle);
    this.lines = new Handles(this.find(".surface .grips"), events.newHandle);
    this.curve = new LossCurve(this.find(".curve"), events.resized);
    this.pictures = [this.scatter, this.surface, this.curve];
    for (const row of /** @type {const} */ (["line", "point"])) {
      for (const axis of /** @type {const} */ ([0, 1])) {
        const name = `${row}-${axis}`;
        const input = this.find(`[name=${name}]`);
        input.setAttribute("aria-label", texts.FIT_FIELDS[row][axis]);
        this.show.set(name, numberField(input, (value) => events.typed(row, axis, value), events.done));
      }
    }
    this.attachFields([], ["rate", "threshold"], events);
  }

  /** @param {FitScene} scene @param {LineDescent} descent @param {Fitting} fitting */
  draw(scene, descent, fitting) {
    const { fit, jet, exact } = scene;
    this.scatter.draw(AREA, (pen, frame, palette) => paintScatter(pen, frame, palette, scene));
    this.surface.draw(scene.region, (pen, frame, palette) => paintSurface(pen, frame, palette, scene));
    this.points.show(this.pointHandles(fit));
    this.lines.show(this.lineHandles(fit), descent.running ? [LINE] : []);
    this.showHint(fit);
    this.curve.draw(descent.losses, this.scatter.palette);
    this.data(".loss", jet.loss);
    this.data(".slope", Math.hypot(...jet.slope));
    this.data(".iteration", descent.iteration);
    this.data(".by-0", jet.slope[0]);
    this.data(".by-1", jet.slope[1]);
    for (const k of /** @type {const} */ ([0, 1])) {
      this.data(`.exact-${k}`, exact === null ? null : exact[k]);
      this.show.get(`line-${k}`)?.(Number(fit.line[k].toPrecision(DIGITS)));
      this.show.get(`point-${k}`)?.(fit.points[scene.chosen][k]);
    }
    this.showControls(scene);
    this.showStep(fitting, descent);
    this.tell(scene, descent);
  }

  /** @param {Fit} fit @returns {Handle[]} */
  pointHandles({ points }) {
    return points.map((point, k) => {
      const [xPx, yPx] = this.scatter.frame.toPx(point);
      return { id: String(k), place: texts.pointGripPlace(k + 1, points.length, format(point[0]), format(point[1])), keys: texts.POINT_GRIP_KEYS, xPx, yPx };
    });
  }

  /** @param {Fit} fit @returns {Handle[]} one handle if the line is in the picture, else none */
  lineHandles({ line }) {
    const { frame } = this.surface;
    const [xPx, yPx] = frame.toPx(line);
    const place = texts.lineGripPlace(format(Number(line[0].toPrecision(4))), format(Number(line[1].toPrecision(4))));
    return frame.contains(xPx, yPx) ? [{ id: LINE, place, keys: texts.LINE_GRIP_KEYS, xPx, yPx }] : [];
  }

  /** @private @param {Fit} fit */
  showHint({ points }) {
    const highest = points.reduce((top, point) => (point[1] > top[1] ? point : top));
    const [xPx, yPx] = this.scatter.frame.toPx(highest);
    this.find(".hint").style.transform = `translate(${xPx.toFixed(1)}px, ${yPx.toFixed(1)}px)`;
  }

  /** @private @param {FitScene} scene */
  showControls({ fit: { settings, points, set }, chosen, origin }) {
    this.show.get("rate")?.(settings.rate);
    this.show.get("threshold")?.(settings.threshold);
    this.find("[name=optimiser]").value = settings.optimiser;
    this.find("[name=loss]").value = settings.loss;
    this.find("[name=centred]").checked = settings.centred;
    this.find(".threshold").hidden = settings.loss !== "huber";
    const isOwn = JSON.stringify(points) !== JSON.stringify(this.beginning.sets[set]);
    this.find("[name=set]").value = isOwn ? "own" : set;
    const select = this.find("[name=chosen]");
    while (select.length > points.length) select.remove(select.length - 1);
    while (select.length < points.length) select.add(new Option(texts.pointName(select.length + 1), String(select.length)));
    select.value = String(chosen);
    this.text(".intercept-name", texts.intercept(origin));
    this.find(".remove").disabled = points.length < 2;
    this.find(".add").disabled = points.length >= this.beginning.mostPoints;
  }

  /** @private @param {Fitting} fitting @param {LineDescent} descent */
  showStep({ artifact: { cost } }, { fastestMs }) {
    const call = fastestMs === Infinity ? null : formatShort(1000 * fastestMs);
    this.text(".cost", texts.fitCost(formatBytes(cost.bytes), call));
  }

  /** Announces the moved point, the line and the loss to screen readers.
   * @private @param {FitScene} scene @param {LineDescent} descent */
  tell({ fit, jet }, { iteration }) {
    const [slope, intercept, loss] = [...fit.line, jet.loss].map((value) => format(Number(value.toPrecision(3))));
    this.speaker.say(this.pointHandles(fit), texts.fitSpoken(slope, intercept, loss, iteration), this.points.focused);
  }
}
