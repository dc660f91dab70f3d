// The page's end of the worker that descends and computes fields.

/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("../../model/types.js").Optimiser} Optimiser */
/** @typedef {import("../../model/types.js").Outcome} Outcome */
/** @typedef {import("./shot.js").Task} Task */
/** A request to start a descent at the shot `cue`. If `cue` is null, the worker continues its last descent. `epoch`: the number
 * of the descent. The page ignores reports about older descents.
 * @typedef {{epoch: number, cue: number[] | null, task: Task, optimiser: Optimiser, rate: number, most: number}} Order */
/** @typedef {{id: number, area: readonly number[], velocity: readonly number[], task: Task}} FieldOrder */
/**
 * A report of the worker about its descent.
 * @typedef {object} Report
 * @property {number} firstIteration - the number of the iteration with the first loss in `losses`
 * @property {number[]} losses
 * @property {Float64Array} cue - the shot that has the last loss in `losses`
 * @property {Float64Array} slope - the gradient of the loss for this shot
 * @property {{loss: number, cue: Float64Array, iteration: number}} best
 * @property {number} share - the factor by which the learning rate is multiplied now. It begins at 1, and becomes smaller in a
 *   difficult descent
 * @property {Outcome | null} outcome - why the descent ended. Null if it is running or was stopped
 * @property {boolean} running
 * @property {number} ms - the time of an iteration in milliseconds
 */
/** @typedef {{from: number, losses: number[], slopes: number[], done: boolean}} FieldPart */

import { LastingWorker } from "../../engine/workers.js";

export class DescentWorker {
  /** Starts the worker.
   * @param {Readonly<Record<Optimiser, Module>>} descents @param {(report: Report) => void} onReport
   * @param {(part: FieldPart) => void} onField
   * @param {(isBack: boolean) => void} onDeath called when the worker has crashed and its results are lost. `isBack` is true if
   * a new worker has started */
  constructor(descents, onReport, onField, onDeath) {
    this.descents = descents;
    this.epoch = 0;
    this.fieldId = 0;
    /** @type {TableArtifact | null} */
    this.artifact = null;
    this.worker = new LastingWorker("pages/billiards/descent.worker.js", (data) => {
      if (data.kind === "progress" && data.epoch === this.epoch) onReport(data);
      if (data.kind === "field" && data.id === this.fieldId) onField(data);
    }, (isBack) => {
      if (isBack && this.artifact !== null) this.use(this.artifact);
      onDeath(isBack);
    });
  }

  /** Loads a table's modules and cancels all running work. @param {TableArtifact} artifact */
  use(artifact) {
    this.artifact = artifact;
    this.epoch += 1;
    this.fieldId += 1;
    this.worker.postMessage({ kind: "modules", shot: artifact.shot, batch: artifact.batch, descents: this.descents });
  }

  /** @param {Omit<Order, "epoch">} order */
  descend(order) {
    if (order.cue !== null) this.epoch += 1;
    this.worker.postMessage({ kind: "descend", order: { ...order, epoch: this.epoch } });
  }

  /** Stops after the slice of work that is running now. Its results are still reported. */
  pause() {
    this.worker.postMessage({ kind: "pause" });
  }

  /** Stops the descent, and discards all results that have not been reported yet. */
  forget() {
    this.epoch += 1;
    this.pause();
  }

  /** Computes a field. @param {Omit<FieldOrder, "id"> | null} order null ends the work on a field */
  field(order) {
    this.fieldId += 1;
    this.worker.postMessage({ kind: "field", order: order && { ...order, id: this.fieldId } });
  }

  destroy() {
    this.worker.terminate();
  }
}
