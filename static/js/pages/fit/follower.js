// The fit that follows the document. Each new fit begins where the last fit ended, unless the formula has changed.

/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {import("./fitter.js").Fitter} Fitter */
/** @typedef {import("./fitter.js").Solution} Solution */
/** A fit, with the document and the compiled formula (`fitter`) that it was computed from. `start`: the start parameters that
 * the last search found.
 * @typedef {{doc: Doc, fitter: Fitter, solution: Solution, start: ArrayLike<number>}} Found */

export class Follower {
  constructor() {
    /** The last fit. @type {Found | null} */
    this.found = null;
    /** The time of the fastest fit so far, in milliseconds. Only a fit that starts from the previous fit's parameters counts.
     * We use the fastest fit, because other work on the machine may slow down a single fit. */
    this.fastestMs = Infinity;
  }

  /** Forgets the last fit. The next fit then searches for its start parameters. */
  forget() {
    this.found = null;
  }

  /** Returns the fit to a document's points. Begins at the last fit's parameters if possible. If that fit does not converge,
   * also tries a new start, except while a point is being dragged.
   * @param {Doc} doc @param {Fitter} fitter
   * @param {boolean} areAbsolute true if each point's `sigma` is in the units of y; false if only their ratios count
   * @param {boolean} isHeld true while a point is being dragged
   * @returns {Found} */
  fitted(doc, fitter, areAbsolute, isHeld) {
    const { found } = this;
    if (found !== null && found.doc === doc && found.fitter === fitter) return found;
    const isNear = found !== null && found.doc.text === doc.text && found.doc.start === doc.start && found.solution.x.every(Number.isFinite);
    const before = performance.now();
    let solution = fitter.solve(doc, isNear ? found.solution.x : null, areAbsolute);
    if (isNear) this.fastestMs = Math.min(this.fastestMs, performance.now() - before);
    const start = isNear ? found.start : fitter.searched;
    if (isNear && !isHeld && solution.ending !== "converged") {
      const again = fitter.solve(doc, null, areAbsolute);
      if (again.sum < solution.sum || again.ending === "converged") solution = again;
    }
    this.found = { doc, fitter, solution, start };
    return this.found;
  }
}
