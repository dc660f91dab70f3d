// The page "Billiards": the table, your actions, and their consequences.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../model/types.js").Beginning} Beginning */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").ShotJet} ShotJet */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {import("../../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("../../model/types.js").TableSetting} TableSetting */
/** @typedef {import("./hands.js").Concern} Concern */
/** @typedef {import("./hands.js").TableHands} TableHands */

import { ModuleSource } from "../../engine/module-source.js";
import { Journey } from "../../page/journey.js";
import { Player } from "../../page/player.js";
import { SimulationPage } from "../../page/simulation-page.js";
import { Search } from "../../page/trouble.js";
import { attachGripKeys, attachTable, concernOf } from "./hands.js";
import { decodeTable, encodeTable } from "./link.js";
import { isAllFinite, outcomeOf } from "./outcome.js";
import { attachBilliardsPanel } from "./panel.js";
import { pathOf } from "./scene.js";
import { Shooting } from "./shooting.js";
import { Shot } from "./shot.js";
import { BilliardsView } from "./view.js";
import * as texts from "./texts.js";
import * as tables from "./table.js";

const FIELD_MS = 200;
/** If nothing changes for this long, we compile the table with one more ball. The visitor may add a ball next. */
const PREPARE_MS = 700;

export class Billiards {
  /** @param {HTMLElement} root @param {Beginning} beginning @param {TableArtifact} artifact of its default table
   * @param {Compiler} compiler */
  constructor(root, beginning, artifact, compiler) {
    this.compiler = compiler;
    this.beginning = beginning;
    this.first = tables.firstTable(beginning);
    this.source = new ModuleSource(
      (spec) => compiler.compileTable(spec),
      (compiled) => new Shot(compiled),
      tables.specOf(this.first),
      artifact,
    );
    this.journey = this.journeyFrom(this.first, root);
    /** @type {{show: "none" | "loss" | "gradient", traces: boolean, follow: boolean, wantsBest: boolean}} */
    this.options = { show: "none", traces: true, follow: true, wantsBest: false };
    /** The last table whose loss and gradient are finite. */
    this.good = this.first;
    /** The table computed last, with its paths and jet. @type {{table: Table, shot: unknown, paths: any, jet: any} | null} */
    this.seen = null;
    /** The last entry of `seen` that was kept as a ghost. @type {unknown} */
    this.ghosted = null;
    this.timer = 0;
    this.spare = 0;
    /** @type {import("./scene.js").TableScene | null} */
    this.scene = null;
    this.shooting = this.shootingOn();
    this.shooting.use(artifact);
    this.search = new Search(compiler, "shot_trouble", () => this.page.refresh());
    this.player = new Player(beginning.dt, () => this.page.refresh());
    this.display = this.viewOf(root);
    this.page = this.pageOn(root);
    this.hands = this.handsOn();
    const { picture, grips } = this.display;
    this.page.begin([attachTable(this.display.find(".place"), picture, grips, this.hands), this.attachPanel()]);
  }

  /** @private @param {HTMLElement} root @returns {SimulationPage<Table>} */
  pageOn(root) {
    const { journey, display, player, shooting } = this;
    /** @type {import("../../page/simulation-page.js").SimulationParts<Table>} */
    const parts = {
      first: this.first,
      journey,
      display,
      run: shooting,
      start: () => shooting.start(this.table),
      draw: () => this.draw(),
      hint: "eglantine-goal-hint-seen",
      encode: () => encodeTable(this.table),
      decode: (fragment) => {
        const opened = decodeTable(fragment, this.beginning, this.first);
        return "refused" in opened ? { refused: texts.TABLE_REFUSED[opened.refused] } : { doc: opened.table };
      },
      takeBack: () => journey.giveUp(),
      rewind: () => player.seek(0),
      ready: () => this.page.refresh(),
      destroy: () => {
        clearTimeout(this.timer);
        clearTimeout(this.spare);
        player.pause();
      },
    };
    return new SimulationPage(root, parts);
  }

  /** @private @returns {() => void} removes the listeners */
  attachPanel() {
    const { page, display, player, beginning, options, hands } = this;
    return attachBilliardsPanel({
      page,
      display,
      player,
      beginning,
      options,
      hands,
      artifact: () => this.source.artifact,
      scene: () => this.scene,
      add: (at) => this.add(at),
      once: () => this.once(),
      startFromBest: () => this.startFromBest(),
      set: (changes, tag) => this.set(changes, tag),
    });
  }

