// The descent of the shot and the field over the table, as the page sees them: asked for, followed, stopped.

/** @typedef {import("../engine/descent.js").Report} Report */
/** @typedef {import("../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("../model/types.js").Outcome} Outcome */
/** @typedef {import("../model/types.js").Point} Point */
/** @typedef {import("../model/types.js").Table} Table */
/**
 * @typedef {object} ShootingEvents
 * @property {(report: Report) => void} moved the descent has reached another cue
 * @property {() => void} field more of the field is there
 * @property {(isBack: boolean) => void} died what ran is over; told whether it can run again
 */

import { DescentWorker } from "../engine/descent.js";
import { Field, fieldKey } from "../model/field.js";

/** Earlier paths that are drawn behind the present one, and iterations between them at first. */
const MOST_GHOSTS = 8;
const MOST_LOSSES = 20_000;

export class Shooting {
  /** @param {readonly [number, number, number, number]} area of the field @param {ShootingEvents} events */
  constructor(area, events) {
    this.area = area;
    this.events = events;
    this.running = false;
    /** @type {Outcome | "paused" | null} */
    this.outcome = null;
    /** @type {Report | null} */
    this.report = null;
    /** An iteration, in the best slice: others share the machine. */
    this.fastestMs = Infinity;
    /** @type {number[]} */
    this.losses = [];
    /** @type {(readonly Point[])[]} */
    this.ghosts = [];
    /** @type {Field | null} */
    this.field = null;
    /** What the field was computed for. */
    this.fieldOf = "";
    /** Whether the worker's cue ball is where the table has it. */
    this.follows = false;
    this.worker = new DescentWorker((report) => this.receive(report), (part) => {
      this.field?.add(part);
      events.field();
    }, (isBack) => {
      // The cue ball stays where the last report had it; another worker has to be told.
      const { running } = this;
      this.forget();
      if (running) this.outcome = "paused";
      this.field = null;
      this.fieldOf = "";
      events.died(isBack);
    });
  }

  get iteration() {
    return Math.max(0, this.losses.length - 1);
  }

  /** @param {TableArtifact} artifact another table's */
  use(artifact) {
    this.worker.use(artifact);
    this.forget();
    this.field = null;
    this.fieldOf = "";
    this.fastestMs = Infinity;
  }

  /** Descends from the table's cue ball, or goes on from there. @param {Table} table @param {number} most iterations */
  start({ cue, rack, goal, target, settings: { optimiser, rate } }, most = Infinity) {
    if (this.losses.length > MOST_LOSSES) this.forget();
    const from = this.follows ? null : [...cue.x, ...cue.v];
    this.worker.descend({ cue: from, task: { rack, goal, target }, optimiser, rate, most });
    this.follows = true;
    this.running = true;
    this.outcome = null;
  }

  pause() {
    if (!this.running) return;
    this.worker.pause();
    this.running = false;
    this.outcome = "paused";
  }

  /** The cue ball was put elsewhere: the descent so far is over. */
  forget() {
    this.worker.forget();
    this.running = this.follows = false;
    this.outcome = this.report = null;
    this.losses = [];
    this.ghosts = [];
  }

  /** Keeps a path of the target, thinning out what there is. @param {readonly Point[]} path */
  addGhost(path) {
    this.ghosts.push(path);
    if (this.ghosts.length > 2 * MOST_GHOSTS) this.ghosts = this.ghosts.filter((_, k) => k % 2 === 1);
  }

  /** Asks for the field of a table, unless that is what there is. @param {Table} table @param {string} spec */
  wantField(table, spec) {
    const key = fieldKey(table, spec);
    if (key === this.fieldOf) return;
    this.fieldOf = key;
    this.field = new Field(this.area);
    const { rack, goal, target, cue } = table;
    this.worker.field({ area: this.area, velocity: cue.v, task: { rack, goal, target } });
  }

  /** @param {Table} table @param {string} spec @returns {boolean} whether the field is that of the table, complete */
  hasField(table, spec) {
    return this.field !== null && this.field.done && this.fieldOf === fieldKey(table, spec);
  }

  /** @private @param {Report} report */
  receive(report) {
    report.losses.forEach((loss, k) => {
      this.losses[report.firstIteration + k] = loss;
    });
    this.report = report;
    if (report.losses.length > 1) this.fastestMs = Math.min(this.fastestMs, report.ms);
    if (this.running && !report.running) {
      this.running = false;
      this.outcome = report.outcome ?? "paused";
    }
    this.events.moved(report);
  }

  destroy() {
    this.worker.destroy();
  }
}
