// The page "Fit": points, a formula that is fitted to them while they move, and your actions on both.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../model/types.js").Diagnostic} Diagnostic */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("./doc.js").Beginning} Beginning */
/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("./fitter.js").FitterArtifact} FitterArtifact */
/** @typedef {import("./fitter.js").Solution} Solution */
/** @typedef {import("./scene.js").FitScene} FitScene */
/** The data and kernels that the build has prepared for the page.
 * @typedef {object} Compiled
 * @property {Beginning} beginning
 * @property {FitterArtifact} artifact the artifact of the first formula
 * @property {(file: string) => Promise<import("../../model/types.js").FitterArtifact>} load loads a formula's kernels
 * @property {(n: number, capacity: number) => Promise<Module>} loadSolver loads the solver for n parameters */
/** @typedef {Compiled & {compiler: Compiler}} FitParts */

import { ModuleSource } from "../../engine/module-source.js";
import { Journey } from "../../page/journey.js";
import { SimulationPage } from "../../page/simulation-page.js";
import { Fitter } from "./fitter.js";
import { Follower } from "./follower.js";
import { attachPointKeys, attachScatter } from "./hands.js";
import { decodeFit, encodeFit } from "./link.js";
import { FitModules } from "./modules.js";
import { attachFitPanel } from "./panel.js";
import { Valleys } from "./valleys.js";
import { FitView } from "./view.js";
import * as texts from "./texts.js";
import * as docs from "./doc.js";

const TYPING_MS = 60;
/** `SimulationPage` needs a run that it can start and pause. We compute a fit at once after each change, so this run does
 * nothing. */
const NO_RUN = { running: false, follows: true, pause() {}, forget() {} };

export class FitPage {
  /** @param {HTMLElement} root @param {FitParts} parts */
  constructor(root, { beginning, artifact, load, loadSolver, compiler }) {
    this.beginning = beginning;
    this.modules = new FitModules(beginning, load, loadSolver, compiler);
    const first = docs.docOf(beginning.sets[0]);
    const specOf = (/** @type {Doc} */ doc) => docs.specOf(doc, beginning);
    const make = (/** @type {FitterArtifact} */ made, /** @type {string} */ spec) => new Fitter(made, docs.readSpec(spec).capacity);
    this.source = new ModuleSource((spec) => this.compile(spec), make, specOf(first), artifact);
    this.follower = new Follower();
    this.valleys = new Valleys();
    this.options = { confidence: true, prediction: true, absolute: false };
    this.chosen = 0;
    this.region = docs.regionOf(first.points);
    /** The text that the visitor is typing, or null if the field shows the document's formula. @type {string | null} */
    this.draft = null;
    /** The error of the formula that was compiled last. @type {{text: string, error: Diagnostic} | null} */
    this.mistake = null;
    this.typing = 0;
    /** @type {FitScene | null} */
    this.scene = null;
    this.journey = this.journeyFrom(first, specOf);
    this.display = this.viewOn(root);
    this.display.field.setQuietNote(texts.FIT_NOTE);
    this.page = this.pageOn(root, first);
    this.hands = {
      page: this.page,
      display: this.display,
      scene: () => this.shown,
      edit: this.edit.bind(this),
      choose: this.choose.bind(this),
      add: (/** @type {Point} */ at) => this.add(at),
      remove: this.remove.bind(this),
    };
    this.page.begin([attachScatter(this.hands), this.attachPanel()]);
  }

  /** @private @param {Doc} first @param {(doc: Doc) => string} specOf @returns {Journey<Doc>} */
  journeyFrom(first, specOf) {
    return new Journey(first, {
      specOf,
      source: this.source,
      adopted: () => this.adopted(),
      arrived: () => this.page.drawNow(),
      notify: (message, stays) => {
        if (message !== this.mistake?.error.message) this.display.notify(message, stays);
        else this.display.retract(texts.WAITING_FIT);
      },
      retract: (message) => this.display.retract(message),
      waiting: () => texts.WAITING_FIT,
    });
  }

  /** @private @param {HTMLElement} root */
  viewOn(root) {
    return new FitView(root, this.beginning, {
      resized: () => this.page.refresh(),
      newHandle: (element, id) => attachPointKeys(this.hands, element, id),
      typed: (axis, value) => this.typeNumber(axis, value),
      done: () => this.journey.settle(),
      formula: (text) => this.type(text),
      held: (name, value) => this.edit((doc) => docs.hold(doc, name, value), `hold ${name}`),
      bounded: (side, name, value) => this.edit((doc) => docs.bound(doc, side, name, value), null),
    });
  }

