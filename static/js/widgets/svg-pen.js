// A pen that writes SVG. It has those methods of a canvas's 2D context that our pictures use.

/**
 * @typedef {Pick<CanvasRenderingContext2D, "beginPath" | "moveTo" | "lineTo" | "arc" | "closePath" | "stroke" | "fill" |
 *   "fillRect" | "strokeRect" | "setLineDash" | "fillText" | "save" | "restore" | "fillStyle" | "strokeStyle" |
 *   "lineWidth" | "globalAlpha" | "font" | "textAlign" | "textBaseline" | "lineCap" | "lineJoin">} Pen
 */

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

  /** Draws a whole circle, the only arc that our pictures have. @param {number} x @param {number} y @param {number} r */
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
    const anchor = this.textAlign === "center" ? "middle" : this.textAlign === "right" ? "end" : "start";
    const size = /([\d.]+)px/.exec(this.font)?.[1] ?? "12";
    const drop = this.textBaseline === "middle" ? "0.35em" : "0";
    const words = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    const place = `x="${short(x)}" y="${short(y)}" dy="${drop}" text-anchor="${anchor}"`;
    this.parts.push(`<text ${place} font-family="sans-serif" font-size="${size}" fill="${this.fillStyle}">${words}</text>`);
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
