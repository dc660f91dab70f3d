// The position of each ball after each step of a shot, and facts that follow from the positions.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Table} Table */
/** @typedef {{step: number, ball: number, at: Point}} Hit */
/** The first position in a shot that is not finite: its step, and the number of the ball.
 * @typedef {{step: number, ball: number}} Trouble */

export class Paths {
  /** @param {Table} table @param {Float64Array} x [step, ball, axis] @param {Int32Array} struck [step, ball] */
  constructor(table, x, struck) {
    this.start = [table.cue.x, ...table.rack];
    this.balls = this.start.length;
    this.steps = table.settings.steps;
    this.x = x;
    this.hits = hitsOf(this, struck);
  }

  /** @param {number} step 0 is the start @param {number} ball @returns {Point} */
  at(step, ball) {
    if (step === 0) return this.start[ball];
    const first = 2 * ((step - 1) * this.balls + ball);
    return [this.x[first], this.x[first + 1]];
  }

  /** @param {number} ball @returns {boolean} whether the ball ends elsewhere than it begins */
  moves(ball) {
    const [x, y] = this.at(this.steps, ball);
    return x !== this.start[ball][0] || y !== this.start[ball][1];
  }

  /** Finds the first position that is not finite. @returns {Trouble | null} */
  trouble() {
    for (let step = 0; step <= this.steps; step++) {
      for (let i = 0; i < this.balls; i++) {
        const [x, y] = this.at(step, i);
        if (!Number.isFinite(x + y)) return { step, ball: i };
      }
    }
    return null;
  }

  /** @param {number} dt seconds per step @returns {string} one line of comma-separated values per step */
  csv(dt) {
    const names = this.start.flatMap((_, ball) => [`x${ball}`, `y${ball}`]);
    const lines = [["step", "time", ...names].join(",")];
    for (let step = 0; step <= this.steps; step++) {
      const places = this.start.flatMap((_, ball) => this.at(step, ball));
      lines.push([step, Number((step * dt).toFixed(9)), ...places].join(","));
    }
    return `${lines.join("\n")}\n`;
  }
}

/** Finds the hits. If a ball is struck in several consecutive steps, these steps are one hit.
 * @param {Paths} paths @param {Int32Array} struck @returns {Hit[]} */
function hitsOf(paths, struck) {
  const { balls } = paths;
  const hits = [];
  for (let index = struck.indexOf(1); index >= 0; index = struck.indexOf(1, index + 1)) {
    if (index >= balls && struck[index - balls] !== 0) continue;
    const ball = index % balls;
    const step = (index - ball) / balls + 1;
    hits.push({ step, ball, at: paths.at(step, ball) });
  }
  return hits;
}