  /** @private @param {HTMLElement} root @param {Doc} first @returns {SimulationPage<Doc>} */
  pageOn(root, first) {
    return new SimulationPage(root, {
      first,
      journey: this.journey,
      display: this.display,
      run: NO_RUN,
      start: () => {},
      draw: () => this.draw(),
      hint: "eglantine-fit-hint-seen",
      encode: () => this.encoded().fragment,
      decode: (fragment) => {
        const opened = decodeFit(fragment, this.beginning);
        return "refused" in opened ? { refused: texts.FITTER_REFUSED[opened.refused] } : opened;
      },
      takeBack: () => this.takeBack(),
      rewind: () => this.forgetDraft(),
      copied: () => (this.encoded().isWhole ? texts.COPIED : texts.COPIED_WITHOUT_POINTS),
      ready: () => {
        this.page.refresh();
        this.modules.warmUp();
      },
    });
  }

  /** @private @returns {() => void} removes the listeners */
  attachPanel() {
    const { page, display, beginning, options } = this;
    return attachFitPanel({
      page,
      display,
      beginning,
      options,
      fitter: () => this.fitter,
      exported: () => this.modules.exported(this.source.spec),
      scene: () => this.shown,
      chosen: () => this.chosen,
      choose: (k) => this.choose(k),
      add: () => this.add(null),
      remove: (k) => this.remove(k),
      edit: (change, tag) => this.edit(change, tag),
      type: (text) => this.typeNow(text),
      setData: (name) => this.setData(name),
      take: (points, left) => this.take(points, left),
      search: () => this.search(),
      changed: () => this.forgetFit(),
      pair: (names) => {
        this.valleys.pair = names;
      },
    });
  }

  get doc() {
    return this.journey.present;
  }

  /** @returns {Fitter} the kernels of the present document */
  get fitter() {
    return this.source.made;
  }

  /** The scene on the page. We compute it if the page has no scene yet. @private @returns {FitScene} */
  get shown() {
    return this.scene ?? this.look();
  }

  /** @private @param {string} spec */
  async compile(spec) {
    const answer = await this.modules.of(spec);
    if ("error" in answer) {
      this.mistake = { text: docs.readSpec(spec).text, error: answer.error };
      this.page.refresh();
    }
    return answer;
  }

  // Your actions.

  /** @param {(doc: Doc) => Doc} change @param {string | null} tag changes with the same tag are undone together */
  edit(change, tag) {
    this.journey.change(change, tag, true);
    this.page.refresh();
  }

  /** @private @param {string} text */
  type(text) {
    this.draft = text;
    this.mistake = null;
    this.display.field.clear();
    clearTimeout(this.typing);
    this.typing = window.setTimeout(() => this.typeNow(text), TYPING_MS);
  }

  /** @private @param {string} text */
  typeNow(text) {
    clearTimeout(this.typing);
    this.draft = text;
    this.mistake = null;
    this.edit((doc) => docs.setText(doc, text), "text");
  }

  /** @private @param {0 | 1 | 2} axis @param {number} value */
  typeNumber(axis, value) {
    const put = (/** @type {docs.Datum} */ [x, y, sigma, out]) =>
      /** @type {const} */ ([axis === 0 ? value : x, axis === 1 ? value : y, axis === 2 ? Math.max(0, value) : sigma, out]);
    this.edit((doc) => docs.change(doc, this.chosen, put), `type ${axis}`);
  }

  /** @param {number} k */
  choose(k) {
    this.chosen = k;
    this.page.refresh();
  }

  /** @private @param {Point | null} at null adds a point in the middle of the picture */
  add(at) {
    const most = docs.mostPoints(this.beginning);
    if (this.doc.points.length >= most) {
      this.display.notify(texts.pointsFull(most));
      return;
    }
    this.journey.settle();
    const [x0, x1, y0, y1] = this.region;
    const [x, y] = at ?? [(x0 + x1) / 2, (y0 + y1) / 2];
    this.edit((doc) => docs.addPoint(doc, [Number(x.toPrecision(5)), Number(y.toPrecision(5))]), null);
    this.chosen = this.doc.points.length - 1;
  }

  /** @private @param {number} k */
  remove(k) {
    this.journey.settle();
    this.edit((doc) => docs.removePoint(doc, k), null);
  }

  /** @private @param {string} name of a set */
  setData(name) {
    const set = this.beginning.sets.find((one) => one.name === name);
    if (set === undefined) return;
    this.forgetDraft();
    this.journey.settle();
    this.edit(() => docs.docOf(set), null);
  }

