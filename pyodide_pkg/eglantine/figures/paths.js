// Draw what a figure's second kernel gives: paths of points, and a sentence, the same as in paths.py.

import { across, down, frameOf } from "./frames.js";
import { number, pixel } from "./numbers.js";

const PATH_COLOURS = 6;
const GREYS = 32;

/**
 * @typedef {import("./frames.js").Mark} Mark
 * @typedef {import("./frames.js").Frame} Frame
 * @typedef {import("./drawing.js").Spec} Spec
 * @typedef {{ label: string, look: string, xs: number, ys: number, greys?: number, n: number }} Path
 * @typedef {{ wasm: string, inputs: number[], outputs: number[], sentence: string[], words: string[][],
 *   paths: Path[] }} Aside
 * @typedef {{ numbers: number[], paths: Float64Array[][] }} Said
 */

/** The sentence with its numbers, and with a word wherever a number chooses one. @param {Aside} aside @param {number[]} numbers */
export function sentence({ sentence: texts, words }, numbers) {
  return numbers.reduce((text, value, k) => {
    const word = words[k].length ? (words[k][Math.floor(value)] ?? "?") : number(value);
    return `${text}${word}${texts[k + 1]}`;
  }, texts[0]);
}

/** Two sentences, or one if the other is empty. @param {string} told @param {string} said */
export const joined = (told, said) => (told && said ? `${told}. ${said}` : told || said);

/** The number of the first path's colour. Curves and lines of equal value take theirs before. @param {Spec} spec */
const firstColour = ({ kind, labels: { length } }) => (kind === "contour" || length > 1 ? length : 0);

/** The number of a grey. A value that is not a number is black. @param {number} grey */
const shadeOf = (grey) => (Number.isFinite(grey) ? Math.floor(Math.min(Math.max(grey, 0), 1) * (GREYS - 1) + 0.5) : 0);

/** Lines and dots through the points of each path. @param {Spec} spec @param {Float64Array[][]} paths */
export function drawn(spec, paths) {
  /** @type {Mark[]} */
  const marks = [];
  const frame = frameOf(spec);
  const first = firstColour(spec);
  paths.forEach(([xs, ys, greys], k) => {
    if (greys) {
      marks.push(...cellsOf(frame, xs, ys, greys));
      return;
    }
    const colour = `c${(first + k) % PATH_COLOURS}`;
    const look = spec.aside?.paths[k].look;
    if (look !== "dots") marks.push(["path", { class: `run ${colour}`, d: way(frame, xs, ys) }]);
    if (look !== "line") marks.push(["path", { class: `dots ${colour}`, d: dots(frame, xs, ys) }]);
  });
  return marks;
}

/** The words of the paths in the legend. @param {Spec} spec */
export const pathEntries = (spec) => (spec.aside?.paths ?? []).flatMap(({ label, look }, k) =>
  (look === "grey" ? [] : [[`c${(firstColour(spec) + k) % PATH_COLOURS}`, label]]));

/** A line through points, which has a gap where one is not finite. @param {Frame} frame @param {Float64Array} xs @param {Float64Array} ys */
function way(frame, xs, ys) {
  let text = "";
  let pen = "M";
  xs.forEach((x, i) => {
    const isFinite = Number.isFinite(x) && Number.isFinite(ys[i]);
    if (isFinite) text += `${pen}${pixel(across(frame, x))} ${pixel(down(frame, ys[i]))}`;
    pen = isFinite ? "L" : "M";
  });
  return text;
}

/** A dot at each point that is finite. @param {Frame} frame @param {Float64Array} xs @param {Float64Array} ys */
function dots(frame, xs, ys) {
  let text = "";
  xs.forEach((x, i) => {
    if (Number.isFinite(x) && Number.isFinite(ys[i])) text += `M${pixel(across(frame, x))} ${pixel(down(frame, ys[i]))}h0`;
  });
  return text;
}

/**
 * A square of side 1 around each point, in a grey from black (0) to white (1). Neighbours with the same grey become one shape.
 * @param {Frame} frame @param {Float64Array} xs @param {Float64Array} ys @param {Float64Array} greys
 */
function cellsOf(frame, xs, ys, greys) {
  const shapes = Array.from({ length: GREYS }, () => "");
  const high = pixel(down(frame, 0) - down(frame, 1) + 0.3);
  let begin = 0;
  for (let i = 1; i <= xs.length; i++) {
    const grey = shadeOf(greys[begin]);
    const joins = i < xs.length && ys[i] === ys[begin] && xs[i] === xs[i - 1] + 1;
    if (joins && shadeOf(greys[i]) === grey) continue;
    const left = across(frame, xs[begin] - 0.5);
    const wide = pixel(across(frame, xs[i - 1] + 0.5) - left + 0.3);
    shapes[grey] += `M${pixel(left)} ${pixel(down(frame, ys[begin] + 0.5))}h${wide}v${high}h-${wide}z`;
    begin = i;
  }
  return shapes.map((shape, k) => /** @type {Mark} */ (
    ["path", { class: "grey", fill: `hsl(0 0% ${number((100 * k) / (GREYS - 1))}%)`, d: shape }]));
}
