// Makes start parameters for a fit whose start is not known. The points suggest likely values of parameters: values of x and y,
// the widths of their ranges, slopes, rates and frequencies. In the first start, all parameters are 1. Each other start is a
// random combination of likely values. The same points always give the same starts.

/** @typedef {import("./doc.js").Datum} Datum */

const DRAWN = 96;
const WAVES = [1, 2, 3, 5, 8];
const RATES = [0.3, 1, 3, 10];

/** @param {readonly Datum[]} points @param {number} count of parameters @returns {number[][]} starts, the simplest first */
export function starts(points, count) {
  const sizes = likely(points.filter(([, , , out]) => !out));
  const random = mulberry(1);
  const drawn = Array.from({ length: DRAWN }, () => Array.from({ length: count }, () => sizes[Math.floor(random() * sizes.length)]));
  return [Array(count).fill(1), ...drawn];
}

/** @param {readonly Datum[]} points @returns {number[]} */
function likely(points) {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  const width = x1 - x0 || 1;
  const height = y1 - y0 || 1;
  const mean = (/** @type {number[]} */ values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  return [
    0, 1, -1, y0, y1, height, mean(ys), ys[0], ys[ys.length - 1],
    mean(xs), xs[ys.indexOf(y1)], xs[ys.indexOf(y0)], width / 10, width / 4, height / width, -height / width,
    ...RATES.flatMap((rate) => [rate / width, -rate / width]),
    ...WAVES.map((waves) => (2 * Math.PI * waves) / width),
  ].filter(Number.isFinite);
}

/** Makes a generator of numbers in [0, 1) that look random. Source: Tommy Ettinger's mulberry32 (public domain).
 * @param {number} seed
 * @returns {() => number} */
function mulberry(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
