// Maps a plot's numbers to pixels of a picture and back.

/** @typedef {import("./types.js").Point} Point */
/** @typedef {import("./types.js").Region} Region */
/** The widths of a plot's four margins, in pixels. The numbers of the axes are in the margins.
 * @typedef {{left: number, right: number, top: number, bottom: number}} Margins */

export class PlotFrame {
  /** @param {Region} region @param {number} widthPx @param {number} heightPx @param {Margins} margins
   * @param {number} leftPx the plot's left edge in the whole picture */
  constructor(region, widthPx, heightPx, margins, leftPx = 0) {
    this.region = region;
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.left = leftPx + margins.left;
    this.right = leftPx + widthPx - margins.right;
    this.top = margins.top;
    this.bottom = heightPx - margins.bottom;
  }

  /** @param {Point} point @returns {[number, number]} pixels */
  toPx([x, y]) {
    const [x0, x1, y0, y1] = this.region;
    return [
      this.left + ((x - x0) / (x1 - x0)) * (this.right - this.left),
      this.bottom - ((y - y0) / (y1 - y0)) * (this.bottom - this.top),
    ];
  }

  /** @param {number} xPx @param {number} yPx @returns {Point} */
  toMath(xPx, yPx) {
    const [x0, x1, y0, y1] = this.region;
    return [
      x0 + ((xPx - this.left) / (this.right - this.left)) * (x1 - x0),
      y0 + ((this.bottom - yPx) / (this.bottom - this.top)) * (y1 - y0),
    ];
  }

  /** @param {number} xPx @param {number} yPx @returns {boolean} whether the pixel lies inside the plot */
  contains(xPx, yPx) {
    return xPx >= this.left && xPx <= this.right && yPx >= this.top && yPx <= this.bottom;
  }
}
