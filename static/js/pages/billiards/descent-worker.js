// The page's end of the worker that descends and computes fields.

/** @typedef {import("../../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("../../model/types.js").Optimiser} Optimiser */
/** @typedef {import("../../model/types.js").Outcome} Outcome */
/** @typedef {import("./shot.js").Task} Task */
/** What to descend: from `cue`, or on from where descent is if that is null. Progress of an older epoch is dropped.
 * @typedef {{epoch: number, cue: number[] | null, task: Task, optimiser: Optimiser, rate: number, most: number}} Order */
/** @typedef {{id: number, area: readonly number[], velocity: readonly number[], task: Task}} FieldOrder */
/**
 * @typedef {object} Report
 * @property {number} firstIteration of `losses`
 * @property {number[]} losses
 * @property {Float64Array} cue whose loss is the last one
 * @property {Float64Array} slope
 * @property {{loss: number, cue: Float64Array, iteration: number}} best
 * @property {number} share of each step that is taken
 * @property {Outcome | null} outcome null while it goes on or was asked to stop here
 * @property {boolean} running
 * @property {number} ms an iteration
 */
/** @typedef {{from: number, losses: number[], slopes: number[], done: boolean}} FieldPart */

import { LastingWorker } from "../../engine/workers.js";

export class DescentWorker {
  /** @param {(report: Report) => void} onReport @param {(part: FieldPart) => void} onField
   * @param {(isBack: boolean) => void} onDeath what ran is over; told whether another worker is there */
  constructor(onReport, onField, onDeath) {
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

  /** @param {TableArtifact} artifact a table's; whatever ran is dropped */
  use(artifact) {
    this.artifact = artifact;
    this.epoch += 1;
    this.fieldId += 1;
    this.worker.postMessage({ kind: "modules", shot: artifact.shot, batch: artifact.batch });
  }

  /** @param {Omit<Order, "epoch">} order */
  descend(order) {
    if (order.cue !== null) this.epoch += 1;
    this.worker.postMessage({ kind: "descend", order: { ...order, epoch: this.epoch } });
  }

  /** Stops after the slice that runs now, which is still reported. */
  pause() {
    this.worker.postMessage({ kind: "pause" });
  }

  /** Stops; what it had not reported yet is dropped. */
  forget() {
    this.epoch += 1;
    this.pause();
  }

  /** @param {Omit<FieldOrder, "id"> | null} order null for none */
  field(order) {
    this.fieldId += 1;
    this.worker.postMessage({ kind: "field", order: order && { ...order, id: this.fieldId } });
  }

  destroy() {
    this.worker.terminate();
  }
}
