// A pen that writes SVG. It has those methods of a canvas's 2D context that our pictures use.

/**
 * @typedef {Pick<CanvasRenderingContext2D, "beginPath" | "moveTo" | "lineTo" | "arc" | "closePath" | "stroke" | "fill" |
 *   "fillRect" | "strokeRect" | "setLineDash" | "fillText" | "strokeText" | "save" | "restore" | "fillStyle" | "strokeStyle" |
 *   "lineWidth" | "globalAlpha" | "font" | "textAlign" | "textBaseline" | "lineCap" | "lineJoin"> &
 *   {measureText: (text: string) => {width: number}}} Pen
 */

/** The average width of a character, as a share of the font's size. */
const USUAL_WIDTH = 0.6;

/** @implements {Pen} */
export class SvgPen {
  constructor() {
    /** @type {string[]} */
    this.parts = [];
    this.d = "";
    /** @type {number[]} */
    this.dash = [];
    /** @type {any} */
    this.fillStyle = "#000";
    /** @type {any} */
    this.strokeStyle = "#000";
    this.lineWidth = 1;
    this.globalAlpha = 1;
    this.font = "12px sans-serif";
    /** @type {CanvasTextAlign} */
    this.textAlign = "start";
    /** @type {CanvasTextBaseline} */
    this.textBaseline = "alphabetic";
    /** @type {CanvasLineCap} */
    this.lineCap = "butt";
    /** @type {CanvasLineJoin} */
    this.lineJoin = "miter";
    /** @type {object[]} */
    this.saved = [];
  }

  beginPath() {
    this.d = "";
  }

  /** @param {number} x @param {number} y */
  moveTo(x, y) {
    this.d += `M${short(x)} ${short(y)}`;
  }

  /** @param {number} x @param {number} y */
  lineTo(x, y) {
    this.d += `L${short(x)} ${short(y)}`;
  }

  closePath() {
    this.d += "Z";
  }

  /** Draws a whole circle. Our pictures have no other arcs. @param {number} x @param {number} y @param {number} r */
  arc(x, y, r) {
    const radius = short(r);
    this.d += `M${short(x + r)} ${short(y)}a${radius} ${radius} 0 1 0 ${short(-2 * r)} 0a${radius} ${radius} 0 1 0 ${short(2 * r)} 0`;
  }

  stroke() {
    const dash = this.dash.length > 0 ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    const ends = `stroke-linecap="${this.lineCap}" stroke-linejoin="${this.lineJoin}"`;
    this.add(`<path d="${this.d}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" ${ends}${dash}`);
  }

  fill() {
    this.add(`<path d="${this.d}" fill="${this.fillStyle}"`);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  fillRect(x, y, width, height) {
    this.add(`${rectangle(x, y, width, height)} fill="${this.fillStyle}"`);
  }

  /** @param {number} x @param {number} y @param {number} width @param {number} height */
  strokeRect(x, y, width, height) {
    this.add(`${rectangle(x, y, width, height)} fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"`);
  }

  /** @param {number[]} dash */
  setLineDash(dash) {
    this.dash = dash;
  }

  /** @param {string} text @param {number} x @param {number} y */
  fillText(text, x, y) {
    this.addText(text, x, y, `fill="${this.fillStyle}"`);
  }

  /** @param {string} text @param {number} x @param {number} y */
  strokeText(text, x, y) {
    this.addText(text, x, y, `fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-linejoin="${this.lineJoin}"`);
  }

  /** Estimates the width of a text from its length, because there is no font to measure when we write a file.
   * @param {string} text */
  measureText(text) {
    return { width: text.length * this.fontPx * USUAL_WIDTH };
  }

  /** @private */
  get fontPx() {
    return Number(/([\d.]+)px/.exec(this.font)?.[1] ?? "12");
  }

  /** @private @param {string} text @param {number} x @param {number} y @param {string} colours */
  addText(text, x, y, colours) {
    const anchor = this.textAlign === "center" ? "middle" : this.textAlign === "right" ? "end" : "start";
    const drop = this.textBaseline === "middle" ? "0.35em" : "0";
    const words = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const place = `x="${short(x)}" y="${short(y)}" dy="${drop}" text-anchor="${anchor}"`;
    const style = this.font.startsWith("italic") ? ` font-style="italic"` : "";
    const opacity = this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : "";
    this.parts.push(`<text ${place} font-family="sans-serif" font-size="${this.fontPx}"${style}${opacity} ${colours}>${words}</text>`);
  }

  save() {
    const { fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash } = this;
    this.saved.push({ fillStyle, strokeStyle, lineWidth, globalAlpha, font, textAlign, textBaseline, dash });
  }

  restore() {
    Object.assign(this, this.saved.pop());
  }

  /** @private @param {string} start an element without the closing `/>` */
  add(start) {
    this.parts.push(`${start}${this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : ""}/>`);
  }

  /** @param {number} width @param {number} height @returns {string} the picture */
  text(width, height) {
    const head = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`;
    return `${head}\n${this.parts.join("\n")}\n</svg>\n`;
  }
}

/** @param {number} x @param {number} y @param {number} width @param {number} height */
function rectangle(x, y, width, height) {
  return `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"`;
}

/** @param {number} value */
function short(value) {
  return Number(value.toFixed(2));
}
