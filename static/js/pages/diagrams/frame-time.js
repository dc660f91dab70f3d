// Divides the time of a frame during a drag: the solver gets what drawing leaves.

/** All work in a frame may take about this many milliseconds. */
const FRAME_MS = 6.5;
/** The shortest and the longest time for the solver in a frame. If the solver needs longer, the next frame continues. */
const LEAST_MS = 1.5;
export const MOST_MS = 4;
/** We take the median time of this many drawings, so that one interrupted drawing has no effect. */
const REMEMBERED = 5;

export class FrameTime {
  constructor() {
    /** The times of the last drawings in ms. `plain`: drawings of the picture alone. `texts`: drawings with texts.
     * @type {{plain: number[], texts: number[]}} @private */
    this.took = { plain: [], texts: [] };
  }

  /** Draws, and remembers how long it took. @param {() => boolean} draw returns whether it has drawn texts too */
  measure(draw) {
    const beganMs = performance.now();
    const kind = draw() ? "texts" : "plain";
    this.took[kind] = [performance.now() - beganMs, ...this.took[kind].slice(0, REMEMBERED - 1)];
  }

  /** @param {"plain" | "texts"} kind of the frame's drawing @returns {number} the milliseconds that are left for the solver */
  left(kind) {
    const times = [...this.took[kind]].sort((one, other) => one - other);
    const drawing = times[times.length >> 1] ?? 0;
    return Math.min(Math.max(FRAME_MS - drawing, LEAST_MS), MOST_MS);
  }
}
