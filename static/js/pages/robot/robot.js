// The page "Robot": the robot, your actions, and their consequences.

/** @typedef {import("../../engine/compiler.js").Compiler} Compiler */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Robot} RobotDoc */
/** @typedef {import("../../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../../model/types.js").RobotSetting} RobotSetting */
/** @typedef {import("../../model/types.js").TrainingReport} TrainingReport */
/** @typedef {import("./building.js").RobotOptions} RobotOptions */
/** @typedef {import("./building.js").Workshop} Workshop */
/** @typedef {import("./grips.js").Found} Found */
/** @typedef {import("./hands.js").RobotHands} RobotHands */

import { ModuleSource } from "../../engine/module-source.js";
import { Journey, step } from "../../page/journey.js";
import { Player } from "../../page/player.js";
import { SimulationPage } from "../../page/simulation-page.js";
import { Search } from "../../page/trouble.js";
import { build, join } from "./building.js";
import { Gait } from "./gait.js";
import { attachArena, attachGripKeys } from "./hands.js";
import { decodeRobot } from "./link.js";
import { Motion } from "./motion.js";
import { outcomeOf } from "./outcome.js";
import { attachRobotPanel } from "./panel.js";
import { attachKeeping, fragmentOf, isTrained, loadWeights, saveWeights, withWeightsLeft } from "./saved-weights.js";
import { Training } from "./training.js";
import { RobotView } from "./view.js";
import { rowsOf } from "./weights.js";
import * as texts from "./texts.js";
import * as robots from "./model.js";

/** Messages that we show while a robot has no modules yet. Each key is a state of Python. @type {Record<string, string>} */
const WAITING = { ready: texts.COMPILING_ROBOT, failed: texts.NO_PYTHON_ROBOT };

export class Robot {
  /** @param {HTMLElement} root @param {RobotBeginning} beginning @param {RobotArtifact} artifact of the first robot
   * @param {Compiler} compiler */
  constructor(root, beginning, artifact, compiler) {
    this.root = root;
    this.beginning = beginning;
    this.first = robots.robotOf(beginning, beginning.first);
    this.source = new ModuleSource(
      (spec) => compiler.compileRobot(spec),
      (compiled, spec) => new Gait(compiled.motion, robots.shapeOfSpec(spec, beginning)),
      robots.specOf(this.first),
      artifact,
    );
    this.journey = this.journeyFrom(this.first);
    /** @type {RobotOptions} */
    this.options = { editing: false, poses: true, mass: 0, spring: 0, chosen: "mass", joining: false };
    /** The last robot whose motion is finite. */
    this.good = this.first;
    /** The last robot whose gradient was finite too. */
    this.sound = this.first;
    /** The last computed motion. @type {{world: string, weights: unknown, gait: unknown, motion: Motion} | null} */
    this.seen = null;
    /** The robot whose link is written, or will be soon. @type {RobotDoc | null} */
    this.linked = null;
    /** @type {import("./scene.js").RobotScene | null} */
    this.scene = null;
    this.training = new Training(beginning, (report) => this.follow(report), (isBack) => {
      this.display.notify(isBack ? texts.TRAINING_AGAIN : texts.NO_TRAINING, !isBack);
      this.page.refresh();
    });
    this.training.use(artifact, this.first);
    this.search = new Search(compiler, "walk_trouble", () => this.page.refresh());
    this.player = new Player(beginning.dt, () => this.onMoment());
    this.display = this.viewOf(root);
    this.page = this.pageOn(root);
    this.workshop = this.workshopOf();
    this.hands = this.handsOn();
    const { picture, grips } = this.display;
    this.page.begin([
      attachArena(this.display.find(".place"), picture, grips, this.hands),
      this.attachPanel(),
      attachKeeping(() => this.robot, beginning),
    ]);
  }

  /** @private @param {HTMLElement} root @returns {SimulationPage<RobotDoc>} */
  pageOn(root) {
    const { journey, display, player, training, beginning } = this;
    /** @type {import("../../page/simulation-page.js").SimulationParts<RobotDoc>} */
    const parts = {
      first: this.first,
      journey,
      display,
      run: training,
      start: () => this.train(),
      draw: () => this.draw(),
      hint: "eglantine-play-hint-seen",
      encode: () => fragmentOf(this.robot, beginning),
      decode: (fragment) => {
        const opened = decodeRobot(fragment, beginning);
        if ("refused" in opened) return { refused: texts.ROBOT_REFUSED[opened.refused] };
        return { doc: withWeightsLeft(opened.robot, beginning, fragment) };
      },
      copied: () => (isTrained(this.robot, beginning) ? texts.COPIED_UNTRAINED : texts.COPIED),
      rewind: () => {
        player.seek(0);
        this.setEditing(false);
      },
      destroy: () => player.pause(),
    };
    return new SimulationPage(root, parts);
  }

