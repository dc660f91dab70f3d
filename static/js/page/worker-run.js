// The page's view of a descent in a worker: whether it runs, how it ended, and its reports.

/**
 * A report of a worker about its run.
 * @typedef {object} RunReport
 * @property {number} firstIteration - the number of the iteration with the first loss in `losses`
 * @property {number[]} losses
 * @property {boolean} running
 * @property {string | null} outcome - how the run ended, or null
 */

/** @template {RunReport} R */
export class WorkerRun {
  /** @param {{pause: () => void, forget: () => void, destroy: () => void}} worker @param {number} mostLosses */
  constructor(worker, mostLosses) {
    this.worker = worker;
    this.mostLosses = mostLosses;
    this.running = false;
    /** How the run ended, or null before it starts and while it runs. @type {R["outcome"] | "paused"} */
    this.outcome = null;
    /** @type {R | null} */
    this.report = null;
    /** @type {number[]} */
    this.losses = [];
    /** True if the worker has the document's state. */
    this.follows = false;
    /** The shortest time per iteration in any slice of work. Other programs on the machine may slow down a slice. */
    this.fastestMs = Infinity;
  }

  get iteration() {
    return Math.max(0, this.losses.length - 1);
  }

  /** Called before the run continues. @protected @returns {boolean} true if the worker has the document's state */
  begin() {
    if (this.losses.length > this.mostLosses) this.forget();
    const { follows } = this;
    this.follows = true;
    this.running = true;
    this.outcome = null;
    return follows;
  }

  pause() {
    if (!this.running) return;
    this.worker.pause();
    this.running = false;
    this.outcome = "paused";
  }

  /** Ends the run and forgets its results, because the document has moved to another state. */
  forget() {
    this.worker.forget();
    this.running = this.follows = false;
    this.outcome = this.report = null;
    this.losses = [];
  }

  /** Called when the worker has died. The document still has the state of the last report. A new worker must start from this
   * state.
   * @protected */
  die() {
    const { running } = this;
    this.forget();
    if (running) this.outcome = "paused";
  }

  /** @protected @param {R} report */
  note(report) {
    report.losses.forEach((loss, k) => {
      this.losses[report.firstIteration + k] = loss;
    });
    this.report = report;
    if (!this.running || report.running) return;
    this.running = false;
    this.outcome = report.outcome ?? "paused";
  }

  destroy() {
    this.worker.destroy();
  }
}
