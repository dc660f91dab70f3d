// Lets Python check the numbers on the page whenever they change. Work that a person waits for comes first.

/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Verdict} Verdict */
/** @typedef {{artifact: Artifact, values: readonly number[], shown: readonly number[]}} Question */
/**
 * @typedef {object} Asked the Python that checks the numbers
 * @property {(question: Question) => boolean} isFree - true if Python has time for the question
 * @property {(question: Question) => Promise<Verdict | null>} ask - returns the verdict, or null if Python gave no answer
 */

/** How long we wait after the last change of the shown numbers before we let Python check them. If we asked earlier, the
 * numbers would often change before the verdict arrives. */
const PAUSE_MS = 120;
/** The time after which we ask again if Python is busy. */
const BUSY_MS = 100;

export class Checker {
  /** @param {Asked} asked
   * @param {(verdict: Verdict | null) => void} onVerdict gets null while the numbers shown have no verdict */
  constructor(asked, onVerdict) {
    this.asked = asked;
    this.onVerdict = onVerdict;
    /** @type {Question | null} */
    this.wanted = null;
    this.timer = 0;
    this.isAsking = false;
  }

  /** @param {Question} question about the numbers shown now */
  want(question) {
    if (this.wanted !== null && isSame(this.wanted, question)) return;
    this.wanted = question;
    this.onVerdict(null);
    if (!this.isAsking) this.later(PAUSE_MS);
  }

  /** @private @param {number} ms */
  later(ms) {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.ask(), ms);
  }

  /** @private */
  async ask() {
    this.timer = 0;
    const question = this.wanted;
    if (question === null) return;
    if (!this.asked.isFree(question)) {
      this.later(BUSY_MS);
      return;
    }
    this.isAsking = true;
    const verdict = await this.asked.ask(question);
    this.isAsking = false;
    if (this.wanted === question && verdict !== null) this.onVerdict(verdict);
    else if (this.timer === 0) this.later(PAUSE_MS);
  }

  destroy() {
    clearTimeout(this.timer);
    this.wanted = null;
  }
}

/** @param {Question} one @param {Question} other */
function isSame(one, other) {
  const same = (/** @type {readonly number[]} */ a, /** @type {readonly number[]} */ b) => a.every((x, k) => Object.is(x, b[k]));
  return one.artifact === other.artifact && same(one.values, other.values) && same(one.shown, other.shown);
}
