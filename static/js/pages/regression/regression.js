// The page "Regression": points, the line that is fitted to them by descent, and your actions on both.

/** @typedef {import("./fitting.js").Fitting} Fitting */
/** @typedef {import("../../model/contours.js").Segment} Segment */
/** @typedef {import("./fit.js").Fit} Fit */
/** @typedef {import("./fit.js").FitBeginning} FitBeginning */
/** @typedef {import("./fit.js").FitSetting} FitSetting */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./hands.js").Concern} Concern */
/** @typedef {import("./hands.js").FitHands} FitHands */

import { format } from "../../model/numbers.js";
import { plainJourney } from "../../page/journey.js";
import { SimulationPage } from "../../page/simulation-page.js";
import { attachHandleKeys, attachPlots } from "./hands.js";
import { LineDescent } from "./line-descent.js";
import { decodeFit, encodeFit } from "./link.js";
import { lossContours } from "../../model/loss-contours.js";
import { attachRegressionPanel } from "./panel.js";
import { RegressionView } from "./view.js";
import * as texts from "./texts.js";
import * as fits from "./fit.js";

/** The largest number of steps between two pictures. The limit keeps the page responsive on a slow machine. */
const MOST_STEPS = 2000;
/** The longest time, in seconds, for which a frame makes steps. If more time has passed since the last frame, the rest of the
 * steps is left out. So a tab that was in the background does not make all its missed steps at once. */
const LONGEST_FRAME_S = 0.1;

export class Regression {
  /** @param {HTMLElement} root @param {FitBeginning} beginning @param {Fitting} fitting */
  constructor(root, beginning, fitting) {
    this.beginning = beginning;
    this.fitting = fitting;
    this.first = fits.firstFit(beginning);
    this.journey = plainJourney(this.first, () => this.adopted());
    this.descent = new LineDescent(fitting);
    this.options = { follow: true, residuals: true, exact: true, perSecond: 200 };
    this.chosen = this.first.points.length - 1;
    /** The cached contour lines of the surface. `of`: the values that they were computed from.
     * @type {{of: readonly unknown[], contours: Segment[][]} | null} */
    this.seen = null;
    /** `steps`: the fraction of a step that the last frame left over for the next frame. `atMs`: the time of the last frame. */
    this.due = { steps: 0, atMs: 0 };
    /** @type {import("./scene.js").FitScene | undefined} */
    this.scene = undefined;
    this.display = new RegressionView(root, beginning, {
      resized: () => this.page.refresh(),
      typed: (row, axis, value) => this.type(row, axis, value),
      set: (name, value) => this.set({ [name]: value }, name),
      done: () => this.journey.settle(),
      newHandle: (element, id) => attachHandleKeys(this.hands, element, id),
    });
    this.page = this.pageOn(root);
    this.hands = this.handsOn();
    this.page.begin([...attachPlots(this.hands), this.attachPanel()]);
  }

  /** @private @param {HTMLElement} root @returns {SimulationPage<Fit>} */
  pageOn(root) {
    /** @type {import("../../page/simulation-page.js").SimulationParts<Fit>} */
    const parts = {
      first: this.first,
      journey: this.journey,
      display: this.display,
      run: this.descent,
      start: () => this.run(),
      draw: (nowMs) => this.draw(nowMs),
      hint: "eglantine-point-hint-seen",
      encode: () => encodeFit(this.fit),
      decode: (fragment) => {
        const opened = decodeFit(fragment, this.beginning, this.first);
        return "refused" in opened ? { refused: texts.FIT_REFUSED[opened.refused] } : { doc: opened.fit };
      },
      opened: () => {
        this.chosen = this.fit.points.length - 1;
      },
    };
    return new SimulationPage(root, parts);
  }

  /** @private @returns {FitHands} */
  handsOn() {
    return {
      page: this.page,
      display: this.display,
      fit: () => this.fit,
      startLine: () => this.startLine(),
      edit: (change, tag, concern) => this.edit(change, tag, concern),
      choose: (k) => this.choose(k),
      add: (at) => this.add(at),
      remove: (k) => this.remove(k),
    };
  }

