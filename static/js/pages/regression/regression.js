// The page "Regression": points, the line that descends towards them, and what a person can do to both.

/** @typedef {import("./fitting.js").Fitting} Fitting */
/** @typedef {import("./contours.js").Segment} Segment */
/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").FitBeginning} FitBeginning */
/** @typedef {import("./fit.js").FitSetting} FitSetting */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../page/journey.js").Travel<Fit>} Travel */
/** What a change is about: the line is put elsewhere, the points are, or only how it goes on.
 * @typedef {"line" | "points" | "method"} Concern */

import { attachUndoKeys } from "../../gestures/keys.js";
import { format } from "../../model/numbers.js";
import { plainJourney, step } from "../../page/journey.js";
import { Link } from "../../page/share.js";
import { attachHint } from "../../widgets/hint.js";
import { attachHandleKeys, attachPlots } from "./hands.js";
import { LineDescent } from "./line-descent.js";
import { decodeFit, encodeFit } from "./link.js";
import { lossContours } from "./loss-contours.js";
import { attachRegressionPanel } from "./panel.js";
import { RegressionView } from "./view.js";
import * as histories from "../../model/history.js";
import * as texts from "../../texts.js";
import * as fits from "./fit.js";

/** The most steps between two pictures, so that a slow machine stays responsive. */
const MOST_STEPS = 2000;
/** A tab that was away does not make up for it. */
const LONGEST_FRAME_S = 0.1;

export class Regression {
  /** @param {HTMLElement} root @param {FitBeginning} beginning @param {Fitting} fitting */
  constructor(root, beginning, fitting) {
    this.root = root;
    this.beginning = beginning;
    this.fitting = fitting;
    this.first = fits.firstFit(beginning);
    this.journey = plainJourney(this.first, () => this.refresh());
    this.descent = new LineDescent(fitting);
    this.options = { follow: true, residuals: true, exact: true, perSecond: 200 };
    this.chosen = this.first.points.length - 1;
    /** What the surface was computed for, and its lines of equal loss. @type {{of: readonly unknown[], contours: Segment[][]} | null} */
    this.seen = null;
    /** What the button beside the outcome does. @type {(() => void) | null} */
    this.remedy = null;
    /** Steps that are due, and when they were counted. */
    this.due = { steps: 0, atMs: 0 };
    this.frame = 0;
    this.display = new RegressionView(root, beginning, {
      resized: () => this.refresh(),
      typed: (row, axis, value) => this.type(row, axis, value),
      set: (name, value) => this.set({ [name]: value }, name),
      done: () => this.journey.settle(),
      newHandle: (element, id) => attachHandleKeys(this, element, id),
    });
    this.hideHint = attachHint(this.display.find(".hint"), "eglantine-point-hint-seen");
    this.detachers = [
      ...attachPlots(this),
      attachRegressionPanel(this),
      attachUndoKeys(() => this.undo(), () => this.redo()),
    ];
    this.link = new Link({
      encode: () => encodeFit(this.fit),
      open: (fragment) => this.open(fragment),
      notify: (message) => this.display.notify(message),
    });
    this.link.open();
    this.render();
  }

  get fit() {
    return this.journey.present;
  }

  /** Where a line begins, measured as it is now. @returns {fits.Line} */
  startLine() {
    const [slope, intercept] = this.first.line;
    return [slope, intercept + slope * fits.originOf(this.fit, this.beginning)];
  }

  // Actions: each makes the next fit and lets `refresh` show it.

  /** @param {(fit: Fit) => Fit} change @param {string | null} tag changes with the same tag are undone together
   * @param {Concern} concern */
  edit(change, tag, concern) {
    if (!this.journey.change(change, tag)) return;
    if (concern === "line") this.descent.forget();
    if (concern === "points") this.retarget();
    if (concern === "method" && this.descent.running) this.descent.start();
    this.refresh();
  }

  /** The loss is another one now. @private */
  retarget() {
    this.descent.retarget();
    if (this.descent.running || this.options.follow) this.run();
  }