  /** @private @returns {Workshop} */
  workshopOf() {
    const { journey, beginning, options, display, page } = this;
    return {
      journey,
      beginning,
      options,
      shown: () => this.shown,
      notify: (message) => display.notify(message),
      refresh: () => page.refresh(),
    };
  }

  /** @private @returns {RobotHands} */
  handsOn() {
    return {
      page: this.page,
      workshop: this.workshop,
      home: this.first.goal,
      move: (grip, to, tag) => this.move(grip, to, tag),
      choose: (grip) => this.choose(grip),
    };
  }

  /** @private @returns {() => void} removes the listeners */
  attachPanel() {
    const { page, display, player, workshop, beginning } = this;
    return attachRobotPanel({
      page,
      display,
      player,
      workshop,
      artifact: () => this.source.artifact,
      scene: () => this.scene,
      setEditing: (editing) => this.setEditing(editing),
      usePlan: (name) => this.usePlan(name),
      keptGait: () => page.goTo(step((robot) => robots.keptGait(robot, beginning) ?? robot)),
      startOver: () => page.goTo(step((robot) => robots.untrained(robot, beginning))),
      save: () => saveWeights(this.robot, beginning),
      load: (file) => this.load(file),
      choose: (grip) => this.choose(grip),
      set: (changes, tag) => this.set(changes, tag),
    });
  }

  /** @private @param {RobotDoc} first */
  journeyFrom(first) {
    return new Journey(first, {
      specOf: robots.specOf,
      source: this.source,
      adopted: (before, hasOtherModules) => this.adopted(before, hasOtherModules),
      arrived: () => this.page.refresh(),
      notify: (message, stays) => this.display.notify(message, stays),
      retract: (message) => this.display.retract(message),
      waiting: () => WAITING[this.root.dataset.python ?? ""] ?? texts.WAITING_ROBOT,
    });
  }

  /** @private @param {HTMLElement} root */
  viewOf(root) {
    return new RobotView(root, this.beginning, {
      resized: () => this.page.refresh(),
      typed: (place, axis, value) => this.type(place, axis, value),
      set: (name, value) => (name === "steps" ? this.setSteps(value) : this.set({ [name]: value }, name)),
      done: () => this.journey.settle(),
      newGrip: (element, grip) => attachGripKeys(this.hands, element, grip),
    });
  }

  get robot() {
    return this.journey.present;
  }

  /** The robot to draw. In the editor, this is the edited robot, even if its modules are not compiled yet. */
  get shown() {
    return this.options.editing ? this.journey.wanted : this.robot;
  }

  get selection() {
    const { chosen, mass, spring } = this.options;
    return { kind: chosen, index: chosen === "mass" ? mass : spring };
  }

  // Your actions. Each makes the next robot, and then `refresh` shows it.

  /** @param {(robot: RobotDoc) => RobotDoc} change @param {string | null} tag changes with the same tag are undone together */
  edit(change, tag) {
    this.journey.change(change, tag);
    this.page.refresh();
  }

  /** @private @param {RobotDoc} before @param {boolean} hasOtherModules */
  adopted(before, hasOtherModules) {
    const { training, robot } = this;
    const trains = training.running;
    if (hasOtherModules) {
      training.use(this.source.artifact, robot);
      if (trains) training.start(robot);
    } else if (robot.weights !== before.weights) {
      training.forget();
    } else if (robot !== before) {
      training.adjust(robot);
    }
    this.player.setSteps(robot.steps);
    this.page.refresh();
  }

  /** @param {Found} grip @param {Point} to @param {string | null} tag */
  move(grip, to, tag) {
    const { ground } = this.beginning;
    if (grip === "goal") this.edit((robot) => robots.moveGoal(robot, [to[0], Math.max(to[1], ground)]), tag);
    else if (typeof grip === "number") build(this.workshop, (robot) => robots.moveMass(robot, grip, to, ground), tag);
  }

  /** Selects a mass or a spring. If the visitor is adding a spring and selects a second mass, joins the two masses.
   * @param {Found} grip */
  choose(grip) {
    const { options } = this;
    if (grip === "goal") return;
    if (options.joining && typeof grip === "number" && grip !== options.mass) {
      join(this.workshop, options.mass, grip);
    } else if (typeof grip === "number") {
      options.chosen = "mass";
      options.mass = grip;
    } else {
      options.chosen = "spring";
      options.spring = Number(grip.split(" ")[1]);
    }
    this.page.refresh();
  }

  /** @param {boolean} editing */
  setEditing(editing) {
    this.options.editing = editing;
    this.options.joining = false;
    if (editing) this.player.seek(0);
    this.page.refresh();
  }

  /** @param {Partial<RobotSetting>} changes @param {string | null} tag */
  set(changes, tag) {
    this.edit((robot) => robots.set(robot, changes), tag);
  }

  /** @private @param {number} steps */
  setSteps(steps) {
    this.edit((robot) => robots.setSteps(robot, steps, this.beginning), "steps");
  }

