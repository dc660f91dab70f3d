// The page "Quadratic": the document, your actions, and their consequences.

/** @typedef {import("../../model/types.js").Doc} Doc */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Preset} Preset */
/** @typedef {import("../../model/types.js").View} View */
/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../engine/compiler.js").Status} Status */
/** @typedef {import("./extras.js").Extras} Extras */
/** The parts that were loaded before the page was made. `surveys` and `polynomials`: functions that load kernels of the
 * presets. `extras`: the module extras.js, or null if the first picture does not need it.
 * @typedef {{presets: readonly Preset[], surveys: import("./survey.js").SurveySource["presets"], polynomials: import("./survey.js").SurveySource["polynomials"],
 *   extras: typeof import("./extras.js") | null}} Loaded */

import { Checker } from "../../engine/checker.js";
import { KEY_ZOOM } from "../../gestures/keys.js";
import { limitView, START_VIEW } from "../../model/camera.js";
import { decode, encode } from "../../model/link.js";
import { keyStep, tidy } from "../../model/numbers.js";
import { FormulaJourney } from "../../page/formula-journey.js";
import { attachSetting } from "../../page/setting.js";
import { Link } from "../../page/share.js";
import { SliderPlayer } from "../../page/slider-player.js";
import { download } from "../../widgets/downloads.js";
import { attachExport } from "../../widgets/exports.js";
import { attachHint } from "../../widgets/hint.js";
import { attachEmbed } from "./embed.js";
import { attachHands, TURN_STEP } from "./hands.js";
import { isPlain } from "./pictures.js";
import { QuadraticView } from "./view.js";
import * as docs from "../../model/doc.js";
import * as texts from "./texts.js";

const TIMING_MS = 250;
/** A motion has ended when nothing has moved for this long. */
const REST_MS = 200;

export class Quadratic {
  /** @param {HTMLElement} root @param {Loaded} loaded the presets have the default first @param {Compiler} compiler */
  constructor(root, { presets, surveys, polynomials, extras }, compiler) {
    this.root = root;
    this.presets = presets;
    this.view = START_VIEW;
    this.frame = 0;
    this.timing = 0;
    /** The timer that ends a motion, or 0 if nothing moves. During a motion, the pictures have fewer cells. */
    this.rest = 0;
    /** @type {FormulaJourney<Doc>} */
    this.formula = new FormulaJourney(root, presets, {
      compile: (text, names) => compiler.compile(text, names),
      early: (text, names) => compiler.early(text, names),
      namesOf: docs.variableNames,
      begin: (doc) => doc,
      equations: true,
      withLetters: docs.addLetters,
      addsByItself: () => this.find("[name=by-itself]").checked,
      pruned: docs.dropUnused,
      changed: () => this.changed(),
      arrived: () => {
        clearTimeout(this.timing);
        this.timing = window.setTimeout(() => this.display.timeCalls(this.source, this.doc), TIMING_MS);
      },
    });
    /** @type {import("./survey.js").SurveySource} */
    this.surveySource = {
      presets: surveys,
      polynomials,
      compiler,
      presetOf: (artifact) => presets.find((preset) => preset.artifact === artifact)?.id ?? null,
      isIdle: () => compiler.python.isIdle,
      compile: async ({ text, names }) => {
        const answer = await compiler.compileSurvey(text, names);
        return "artifact" in answer ? answer.artifact : "superseded" in answer ? "later" : null;
      },
      arrived: () => this.changed(),
    };
    this.display = new QuadraticView(root, {
      resized: () => this.render(),
      typedX: (x) => this.change(docs.placePoint(this.doc, [x, this.doc.point[1]]), "x"),
      typedY: (y) => this.change(docs.placePoint(this.doc, [this.doc.point[0], y]), "y"),
      slid: (name, value) => {
        this.player.stop(name);
        this.move();
        this.change(docs.setParam(this.doc, name, value), `slider ${name}`);
      },
      ranged: (name, field, value) => this.change(docs.setSliderField(this.doc, name, field, value), `${field} ${name}`),
      played: (name) => this.player.toggle(name),
      sped: (name, speed) => this.player.setSpeed(name, speed),
      done: () => this.formula.settle(),
      edited: (edit, tag) => this.change(edit(this.doc), tag),
    });
    this.player = new SliderPlayer(
      () => this.doc.params,
      (values) => {
        let { doc } = this;
        for (const [name, value] of values) doc = docs.setParam(doc, name, value);
        this.change(doc, "play");
      },
      () => this.display.sliders.showPlaying((name) => this.player.playing.has(name)),
    );
    attachSetting(this.find("[name=by-itself]"), "eglantine sliders");
    /** The parts that load after the first picture. @type {Extras | null} */
    this.extras = extras && new extras.Extras(this, this.surveySource);
    this.checker = new Checker(compiler.formulaCheck, (verdict) => this.display.badge.show(verdict));
    this.hideHint = attachHint(this.find(".hint"));
    this.detachers = attachHands(this);
    this.attachPanel();
    this.link = new Link({
      encode: () => encode(this.doc, this.view, this.presets),
      open: (fragment) => this.open(fragment),
      notify: (message) => this.display.notify(message),
    });
    this.link.open();
    this.refresh();
    this.render();
    requestAnimationFrame(() => setTimeout(() => this.withExtras().catch(() => {})));
  }

