// Loss and gradient for a grid of the cue ball's positions on the table.

/** @typedef {import("../../model/types.js").Point} Point */
/** @typedef {import("../../model/types.js").Table} Table */

export const COLUMNS = 36;
export const ROWS = 24;
/** The number of places from a cell to the cell that we compute after it. With this large stride, cells all over the table are
 * computed first. STRIDE and COLUMNS · ROWS have no common divisor, so we come to every cell. */
const STRIDE = 353;

/** @param {number} k @returns {number} the k-th cell to compute; cells are numbered row by row from below */
export function cellOf(k) {
  return (k * STRIDE) % (COLUMNS * ROWS);
}

/** @param {number} cell @param {readonly number[]} area @returns {[number, number]} the cell's middle */
export function middleOf(cell, [x0, x1, y0, y1]) {
  return [
    x0 + ((x1 - x0) * ((cell % COLUMNS) + 0.5)) / COLUMNS,
    y0 + ((y1 - y0) * (Math.floor(cell / COLUMNS) + 0.5)) / ROWS,
  ];
}

/** Returns a text that identifies a table's field. The field depends on everything except the cue ball's position.
 * @param {Table} table @param {string} spec */
export function fieldKey({ cue, rack, goal, target }, spec) {
  return JSON.stringify([spec, cue.v, rack, goal, target]);
}

export class Field {
  /** @param {readonly [number, number, number, number]} area */
  constructor(area) {
    this.area = area;
    this.losses = new Float64Array(COLUMNS * ROWS).fill(NaN);
    this.slopes = new Float64Array(2 * COLUMNS * ROWS);
    this.done = false;
  }

  /** @param {{from: number, losses: number[], slopes: number[], done: boolean}} part */
  add({ from, losses, slopes, done }) {
    losses.forEach((loss, k) => {
      const cell = cellOf(from + k);
      this.losses[cell] = loss;
      this.slopes[2 * cell] = slopes[2 * k];
      this.slopes[2 * cell + 1] = slopes[2 * k + 1];
    });
    this.done = done;
  }

  /** @returns {Point | null} the position with the least loss among those whose slope is not zero, or null if there is none */
  best() {
    let best = -1;
    this.losses.forEach((loss, cell) => {
      const slope = Math.hypot(this.slopes[2 * cell], this.slopes[2 * cell + 1]);
      if (slope > 0 && Number.isFinite(slope + loss) && (best < 0 || loss < this.losses[best])) best = cell;
    });
    if (best < 0) return null;
    const [x, y] = middleOf(best, this.area);
    return [Number(x.toFixed(4)), Number(y.toFixed(4))];
  }
}
