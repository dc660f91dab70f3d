// Has the numbers that are shown checked by Python: again and again while they change, and never before anything
// that a person waits for.

/** @typedef {import("../model/types.js").Artifact} Artifact */
/** @typedef {import("../model/types.js").Verdict} Verdict */
/** @typedef {{artifact: Artifact, values: readonly number[], shown: readonly number[]}} Question */
/**
 * @typedef {object} Asked whom to ask
 * @property {(question: Question) => boolean} isFree whether nobody waits for anything else
 * @property {(question: Question) => Promise<Verdict | null>} ask null where there is no answer
 */

/** Time that is left to everything else after a check. */
const PAUSE_MS = 120;
/** How soon it is tried again while Python is busy. */
const BUSY_MS = 100;

export class Checker {
  /** @param {Asked} asked @param {(verdict: Verdict | null) => void} onVerdict null while there is none of what is shown now */
  constructor(asked, onVerdict) {
    this.asked = asked;
    this.onVerdict = onVerdict;
    /** @type {Question | null} */
    this.wanted = null;
    this.timer = 0;
    this.isAsking = false;
  }

  /** @param {Question} question about what is shown now */
  want(question) {
    if (this.wanted !== null && isSame(this.wanted, question)) return;
    this.wanted = question;
    this.onVerdict(null);
    if (this.timer === 0 && !this.isAsking) this.later(PAUSE_MS);
  }

  /** @private @param {number} ms */
  later(ms) {
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
