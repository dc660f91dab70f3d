// The page's end of the training worker. Orders carry an epoch, and reports of an earlier epoch are ignored.

/** @typedef {import("../../model/types.js").Module} Module */
/** @typedef {import("../../model/types.js").TrainingOrder} TrainingOrder */
/** @typedef {import("../../model/types.js").TrainingReport} TrainingReport */
/** @typedef {import("./weights.js").Shape} Shape */

import { LastingWorker } from "../../engine/workers.js";

export class TrainingWorker {
  /** @param {Module} descent @param {(report: TrainingReport) => void} onReport called with each report of the training
   * @param {(isBack: boolean) => void} onDied called when the worker has died, and its work is lost; `isBack` is true if
   *   another worker has started */
  constructor(descent, onReport, onDied) {
    this.descent = descent;
    this.epoch = 0;
    this.orders = 0;
    /** @type {{artifact: {training: Module, motion: Module}, shape: Shape} | null} */
    this.used = null;
    this.worker = new LastingWorker("pages/robot/training.worker.js", (data) => {
      if (data.epoch === this.epoch) onReport(data);
    }, (isBack) => {
      if (isBack && this.used !== null) this.use(this.used.artifact, this.used.shape);
      onDied(isBack);
    });
  }

  /** @param {{training: Module, motion: Module}} artifact @param {Shape} shape */
  use({ training, motion }, shape) {
    this.used = { artifact: { training, motion }, shape };
    this.epoch += 1;
    this.worker.postMessage({ kind: "modules", training, motion, shape, descent: this.descent });
  }

  /** True if a report answers the last order. @param {TrainingReport} report */
  isNewest({ order }) {
    return order === this.orders;
  }

  /** @param {Omit<TrainingOrder, "epoch" | "order">} order without weights, the worker continues from its own */
  train(order) {
    if (order.weights !== null) this.epoch += 1;
    this.worker.postMessage({ kind: "train", order: { ...order, epoch: this.epoch, order: ++this.orders } });
  }

  pause() {
    this.worker.postMessage({ kind: "pause" });
  }

  /** Stops the training and ignores its later reports. */
  forget() {
    this.epoch += 1;
    this.pause();
  }

  destroy() {
    this.worker.terminate();
  }
}