  get doc() {
    return this.formula.doc;
  }

  get source() {
    return this.formula.source;
  }

  get preset() {
    return /** @type {Preset} */ (this.formula.example);
  }

  /** @param {string} selector @returns {any} the element, which quadratic.html has */
  find(selector) {
    return this.root.querySelector(selector);
  }

  /** @private */
  attachPanel() {
    const zoom = (/** @type {number} */ factor) => this.change(docs.zoom(this.doc, factor), "zoom");
    const actions = /** @type {[string, () => void][]} */ ([
      [".reset", () => this.reset()],
      [".share", () => this.link.share(this.formula.typedOver)],
      [".turn-left", () => this.turn(3 * TURN_STEP, 0)],
      [".turn-right", () => this.turn(-3 * TURN_STEP, 0)],
      [".tilt-up", () => this.turn(0, 2 * TURN_STEP)],
      [".tilt-down", () => this.turn(0, -2 * TURN_STEP)],
      [".zoom-in", () => zoom(KEY_ZOOM)],
      [".zoom-out", () => zoom(1 / KEY_ZOOM)],
      [".first-view", () => this.lookAtFirst()],
      [".png", () => this.save("png")],
      [".svg", () => this.save("svg")],
      [".save-view", async () => (await this.withExtras()).lecture.save()],
      [".present", async () => (await this.withExtras()).lecture.present()],
    ]);
    for (const [selector, action] of actions) this.find(selector).addEventListener("click", action);

    const notify = (/** @type {string} */ message) => this.display.notify(message);
    const module = async () => {
      await this.source.answered;
      return { formula: this.source.artifact };
    };
    attachExport(this.find(".export"), "formula", module, notify, () => this.formula.compiledInstead);
    const shown = async () => {
      await this.source.answered;
      const { artifact } = this.source;
      const params = this.doc.params.filter(({ name }) => artifact.names.includes(name));
      return { artifact, doc: { ...this.doc, params }, instead: this.formula.compiledInstead };
    };
    attachEmbed(this.find(".embed"), shown, notify);
  }

  // Your actions. Each makes the next document or view, and then `refresh` shows it.

  /** @param {Doc} doc @param {string | null} tag changes with the same tag are undone together */
  change(doc, tag) {
    this.formula.change(doc, tag);
  }

  /** Puts the point where you chose to go. @param {Point} point */
  goTo(point) {
    this.formula.settle();
    this.change(docs.placePoint(this.doc, point), null);
  }

  /** Shows a saved view. @param {Doc} doc @param {View} view */
  visit(doc, view) {
    this.view = limitView(view);
    this.formula.goTo(doc);
  }

  /** @param {number} scale of the pictures */
  enlarge(scale) {
    this.display.pictures.enlarge(scale);
    this.changed();
  }

  /** @param {string} message */
  notify(message) {
    this.display.notify(message);
  }

