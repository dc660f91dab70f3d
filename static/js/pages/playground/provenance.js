// Which places of a program's text a selection means, and which lines come from them.

/** A place in a text: its start and its end. @typedef {readonly [number, number]} Span */
/** A line of a listing with its place and of which derivative it is, and maybe the bytes it is.
 * @typedef {{line: number, place: number, order: number, start?: number, end?: number}} Row */

/** @param {readonly Span[]} spans the program's places @param {number} from @param {number} to a selection, or a caret
 * @returns {number[]} the places within a selection; else those that hold it as tightly as any */
export function placesAt(spans, from, to) {
  const within = (/** @type {Span} */ span) => span[0] >= from && span[1] <= to;
  const inside = from === to ? [] : indices(spans, within);
  if (inside.length > 0) return inside;
  const around = indices(spans, (span) => span[0] <= from && span[1] >= to);
  const tightest = Math.min(...around.map((k) => spans[k][1] - spans[k][0]));
  return around.filter((k) => spans[k][1] - spans[k][0] === tightest);
}

/** A word that means more than the place around it: its start, its end, and the places. @typedef {[number, number, number[]]} Token */

/** @param {readonly Token[]} tokens @param {number} from @param {number} to a selection, or a caret
 * @returns {number[]} the places that they mean: of those within a selection, or of the one that holds it */
export function meantAt(tokens, from, to) {
  const isMeant = (/** @type {Token} */ [start, end]) => (start <= from && end >= to) || (from < to && start >= from && end <= to);
  return tokens.filter(isMeant).flatMap(([, , places]) => places);
}

/** @param {readonly Span[]} spans @param {(span: Span) => boolean} test */
function indices(spans, test) {
  return spans.flatMap((span, k) => (test(span) ? [k] : []));
}

/** @param {readonly number[][]} rows as Python gives them @returns {Row[]} */
export function rowsFrom(rows) {
  return rows.map(([line, place, order, start, end]) => ({ line, place, order, start, end }));
}

/** @param {readonly Row[]} rows @returns {Map<number, Row[]>} by their place */
export function byPlace(rows) {
  /** @type {Map<number, Row[]>} */
  const found = new Map();
  for (const row of rows) {
    const there = found.get(row.place);
    if (there === undefined) found.set(row.place, [row]);
    else there.push(row);
  }
  return found;
}

/** How many lines of a listing come from some places: what the text itself computes, and its derivatives.
 * @param {readonly Row[]} rows @param {ReadonlySet<number>} places */
export function counted(rows, places) {
  const lit = rows.filter((row) => places.has(row.place));
  const derived = new Set(lit.filter((row) => row.order > 0).map((row) => row.line));
  return { own: new Set(lit.map((row) => row.line)).size - derived.size, derived: derived.size };
}