  /** @private @param {readonly docs.Datum[]} points @param {number} left the number of lines that could not be read */
  take(points, left) {
    const most = docs.mostPoints(this.beginning);
    if (points.length === 0) {
      this.display.notify(texts.EMPTY_TABLE);
      return;
    }
    const kept = points.slice(0, most);
    this.journey.settle();
    this.edit((doc) => docs.setPoints(doc, kept, "own"), null);
    this.display.notify(texts.tableTaken(kept.length, left, points.length - kept.length));
  }

  /** Makes the fit search for new start parameters. @private */
  search() {
    this.journey.settle();
    this.edit((doc) => ({ ...doc, start: {} }), null);
    this.forgetFit();
  }

  /** @private @returns {boolean} whether typed text or a pending change was taken back */
  takeBack() {
    const hadDraft = this.draft !== null && this.draft !== this.doc.text;
    this.forgetDraft();
    return this.journey.stepBack() || hadDraft;
  }

  /** @private */
  forgetDraft() {
    clearTimeout(this.typing);
    this.draft = null;
    this.mistake = null;
    this.display.field.clear();
  }

  /** @private */
  forgetFit() {
    this.follower.forget();
    this.page.refresh();
  }

  // The consequences of a change.

  /** @private */
  adopted() {
    const { doc } = this;
    this.chosen = Math.min(this.chosen, doc.points.length - 1);
    const [x0, x1, y0, y1] = this.region;
    const isShown = doc.points.every(([x, y]) => x >= x0 && x <= x1 && y >= y0 && y <= y1);
    const isOther = this.follower.found?.doc.set !== doc.set || this.follower.found.doc.points.length !== doc.points.length;
    if (!this.journey.isHeld && (!isShown || isOther)) this.region = docs.regionOf(doc.points);
    this.page.refresh();
  }

  /** @private */
  draw() {
    if (this.draft !== null && this.draft === this.doc.text) this.draft = null;
    const { display, doc, fitter } = this;
    const text = this.draft ?? doc.text;
    display.field.show(text);
    if (this.mistake !== null && this.mistake.text === text) display.field.showError(this.mistake.error);
    this.scene = this.look();
    const own = docs.ownSet(doc, this.beginning);
    this.showPairs(doc);
    display.draw(this.scene, fitter, own?.text === doc.text ? own : null);
    display.find("[name=set]").value = own === null ? "own" : own.name;
    display.find("[name=form]").value = Object.keys(this.beginning.forms).find((name) => this.beginning.forms[name] === doc.text) ?? "";
    display.find(".sigma-scale").hidden = !docs.hasSigmas(doc);
    display.showJourney(this.journey);
    display.find(".undo").disabled &&= this.draft === null;
    display.showFitCost(fitter.artifact.cost, this.follower.fastestMs, this.source.isCompiledHere && !Object.hasOwn(this.beginning.compiled, docs.readSpec(this.source.spec).text));
    this.showOutcome(this.scene.solution);
    this.page.link.plan(!this.journey.isHeld);
    if (this.valleys.late !== null) this.page.refresh();
  }

  /** @private @returns {FitScene} */
  look() {
    const { doc, fitter } = this;
    const { isHeld } = this.journey;
    const found = this.follower.fitted(doc, fitter, this.options.absolute, isHeld);
    const { solution } = found;
    return {
      doc,
      region: this.region,
      solution,
      curve: fitter.curve(solution, this.region),
      chosen: this.chosen,
      bands: this.options,
      valley: this.valleys.of(found, isHeld),
    };
  }

  /** Fills the menus in which you choose a parameter for each axis of the valley. @private @param {Doc} doc */
  showPairs(doc) {
    const free = this.fitter.names.filter((name) => !(name in doc.held));
    const { display } = this;
    display.find(".axes-row").hidden = free.length < 3;
    ["across", "up"].forEach((name, k) => {
      const select = display.find(`[name=${name}]`);
      if ([...select.options].map(({ value }) => value).join(" ") !== free.join(" ")) select.replaceChildren(...free.map((one) => new Option(one, one)));
      const shown = this.scene?.valley?.names[k] ?? "";
      select.value = free.includes(shown) ? shown : (free[k] ?? "");
    });
  }

  /** @private @param {Solution} solution */
  showOutcome({ ending, rounds, freedom }) {
    const words = ending === "converged" || ending === "few" ? null : texts.SEARCH_START;
    this.page.showOutcome({ sentence: texts.FIT_ENDINGS[ending](rounds, -freedom), words, remedy: words === null ? null : () => this.search() });
  }

  /** @private */
  encoded() {
    const { names } = this.fitter;
    const { found } = this.follower;
    const x = found?.solution.x;
    const isOfText = found?.doc.text === this.doc.text;
    const at = isOfText && x !== undefined ? Object.fromEntries(names.map((name, k) => [name, x[k]])) : {};
    return encodeFit(this.doc, at, this.beginning);
  }
}