  /** @private @returns {() => void} removes the listeners */
  attachPanel() {
    const { page, display, beginning, options, hands } = this;
    return attachRegressionPanel({
      page,
      display,
      beginning,
      options,
      hands,
      artifact: this.fitting.artifact,
      chosen: () => this.chosen,
      scene: () => this.scene,
      add: () => this.add(null),
      once: () => this.once(),
      setData: (name) => this.setData(name),
      set: (changes, tag) => this.set(changes, tag),
    });
  }

  /** Adopts another state. @private */
  adopted() {
    this.chosen = Math.min(this.chosen, this.fit.points.length - 1);
    this.page.refresh();
  }

  get fit() {
    return this.journey.present;
  }

  /** Returns the page's first line. Its intercept is the line's height at the present origin. @returns {fits.Line} */
  startLine() {
    const [slope, intercept] = this.first.line;
    return [slope, intercept + slope * fits.originOf(this.fit, this.beginning)];
  }

  // Your actions. Each makes the next fit, and then `refresh` shows it.

  /** @param {(fit: Fit) => Fit} change @param {string | null} tag changes with the same tag are undone together
   * @param {Concern} concern */
  edit(change, tag, concern) {
    if (!this.journey.change(change, tag)) return;
    if (concern === "line") this.descent.forget();
    if (concern === "points") this.retarget();
    if (concern === "method" && this.descent.running) this.descent.start();
    this.page.refresh();
  }

  /** Responds to a change of the points or of the kind of loss. Starts the descent again if it is running or if the option
   * `follow` is on. @private */
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
    this.page.refresh();
  }

  /** @param {Point | null} at null chooses a free place */
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
    this.page.refresh();
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

  once() {
    this.page.mark();
    this.descent.pause();
    this.journey.amend(this.descent.advance(this.fit, 1));
    if (this.descent.outcome === null) this.descent.outcome = "paused";
    this.page.refresh();
  }

  // The consequences of a change.

  /** If the descent is running, continues it. Then draws the points and the line. @private @param {number} nowMs */
  draw(nowMs) {
    if (this.descent.running) this.follow(nowMs);
    const scene = this.look();
    this.scene = scene;
    this.display.draw(scene, this.descent, this.fitting);
    this.display.showJourney(this.journey);
    this.display.text(".descend", this.descent.running ? texts.PAUSE : texts.DESCEND);
    this.showOutcome();
    this.page.link.plan(!this.descent.running);
    if (this.descent.running) this.page.refresh();
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
    const sentence = running ? texts.DESCENDING : outcome === null ? texts.FIT_RESTS : texts.FIT_OUTCOMES[outcome](format(Number(best.loss.toPrecision(4))), iteration);
    this.page.showOutcome(
      isTooFar
        ? { sentence, words: texts.HALF_RATE, remedy: () => this.tryHalf() }
        : { sentence, words: null, remedy: null },
    );
  }

  /** @private */
  tryHalf() {
    const diverged = this.descent.outcome === "diverged";
    this.set({ rate: Number((this.fit.settings.rate / 2).toPrecision(3)) }, null);
    if (diverged) this.edit((fit) => fits.setLine(fit, this.startLine()), null, "line");
    this.descent.forgetSteps();
    this.run();
    this.page.refresh();
  }
}

/** A place away from all points. @param {readonly Point[]} points @returns {Point} */
function freePlace(points) {
  const [x0, x1, y0, y1] = fits.AREA;
  let best = /** @type {Point} */ ([(x0 + x1) / 2, (y0 + y1) / 2]);
  let most = -1;
  for (let column = 1; column < 10; column++) {
    for (let row = 1; row < 10; row++) {
      const place = /** @type {Point} */ ([x0 + ((x1 - x0) * column) / 10, y0 + ((y1 - y0) * row) / 10]);
      // Beyond a distance of 3 from all points, being near the middle counts more.
      const away = Math.min(3, ...points.map(([x, y]) => Math.hypot(x - place[0], y - place[1])));
      const value = away - 0.01 * Math.hypot(place[0] - (x0 + x1) / 2, place[1] - (y0 + y1) / 2);
      if (value > most) [best, most] = [place, value];
    }
  }
  return best;
}
