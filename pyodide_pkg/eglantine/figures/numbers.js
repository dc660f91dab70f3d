// Numbers as text, the same as in numbers.py.

const FAR = 9999;

/** A number with at most four digits, rounded half away from zero, with a true minus sign. @param {number} value */
export function number(value) {
  if (Number.isNaN(value)) return "undefined";
  const sign = value < 0 ? "\u2212" : "";
  const size = Math.abs(value);
  if (size === Infinity) return `${sign}∞`;
  if (size === 0) return "0";
  const [digits, exponent] = size.toExponential(3).split("e");
  const rounded = Number(`${digits}e${exponent}`);
  if (rounded >= 1e-4 && rounded < 1e6) return sign + String(rounded);
  return `${sign}${Number(digits)}·10^${exponent.replace("+", "").replace("-", "\u2212")}`;
}

/** The texts of coordinates by their tenths: to write a number takes longer than to look it up. @type {string[]} */
const texts = [];

/** A coordinate to a tenth of a pixel. @param {number} value */
export function pixel(value) {
  const tenths = Math.floor(Math.min(Math.max(value, -FAR), FAR) * 10 + 0.5);
  return (texts[tenths + 10 * FAR] ??= String(tenths / 10));
}

/** The decimal exponent of a positive number. @param {number} value */
export function exponentOf(value) {
  return Number(value.toExponential(16).split("e")[1]);
}
