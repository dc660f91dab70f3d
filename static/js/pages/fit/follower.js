// The fit that follows the document. Each new fit begins where the last fit ended, unless the formula has changed.

/** @typedef {import("./doc.js").Doc} Doc */
/** @typedef {import("./fitter.js").Fitter} Fitter */
/** @typedef {import("./fitter.js").Solution} Solution */
/** A fit, and the document and the kernels that it was computed from. `start`: the start parameters that the last search found.
 * @typedef {{doc: Doc, fitter: Fitter, solution: Solution, start: ArrayLike<number>}} Found */

export class Follower {
  constructor() {
    /** The last fit. @type {Found | null} */
    this.found = null;
    /** The shortest time of a fit that started from the previous fit. Other work on the machine may slow down a single fit, so
     * we use the shortest time. */
    this.fastestMs = Infinity;
  }

  /** Forgets the last fit. The next fit then searches for its start parameters. */
  forget() {
    this.found = null;
  }

  /** @param {Doc} doc @param {Fitter} fitter @param {boolean} areAbsolute whether standard deviations are in the units of y
   * @param {boolean} isHeld whether a point is being dragged. Then we do not search for a new start if the fit does not settle.
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