  /** @private @param {"goal" | "mass"} place @param {0 | 1} axis @param {number} value */
  type(place, axis, value) {
    const grip = place === "goal" ? "goal" : this.options.mass;
    const [x, y] = grip === "goal" ? this.robot.goal : this.shown.masses[grip];
    this.move(grip, axis === 0 ? [value, y] : [x, value], `type ${place} ${axis}`);
  }

  /** @private */
  train() {
    const { player } = this;
    this.page.hideHint();
    this.setEditing(false);
    this.training.start(this.robot);
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (!still && !player.playing) player.toggle();
  }

  /** @param {string} name of a plan; "" begins a robot of your own */
  usePlan(name) {
    const { beginning } = this;
    if (name === "") this.setEditing(true);
    this.page.goTo(step((robot) => {
      if (name === "") return robots.untrained(robots.smallest(robot, beginning), beginning);
      const { settings, goal, steps } = robot;
      return { ...robots.robotOf(beginning, name), settings, goal, steps };
    }));
  }

  /** @private @param {File} file */
  async load(file) {
    const weights = await loadWeights(file, () => this.robot, this.beginning);
    if (typeof weights !== "string") this.page.goTo(step((robot) => ({ ...robot, weights })));
    this.display.notify(typeof weights === "string" ? weights : texts.WEIGHTS_LOADED);
  }

  // The consequences of a change.

  /** Copies the weights from a training report to the robot. @private @param {TrainingReport} report */
  follow(report) {
    const { weights, moments } = report;
    this.journey.amend({ ...this.robot, weights });
    if (Number.isFinite(report.norm)) this.sound = this.robot;
    const { robot, source: { made: gait } } = this;
    if (this.training.trainer.isNewest(report)) {
      const motion = new Motion(robot.masses, robot.springs.length, moments.x, moments.muscles);
      this.seen = { world: JSON.stringify(robots.worldOf(robot, this.beginning)), weights, gait, motion };
    }
    this.page.refresh();
  }

  /** Called when the replay of the walk shows another step. During training, starts the replay again when it has ended.
   * @private */
  onMoment() {
    const { player } = this;
    if (this.training?.running && !player.playing && player.step >= player.steps && player.steps > 0) player.toggle();
    this.page.refresh();
  }

  /** Draws the present robot. @private */
  draw() {
    const { robot, shown, player, training, options, journey, source } = this;
    const motion = this.look();
    options.mass = Math.min(options.mass, shown.masses.length - 1);
    options.spring = Math.min(options.spring, shown.springs.length - 1);
    player.setSteps(robot.steps);
    this.root.classList.toggle("is-editing", options.editing);
    const { editing, poses } = options;
    const ends = robot.settings.aim === "far" ? training.losses.map((loss) => -loss) : [];
    this.scene = { robot: shown, motion, step: editing ? 0 : player.step, editing, poses, ends, selection: this.selection };
    this.display.draw(this.scene, { robot, training, player, options, journey, source });
    this.showOutcome(motion);
    this.planLink();
  }

  /** Plans to write the robot's link to the address bar. Does nothing if that is already planned, so that the frames of a
   * replay do not delay it.
   * @private */
  planLink() {
    const rests = !this.training.running;
    if (rests && this.linked === this.robot) return;
    this.linked = rests ? this.robot : null;
    this.page.link.plan(rests);
  }

  /** Returns the robot's motion. Computes it only if the robot has changed. @private @returns {Motion} */
  look() {
    const { robot, source: { made: gait } } = this;
    const world = robots.worldOf(robot, this.beginning);
    const key = JSON.stringify(world);
    if (this.seen === null || this.seen.world !== key || this.seen.weights !== robot.weights || this.seen.gait !== gait) {
      this.seen = { world: key, weights: robot.weights, gait, motion: gait.motion(robot.weights, world) };
    }
    return this.seen.motion;
  }

  /** @private @param {Motion} motion */
  showOutcome(motion) {
    const { robot, beginning, training, sound } = this;
    if (motion.trouble() === null) this.good = robot;
    const loss = this.display.lossOf(robot, motion);
    const locate = (/** @type {Float64Array} */ weights) => this.locate(weights);
    const state = { robot, beginning, motion, loss, training, good: this.good, sound, locate };
    this.page.showOutcome(outcomeOf(state, (travel) => this.page.goTo(travel)));
  }

  /** Asks Python where a walk's numbers stop being finite. Returns null until Python has answered.
   * @private @param {Float64Array} weights */
  locate(weights) {
    const { robot, beginning } = this;
    if (!this.page.canAsk) return null;
    return this.search.of(weights, robots.specOf(robot), () => ({
      weights: rowsOf(weights, robots.shapeOf(robot, beginning)),
      world: robots.worldOf(robot, beginning),
      reaches: robot.settings.aim === "goal",
    }));
  }
}
