// Starts and stops the descent of the shot and the field over the table, and receives their reports.

/** @typedef {import("./descent-worker.js").Report} Report */
/** @typedef {import("../../model/types.js").Beginning} Beginning */
/** @typedef {import("../../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Table} Table */
/**
 * The functions that a `Shooting` calls when its worker has new results.
 * @typedef {object} ShootingEvents
 * @property {(report: Report) => void} moved - called when the descent has found another shot
 * @property {() => void} field - called when more of the field has been computed
 * @property {(isBack: boolean) => void} died - called when the worker has crashed and its results are lost. `isBack` is true
 *   if a new worker has started
 */

import { WorkerRun } from "../../page/worker-run.js";
import { DescentWorker } from "./descent-worker.js";
import { Field, fieldKey } from "./field.js";

/** If more than 2 * MOST_GHOSTS earlier paths are shown, we remove every second path. */
const MOST_GHOSTS = 8;
const MOST_LOSSES = 20_000;

/** @extends {WorkerRun<Report>} */
export class Shooting extends WorkerRun {
  /** @param {Beginning} beginning @param {ShootingEvents} events */
  constructor({ cushions, descents }, events) {
    const worker = new DescentWorker(descents, (report) => this.receive(report), (part) => {
      this.field?.add(part);
      events.field();
    }, (isBack) => {
      this.die();
      this.field = null;
      this.fieldOf = "";
      events.died(isBack);
    });
    super(worker, MOST_LOSSES);
    this.descent = worker;
    /** The area of the field. */
    this.area = cushions;
    this.events = events;
    /** @type {(readonly Point[])[]} */
    this.ghosts = [];
    /** @type {Field | null} */
    this.field = null;
    /** The key of the field's table. */
    this.fieldOf = "";
  }

  /** @param {TableArtifact} artifact of another table */
  use(artifact) {
    this.descent.use(artifact);
    this.forget();
    this.field = null;
    this.fieldOf = "";
    this.fastestMs = Infinity;
  }

  /** Starts a descent from the table's shot, or continues a paused descent. @param {Table} table
   * @param {number} most iterations */
  start({ cue, rack, goal, target, settings: { optimiser, rate } }, most = Infinity) {
    const from = this.begin() ? null : [...cue.x, ...cue.v];
    this.descent.descend({ cue: from, task: { rack, goal, target }, optimiser, rate, most });
  }

  /** @override */
  forget() {
    super.forget();
    this.ghosts = [];
  }

  /** Adds an earlier path of the target ball to the picture. If there are too many, removes every second path.
   * @param {readonly Point[]} path */
  addGhost(path) {
    this.ghosts.push(path);
    if (this.ghosts.length > 2 * MOST_GHOSTS) this.ghosts = this.ghosts.filter((_, k) => k % 2 === 1);
  }

  /** Requests the field of a table, unless it has been requested already. @param {Table} table @param {string} spec */
  wantField(table, spec) {
    const key = fieldKey(table, spec);
    if (key === this.fieldOf) return;
    this.fieldOf = key;
    this.field = new Field(this.area);
    const { rack, goal, target, cue } = table;
    this.descent.field({ area: this.area, velocity: cue.v, task: { rack, goal, target } });
  }

  /** @param {Table} table @param {string} spec @returns {boolean} whether the table's field is complete */
  hasField(table, spec) {
    return this.field !== null && this.field.done && this.isFieldOf(table, spec);
  }

  /** @param {Table} table @param {string} spec */
  isFieldOf(table, spec) {
    return this.fieldOf === fieldKey(table, spec);
  }

  /** @private @param {Report} report */
  receive(report) {
    this.note(report);
    if (report.losses.length > 1) this.fastestMs = Math.min(this.fastestMs, report.ms);
    this.events.moved(report);
  }
}