  /** @private */
  run() {
    if (!this.descent.running) this.due = { steps: 0, atMs: performance.now() };
    this.descent.start();
  }

  /** @param {number} k a point */
  choose(k) {
    if (k === this.chosen) return;
    this.chosen = k;
    this.refresh();
  }

  /** @param {Point | null} at null for a free place */
  add(at) {
    const { points } = this.fit;
    if (points.length >= this.beginning.mostPoints) {
      this.display.notify(texts.pointsFull(this.beginning.mostPoints));
      return;
    }
    this.journey.settle();
    this.chosen = points.length;
    this.edit((fit) => fits.addPoint(fit, at ?? freePlace(fit.points), this.beginning), null, "points");
  }

  /** @param {number} k */
  remove(k) {
    this.journey.settle();
    this.edit((fit) => fits.removePoint(fit, k), null, "points");
    this.chosen = Math.max(0, Math.min(this.chosen, this.fit.points.length - 1));
    this.refresh();
  }

  /** @param {string} name of a set */
  setData(name) {
    this.journey.settle();
    this.chosen = this.beginning.sets[name].length - 1;
    this.edit((fit) => fits.setData(fit, name, this.beginning), null, "points");
  }

  /** @param {Partial<FitSetting>} changes @param {string | null} tag */
  set(changes, tag) {
    const isMethod = "optimiser" in changes || "rate" in changes;
    this.edit((fit) => fits.set(fit, changes, this.beginning), tag, isMethod ? "method" : "points");
    if ("centred" in changes || "optimiser" in changes) this.descent.forgetSteps();
    if ("centred" in changes) this.descent.path = [];
  }

  /** @private @param {import("./view.js").Row} row @param {0 | 1} axis @param {number} value */
  type(row, axis, value) {
    const put = (/** @type {Point} */ [a, b]) => /** @type {Point} */ (axis === 0 ? [value, b] : [a, value]);
    if (row === "line") this.edit((fit) => fits.setLine(fit, put(fit.line)), `type line ${axis}`, "line");
    else this.edit((fit) => fits.movePoint(fit, this.chosen, put(fit.points[this.chosen])), `type point ${axis}`, "points");
  }

  descend() {
    if (this.descent.running) {
      this.descent.pause();
    } else {
      this.begin();
      this.run();
    }
    this.refresh();
  }

  once() {
    this.begin();
    this.descent.pause();
    this.journey.amend(this.descent.advance(this.fit, 1));
    if (this.descent.outcome === null) this.descent.outcome = "paused";
    this.refresh();
  }

  /** What a descent does is undone at once, back to where it began. @private */
  begin() {
    if (this.descent.path.length === 0) this.journey.mark({ ...this.fit });
  }

  undo() {
    this.goTo(histories.undo);
  }

  redo() {
    this.goTo(histories.redo);
  }

  /** To a state as it was: nothing descends from it by itself. @private @param {Travel} travel */
  goTo(travel) {
    this.descent.forget();
    this.journey.travel(travel);
    this.chosen = Math.min(this.chosen, this.fit.points.length - 1);
    this.refresh();
  }

  reset() {
    this.goTo(step(() => this.first));
  }

  // What follows from a change.

  /** Brings everything into line with the fit, in the next frame. */
  refresh() {
    if (this.frame === 0) this.frame = requestAnimationFrame((nowMs) => this.render(nowMs));
  }

  /** Goes on with the descent and draws the fit as it is then. @private @param {number} nowMs */
  render(nowMs = performance.now()) {
    this.frame = 0;
    if (this.descent.running) this.follow(nowMs);
    const scene = this.look();
    this.scene = scene;
    this.display.draw(scene, this.descent, this.fitting);
    this.display.showJourney(this.journey);
    const words = this.descent.running ? texts.PAUSE : texts.DESCEND;
    if (this.display.find(".descend").textContent !== words) this.display.find(".descend").textContent = words;
    this.showOutcome();
    this.link.plan(!this.descent.running);
    if (this.descent.running) this.refresh();
  }