  /** @private @returns {TableHands} */
  handsOn() {
    return {
      page: this.page,
      first: this.first,
      table: () => this.table,
      edit: (change, tag, concern) => this.edit(change, tag, concern),
      choose: (target) => this.edit((table) => tables.setTarget(table, target), null, "task"),
      add: (at) => this.add(at),
    };
  }

  /** @private @param {Table} first @param {HTMLElement} root */
  journeyFrom(first, root) {
    return new Journey(first, {
      specOf: tables.specOf,
      source: this.source,
      adopted: (_, hasOtherModules) => {
        if (hasOtherModules) this.shooting.use(this.source.artifact);
        this.player.setSteps(this.table.settings.steps);
        this.page.refresh();
      },
      arrived: (follows) => (follows ? this.retarget() : this.page.refresh()),
      notify: (message, stays) => this.display.notify(message, stays),
      retract: (message) => this.display.retract(message),
      waiting: () => (root.dataset.python === "ready" ? texts.COMPILING : texts.WAITING),
    });
  }

  /** @private */
  shootingOn() {
    return new Shooting(this.beginning, {
      moved: (report) => this.follow(report),
      field: () => this.onField(),
      died: (isBack) => {
        this.display.notify(isBack ? texts.DESCENT_AGAIN : texts.NO_DESCENT, !isBack);
        this.page.refresh();
      },
    });
  }

  /** @private @param {HTMLElement} root */
  viewOf(root) {
    return new BilliardsView(root, this.beginning, {
      resized: () => this.page.refresh(),
      typed: (place, axis, value) => this.type(place, axis, value),
      set: (name, value) => this.set({ [name]: value }, name),
      done: () => this.journey.settle(),
      newGrip: (element, grip) => attachGripKeys(this.hands, element, grip),
    });
  }

  get table() {
    return this.journey.present;
  }

  get spec() {
    return tables.specOf(this.table);
  }

  // Your actions. Each makes the next table, and then `refresh` shows it.

  /** @param {(table: Table) => Table} change @param {string | null} tag changes with the same tag are undone together
   * @param {Concern} concern */
  edit(change, tag, concern) {
    const { cue } = this.table;
    const recover = this.recovery();
    if (!this.journey.change((table) => change(recover(table)), tag)) {
      this.page.refresh();
      return;
    }
    if (this.table.cue !== cue) this.shooting.forget();
    if (concern === "task") this.retarget();
  }

  /** Returns a function from table to table. If the last descent diverged, the function replaces the table's shot by the best
   * shot of this descent. Otherwise it returns the table unchanged.
   * @private @returns {(table: Table) => Table} */
  recovery() {
    const { outcome, report } = this.shooting;
    const best = outcome === "diverged" ? report?.best : undefined;
    return best && best.loss < Infinity ? (table) => tables.withCue(table, best.cue) : same;
  }

  /** Call this after a change of the task, for example of the goal or the rack. If a descent is running or the option
   * `follow` is on, starts a new descent. Otherwise discards the results of the last descent.
   * @private */
  retarget() {
    if (this.shooting.running || this.options.follow) this.shooting.start(this.table);
    else this.shooting.forget();
    this.page.refresh();
  }

  /** @param {Point | null} at */
  add(at) {
    if (this.table.rack.length + 1 >= this.beginning.mostBalls) this.display.notify(texts.tableFull(this.beginning.mostBalls));
    this.edit((table) => tables.addBall(table, at, this.beginning), null, "task");
  }

  /** @param {Partial<TableSetting>} changes @param {string | null} tag */
  set(changes, tag) {
    const isMethod = "optimiser" in changes || "rate" in changes;
    const { running } = this.shooting;
    const recover = isMethod ? same : this.recovery();
    const change = (/** @type {Table} */ table) => tables.set(recover(table), changes, this.beginning.mostSteps);
    if (!this.journey.change(change, tag)) this.page.refresh();
    else if (!isMethod) this.retarget();
    else if (running) this.shooting.start(this.table);
  }

  /** @private @param {import("./view.js").Place} place @param {0 | 1} axis @param {number} value */
  type(place, axis, value) {
    const grip = place === "target" ? this.table.target : place;
    const change = (/** @type {Table} */ table) => {
      const point = grip === "velocity" ? table.cue.v : tables.placeOf(table, grip);
      const to = /** @type {Point} */ (axis === 0 ? [value, point[1]] : [point[0], value]);
      return grip === "velocity" ? tables.setVelocity(table, to) : tables.put(table, grip, to);
    };
    this.edit(change, `type ${place} ${axis}`, grip === "velocity" ? "shot" : concernOf(grip));
  }

