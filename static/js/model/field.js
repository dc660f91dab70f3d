// Loss and gradient over the table, for a grid of places of the cue ball.

/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Table} Table */

const COLUMNS = 36;
const ROWS = 24;

/** What a table's field depends on, as a text: all but where the cue ball is.
 * @param {Table} table @param {string} spec */
export function fieldKey({ cue, rack, goal, target }, spec) {
  return JSON.stringify([spec, cue.v, rack, goal, target]);
}

export class Field {
  /** @param {readonly [number, number, number, number]} area */
  constructor(area) {
    this.area = area;
    this.columns = COLUMNS;
    this.rows = ROWS;
    this.losses = new Float64Array(COLUMNS * ROWS).fill(NaN);
    this.slopes = new Float64Array(2 * COLUMNS * ROWS);
    this.done = false;
  }

  /** @param {{from: number, losses: number[], slopes: number[], done: boolean}} part */
  add({ from, losses, slopes, done }) {
    this.losses.set(losses, from);
    this.slopes.set(slopes, 2 * from);
    this.done = done;
  }

  /** @returns {Point | null} the place with the least loss, or null while there is none */
  best() {
    let best = -1;
    this.losses.forEach((loss, cell) => {
      if (Number.isFinite(loss) && (best < 0 || loss < this.losses[best])) best = cell;
    });
    if (best < 0) return null;
    const [x0, x1, y0, y1] = this.area;
    const x = x0 + ((x1 - x0) * ((best % COLUMNS) + 0.5)) / COLUMNS;
    const y = y0 + ((y1 - y0) * (Math.floor(best / COLUMNS) + 0.5)) / ROWS;
    return [Number(x.toFixed(4)), Number(y.toFixed(4))];
  }
}