  /** Saves the pictures as a file. @private @param {"png" | "svg"} kind */
  async save(kind) {
    await this.withExtras();
    const figure = this.display.figure(this.source.artifact.text);
    if (figure === null) return;
    const { figureAsPng, figureAsSvg } = await import("./figure.js");
    const file = kind === "png" ? await figureAsPng(figure) : new Blob([figureAsSvg(figure)], { type: "image/svg+xml" });
    download(`quadratic.${kind}`, file);
  }

  /** @private */
  reset() {
    this.view = START_VIEW;
    this.formula.goTo(this.preset.doc);
  }

  /** Resets the camera, the region and the range of heights. The region is the preset's region, and the range of heights is
   * automatic again.
   * @private */
  lookAtFirst() {
    this.view = START_VIEW;
    this.formula.settle();
    this.change(docs.setHeights(docs.setRegion(this.doc, this.preset.doc.region), null), null);
    this.changed();
  }

  /** @param {Point} point @param {string | null} tag */
  movePoint(point, tag) {
    this.change(docs.movePoint(this.doc, point), tag);
    this.hideHint();
  }

  /** @param {number} dx @param {number} dy in steps */
  step(dx, dy) {
    const [x0, x1, y0, y1] = this.doc.region;
    const [x, y] = this.doc.point;
    const moved = /** @type {const} */ ([tidy(x + dx * keyStep(x1 - x0)), tidy(y + dy * keyStep(y1 - y0))]);
    this.change(docs.placePoint(this.doc, docs.clampToRegion(this.doc.region, moved)), "keys");
    this.hideHint();
  }

  /** @param {number} yaw @param {number} pitch in radians */
  turn(yaw, pitch) {
    this.look({ yaw: this.view.yaw - yaw, pitch: this.view.pitch + pitch });
  }

  /** @param {View} view */
  look(view) {
    this.view = limitView(view);
    this.changed();
  }

  // The consequences of a change.

  /** Updates the field, the kernel and the picture to match the document and the typed text. */
  refresh() {
    this.formula.refresh();
  }

  /** Notes that a hand moves something. */
  move() {
    clearTimeout(this.rest);
    this.rest = window.setTimeout(() => this.stay(), REST_MS);
  }

  /** Draws in full again after a motion. */
  stay() {
    if (this.rest === 0) return;
    clearTimeout(this.rest);
    this.rest = 0;
    this.changed();
  }

  /** Draws in the next frame. Writes the link into the address after a pause without changes. @private */
  changed() {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.render());
    this.link.plan(this.source.isCurrent);
  }

  /** Loads extras.js, unless it is loaded already. @private @returns {Promise<Extras>} */
  async withExtras() {
    if (this.extras === null) {
      const { Extras } = await import("./extras.js");
      this.extras ??= new Extras(this, this.surveySource);
      this.render();
    }
    return this.extras;
  }

  /** Draws the present document. */
  render() {
    this.frame = 0;
    if (this.extras === null && !isPlain(this.doc.shown)) this.withExtras().catch(() => {});
    this.checker.want(this.display.draw(this.doc, this.view, this.source, this.rest !== 0, this.extras));
    this.extras?.lecture.show(this.doc);
  }

  /** Redraws in the colours of another theme. */
  repaint() {
    this.display.pictures.repalette();
    this.render();
  }

  /** Opens a link. @private @param {string} fragment @returns {string | null} null, or why it cannot be opened */
  open(fragment) {
    const opened = decode(fragment, this.presets);
    if ("refused" in opened) return texts.REFUSED[opened.refused];
    this.view = opened.view === null ? START_VIEW : limitView(opened.view);
    this.formula.begin(opened.doc);
    // Until the link's formula is compiled, the picture shows the example from which that formula began.
    this.source.recall(this.preset.doc.text, docs.variableNames(opened.doc));
    this.refresh();
    return null;
  }

  /** @param {Status} status of the compiler */
  showStatus(status) {
    this.display.showStatus(status);
    this.formula.showNote();
  }

  destroy() {
    clearTimeout(this.timing);
    clearTimeout(this.rest);
    cancelAnimationFrame(this.frame);
    for (const detach of this.detachers) detach();
    this.player.destroy();
    this.extras?.destroy();
    this.checker.destroy();
    this.link.destroy();
    this.display.destroy();
    this.formula.destroy();
  }
}
