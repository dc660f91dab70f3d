// Numbers as you read and type them.

const MINUS = "\u2212";
const SIGNIFICANT = 5;

/** @param {number} value @param {number} lo @param {number} hi */
export function clamp(value, lo, hi) {
  return Math.min(Math.max(value, lo), hi);
}

/** @param {number} value @param {number} step a power of ten @returns {number} a multiple of the step, without stray digits */
export function snap(value, step) {
  const places = Math.max(0, Math.round(-Math.log10(step)));
  return places > 15 ? value : Number((Math.round(value / step) * step).toFixed(places));
}

/** @param {number} width @returns {number} the grid of a dragged coordinate: a power of ten, finer than a pixel */
export function gridStep(width) {
  return 10 ** Math.floor(Math.log10(width / 1000));
}

/** @param {number} width @returns {number} the step of an arrow key: about a hundredth of the width */
export function keyStep(width) {
  return 10 ** Math.round(Math.log10(width / 100));
}

/** @param {number} value @returns {string} five significant figures, a real minus sign, no needless zeros */
export function format(value) {
  if (Number.isNaN(value)) return "undefined";
  if (!Number.isFinite(value)) return value > 0 ? "\u221e" : `${MINUS}\u221e`;
  const size = Math.abs(value);
  let text;
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) {
    const [digits, exponent] = value.toExponential(SIGNIFICANT - 2).split("e");
    text = `${Number(digits)}e${Number(exponent)}`;
  } else {
    text = String(Number(value.toPrecision(SIGNIFICANT)));
  }
  return text.replaceAll("-", MINUS);
}

/** @param {number} value a derivative @returns {string} a dash if it is undefined */
export function formatSlope(value) {
  return Number.isNaN(value) ? "\u2013" : format(value);
}

/** @param {string} text @returns {number | null} a finite number, also with a decimal comma or a real minus sign */
export function parseNumber(text) {
  const plain = text.trim().replace(MINUS, "-").replace(",", ".");
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return null;
  const value = Number(plain);
  return Number.isFinite(value) ? value : null;
}

/** Chooses round numbers between lo and hi, for the marks of an axis. The distance between neighbours is 1, 2 or 5 times a
 * power of ten. @param {number} lo @param {number} hi @param {number} wanted about how many numbers to choose
 * @returns {number[]} */
export function ticks(lo, hi, wanted) {
  const rough = (hi - lo) / wanted;
  if (!(rough > 0) || !Number.isFinite(rough)) return [];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * (rough / power < 1.5 ? 1 : rough / power < 3.5 ? 2 : rough / power < 7.5 ? 5 : 10);
  const first = Math.ceil(lo / step - 1e-9);
  const last = Math.floor(hi / step + 1e-9);
  const places = Math.min(15, Math.max(0, -Math.floor(Math.log10(step) + 1e-9)));
  const values = [];
  for (let k = first; k <= last && values.length < 50; k++) values.push(Number((k * step).toFixed(places)));
  return values;
}

/** @param {number} bytes @returns {string} */
export function formatBytes(bytes) {
  return bytes < 1000 ? `${bytes}\u00a0B` : `${(bytes / 1000).toFixed(1)}\u00a0kB`;
}

/** @param {number} value @returns {string} two significant figures */
export function formatShort(value) {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}

/** @param {number} value @returns {number} without its last digits, where sums of decimals have rounding errors */
export function tidy(value) {
  return Number(value.toPrecision(12));
}