  /** @private @param {number} nowMs */
  follow(nowMs) {
    const passed = Math.min(Math.max(0, nowMs - this.due.atMs) / 1000, LONGEST_FRAME_S);
    const due = this.due.steps + passed * this.options.perSecond;
    const steps = Math.min(Math.floor(due), MOST_STEPS);
    this.due = { steps: due - Math.floor(due), atMs: nowMs };
    if (steps > 0) this.journey.amend(this.descent.advance(this.fit, steps));
  }

  /** @private @returns {import("./scene.js").FitScene} */
  look() {
    const { fit, fitting, descent, options } = this;
    const exact = fitting.exact(fit);
    const region = fits.surfaceRegion(descent.running ? { ...fit, line: descent.path[0] ?? fit.line } : fit, exact);
    const { loss, threshold, centred } = fit.settings;
    const of = [fit.points, loss, threshold, centred, ...region];
    if (this.seen === null || of.some((part, k) => part !== this.seen?.of[k])) {
      this.seen = { of, contours: lossContours(fitting.surface(fit, region), this.beginning.cells) };
    }
    return {
      fit,
      origin: fits.originOf(fit, this.beginning),
      jet: fitting.jet(fit),
      exact,
      path: descent.path,
      chosen: this.chosen,
      residuals: options.residuals,
      showsExact: options.exact,
      region,
      contours: this.seen.contours,
      cells: this.beginning.cells,
    };
  }

  /** @private */
  showOutcome() {
    const { descent: { outcome, running, iteration, best } } = this;
    const isTooFar = outcome === "diverged" || outcome === "circling";
    this.remedy = isTooFar ? () => this.tryHalf() : null;
    const words = running ? texts.DESCENDING : outcome === null ? texts.FIT_RESTS : texts.FIT_OUTCOMES[outcome](format(Number(best.loss.toPrecision(4))), iteration);
    this.display.showOutcome(words, isTooFar ? texts.HALF_RATE : null);
  }

  /** @private */
  tryHalf() {
    const diverged = this.descent.outcome === "diverged";
    this.set({ rate: Number((this.fit.settings.rate / 2).toPrecision(3)) }, null);
    if (diverged) this.edit((fit) => fits.setLine(fit, this.startLine()), null, "line");
    this.descent.forgetSteps();
    this.run();
    this.refresh();
  }

  /** The theme has changed. */
  repaint() {
    this.display.scatter.repalette();
    this.display.surface.repalette();
    this.refresh();
  }

  /** What a link says. @private @param {string} fragment @returns {string | null} */
  open(fragment) {
    const opened = decodeFit(fragment, this.beginning, this.first);
    if ("refused" in opened) return texts.FIT_REFUSED[opened.refused];
    this.goTo(() => histories.begin(opened.fit));
    this.chosen = opened.fit.points.length - 1;
    return null;
  }

  destroy() {
    this.journey.destroy();
    this.link.destroy();
    cancelAnimationFrame(this.frame);
    for (const detach of this.detachers) detach();
    this.display.destroy();
  }
}

/** A place where no point is yet. @param {readonly Point[]} points @returns {Point} */
function freePlace(points) {
  const [x0, x1, y0, y1] = fits.AREA;
  let found = /** @type {Point} */ ([(x0 + x1) / 2, (y0 + y1) / 2]);
  let most = -1;
  for (let column = 1; column < 10; column++) {
    for (let row = 1; row < 10; row++) {
      const place = /** @type {Point} */ ([x0 + ((x1 - x0) * column) / 10, y0 + ((y1 - y0) * row) / 10]);
      // Near the middle rather than far away from all.
      const away = Math.min(3, ...points.map(([x, y]) => Math.hypot(x - place[0], y - place[1])));
      const value = away - 0.01 * Math.hypot(place[0] - (x0 + x1) / 2, place[1] - (y0 + y1) / 2);
      if (value > most) [found, most] = [place, value];
    }
  }
  return found;
}
