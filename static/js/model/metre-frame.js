// Maps metres on the table to pixels of a picture and back. The y axis points up.

/** @typedef {import("./types.js").Point} Point */

/** Room around the cushions, in metres. */
const MARGIN = 0.035;

export class TableFrame {
  /** @param {readonly number[]} area x from, x to, y from, y to @param {number} widthPx @param {number} heightPx */
  constructor([x0, x1, y0, y1], widthPx, heightPx) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.scale = Math.min(widthPx / (x1 - x0 + 2 * MARGIN), heightPx / (y1 - y0 + 2 * MARGIN));
    this.originX = widthPx / 2 - (this.scale * (x0 + x1)) / 2;
    this.originY = heightPx / 2 + (this.scale * (y0 + y1)) / 2;
  }

  /** @param {readonly number[]} point @returns {[number, number]} */
  toPx([x, y]) {
    return [this.originX + this.scale * x, this.originY - this.scale * y];
  }

  /** @param {number} xPx @param {number} yPx @returns {Point} */
  toMetres(xPx, yPx) {
    return [(xPx - this.originX) / this.scale, (this.originY - yPx) / this.scale];
  }
}
