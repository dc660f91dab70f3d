// The parts that the first picture does not need, and that load after it: contour map, slice, critical points, descent, error, and the
// saved views.

/** @typedef {import("../../model/critical.js").Critical} Critical */
/** @typedef {import("../../model/types.js").Artifact} Artifact */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./pictures.js").Built} Built */
/** @typedef {import("./pictures.js").More} More */
/** @typedef {import("./pictures.js").Scenes} Scenes */
/** @typedef {import("./pictures.js").Showing} Showing */
/** @typedef {import("./survey.js").Descent} Descent */
/** @typedef {import("./survey.js").SurveySource} SurveySource */
/** @typedef {import("./orders.js").Page & import("./lecture.js").Page & {render: () => void, goTo: (point: Point) => void}} Page */
/** Everything that extras.js has computed for a document. `critical`: the critical points, or null if they are not known yet.
 * @typedef {More & {critical: readonly Critical[] | null, descent: Descent,
 *   approximation: import("./approximation.js").Approximation}} Seen */

import { format, formatSlope } from "../../model/numbers.js";
import { setLabel } from "../../widgets/picture.js";
import { Approximations } from "./approximation.js";
import { Findings } from "./findings.js";
import { Lecture } from "./lecture.js";
import { Orders } from "./orders.js";
import { attachPlotHands } from "./plot-hands.js";
import { Plots } from "./plots.js";
import { Survey } from "./survey.js";
import * as texts from "./texts.js";

export class Extras {
  /** @param {Page} page @param {SurveySource} source */
  constructor(page, source) {
    const find = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (page.root.querySelector(selector));
    this.survey = new Survey(source);
    this.approximations = new Approximations(source);
    this.orders = new Orders(page);
    this.findings = new Findings(find(".findings"), (point) => page.goTo(point));
    this.plots = new Plots(page.root, () => page.render());
    page.display.pictures.others = [this.plots.map, this.plots.slice];
    this.numbers = find(".slice-numbers");
    this.lecture = new Lecture(page);
    this.detachers = attachPlotHands(page, this.plots);
  }

  /** @param {Showing} showing @param {Built} built @param {Artifact} artifact @param {readonly number[]} values of the parameters
   * @returns {Seen} */
  see(showing, built, artifact, values) {
    const { doc } = showing;
    const { rangeZ } = built.mesh;
    const critical = doc.shown.critical ? this.survey.criticalIn(doc, artifact, values, rangeZ[1] - rangeZ[0]) : [];
    const approximation = this.approximations.at(doc, artifact, values, built, showing.isMoving);
    const descent = doc.shown.descent ? this.survey.descentFrom(doc, artifact, values) : { path: [], end: null };
    return { critical, descent, approximation, ...this.plots.moreOf(showing, built, { path: descent.path, critical: critical ?? [], approximation }) };
  }

  /** @param {Scenes} scenes */
  draw(scenes) {
    this.plots.draw(scenes);
  }

  /** Describes the pictures in words: in the texts on the page, and in labels for screen readers.
   * @param {Showing} showing @param {Scenes} scenes @param {Seen} seen @param {string} formula
   * @param {string} place a text that says where the point is */
  show({ doc: { shown } }, scenes, { critical, descent, approximation, largest }, formula, place) {
    const { map, grip } = this.plots;
    this.findings.show(shown, critical, descent, largest);
    this.orders.show(shown.order, approximation);
    setLabel(map.canvas, texts.mapLabel(formula));
    setLabel(map.handle, texts.pointLabel(place));
    setLabel(grip, texts.sliceGripLabel(format(shown.angle)));
    if (scenes.slice === null) return;
    const { slope, bend } = scenes.slice.jet;
    const numbers = texts.sliceNumbers(formatSlope(slope), formatSlope(bend));
    if (this.numbers.textContent !== numbers) this.numbers.textContent = numbers;
  }

  destroy() {
    for (const detach of this.detachers) detach();
    this.survey.destroy();
    this.approximations.destroy();
    this.orders.destroy();
    this.lecture.destroy();
  }
}