  once() {
    this.page.mark();
    this.shooting.start(this.table, 1);
    this.page.refresh();
  }

  startFromBest() {
    const { table, spec } = this;
    const isKnown = this.shooting.hasField(table, spec);
    const best = isKnown ? this.shooting.field?.best() : null;
    this.options.wantsBest = !isKnown;
    if (isKnown && !best) {
      this.display.notify(texts.NO_BEST);
    } else if (best) {
      this.display.notify("");
      this.journey.settle();
      this.edit((now) => tables.put(now, "cue", best), null, "shot");
      this.shooting.start(this.table);
    } else {
      this.shooting.pause();
      this.display.notify(texts.LOOKING, true);
      this.shooting.wantField(table, spec);
    }
    this.page.refresh();
  }

  // The consequences of a change.

  /** Gives the cue ball the position and velocity from a report of the descent. @private
   * @param {import("./descent-worker.js").Report} report */
  follow(report) {
    if (this.seen !== null && this.seen !== this.ghosted && this.shooting.running) {
      this.ghosted = this.seen;
      this.shooting.addGhost(pathOf(this.seen.paths, this.table.target));
    }
    this.journey.amend(tables.withCue(this.table, report.cue));
    this.page.refresh();
  }

  /** @private */
  onField() {
    if (this.options.wantsBest && this.shooting.hasField(this.table, this.spec)) this.startFromBest();
    this.page.refresh();
  }

  /** Draws the present table. @private */
  draw() {
    const { table, journey, shooting, player, source } = this;
    const { paths, jet } = this.look();
    const { show, traces } = this.options;
    player.setSteps(table.settings.steps);
    const isOld = show !== "none" && !shooting.isFieldOf(table, this.spec);
    this.scene = { table, paths, jet, step: player.step, field: shooting.field, isOld, show, traces, ghosts: shooting.ghosts };
    this.display.draw(this.scene, { journey, shooting, player, source });
    this.showOutcome(paths, jet);
    this.plan();
  }

  /** Computes the balls' paths, the loss and the gradient, once for each table. @private
   * @returns {{paths: import("./paths.js").Paths, jet: ShotJet}} */
  look() {
    const { table, shooting: { report, running } } = this;
    const { made: shot } = this.source;
    if (this.seen === null || this.seen.table !== table || this.seen.shot !== shot) {
      const { cue, slope = [], losses = [] } = report ?? {};
      const isReported = running && cue !== undefined && cue[0] === table.cue.x[0] && cue[1] === table.cue.x[1];
      const jet = isReported
        ? { loss: losses[losses.length - 1], x: [slope[0], slope[1]], v: [slope[2], slope[3]] }
        : shot.jet(table);
      this.seen = { table, shot, paths: shot.trace(table), jet };
    }
    return this.seen;
  }

  /** @private @param {import("./paths.js").Paths} paths @param {ShotJet} jet */
  showOutcome(paths, jet) {
    if (isAllFinite(jet)) this.good = this.table;
    const { shooting, good, journey: { isHeld } } = this;
    this.page.showOutcome(outcomeOf({ paths, jet, shooting, isHeld, good, locate: () => this.locate() }, {
      goTo: (travel) => this.page.goTo(travel),
      startFromBest: () => this.startFromBest(),
    }));
  }

  /** Asks Python for the first step with a number that is not finite. Returns null until Python has answered. @private */
  locate() {
    const { cue, rack, goal, target } = this.table;
    return this.page.canAsk ? this.search.of(this.table, this.spec, () => ({ cue, task: { rack, goal, target } })) : null;
  }

  /** Schedules work for the next pause between changes: compute the field, compile the next table, write the link. @private */
  plan() {
    clearTimeout(this.timer);
    clearTimeout(this.spare);
    this.spare = window.setTimeout(() => this.prepare(), PREPARE_MS);
    const needsField = this.options.show !== "none" || this.options.wantsBest;
    if (needsField && !this.shooting.running) {
      this.timer = window.setTimeout(() => this.shooting.wantField(this.table, this.spec), FIELD_MS);
    }
    this.page.link.plan(!this.shooting.running);
  }

  /** If Python has nothing else to do, compiles the table with one more ball, because the visitor may add a ball next.
   * @private */
  prepare() {
    const next = tables.specOf(tables.addBall(this.table, null, this.beginning));
    const isFree = this.compiler.python.isIdle && this.journey.pending === null && !this.shooting.running;
    if (isFree && !document.hidden) this.source.prepare(next);
  }
}

/** @param {Table} table */
function same(table) {
  return table;
}
