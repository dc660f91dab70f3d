// A descent in a worker, as a page sees it: whether it runs, how it ended, what it has told.

/**
 * @typedef {object} RunReport
 * @property {number} firstIteration of those whose losses these are
 * @property {number[]} losses
 * @property {boolean} running
 * @property {string | null} outcome
 */

/** @template {RunReport} R */
export class WorkerRun {
  /** @param {{pause: () => void, forget: () => void, destroy: () => void}} worker @param {number} mostLosses */
  constructor(worker, mostLosses) {
    this.worker = worker;
    this.mostLosses = mostLosses;
    this.running = false;
    /** How it ended; null while it runs, and before. @type {R["outcome"] | "paused"} */
    this.outcome = null;
    /** @type {R | null} */
    this.report = null;
    /** @type {number[]} */
    this.losses = [];
    /** Whether the worker is where the document is. */
    this.follows = false;
    /** An iteration, in the best slice: others share the machine. */
    this.fastestMs = Infinity;
  }

  get iteration() {
    return Math.max(0, this.losses.length - 1);
  }

  /** It is about to be asked to go on. @protected @returns {boolean} whether the worker is where the document is */
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

  /** The document is elsewhere now: what ran is over. */
  forget() {
    this.worker.forget();
    this.running = this.follows = false;
    this.outcome = this.report = null;
    this.losses = [];
  }

  /** What ran broke down, but the document stays where the last report had it; another worker has to be told. @protected */
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
