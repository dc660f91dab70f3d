// Decides whether the connection is slow, by the files that this page has fetched so far. Not every browser reports the
// connection, so such a report only counts if the page has fetched too little itself.

/** Below this rate Python starts without the snapshot. At this rate the snapshot takes 9 s longer than the light archive, and a
 * start from the light archive takes a slow phone 3 s longer. */
export const SLOW_BYTES_PER_S = 300_000;
/** We do not trust the rate of fewer bytes. */
const ENOUGH_BYTES = 40_000;
/** The browser's names for slow connections (https://wicg.github.io/netinfo/#effective-connection-types). */
const SLOW_TYPES = new Set(["slow-2g", "2g", "3g"]);

/** When a file's content arrived, in ms, and its bytes on the way. A file from a cache has 0 bytes.
 * @typedef {{transferSize: number, responseStart: number, responseEnd: number}} Arrival */
/** @typedef {{effectiveType?: string, saveData?: boolean}} Report of the browser about its connection */

/** @param {readonly Arrival[]} arrivals @returns {number | null} bytes per second while anything arrived, or null if too little did */
export function rateOf(arrivals) {
  const come = arrivals.filter(({ transferSize }) => transferSize > 0).sort((one, other) => one.responseStart - other.responseStart);
  const bytes = come.reduce((sum, { transferSize }) => sum + transferSize, 0);
  if (bytes < ENOUGH_BYTES) return null;
  let [busyMs, until] = [0, 0];
  for (const { responseStart, responseEnd } of come) {
    busyMs += Math.max(0, responseEnd - Math.max(until, responseStart));
    until = Math.max(until, responseEnd);
  }
  return (1000 * bytes) / busyMs; // infinite if everything arrived at once
}

/** @param {readonly Arrival[]} arrivals @param {Report} [report] @returns {boolean} */
export function isSlow(arrivals, report) {
  const rate = rateOf(arrivals);
  if (rate !== null) return rate < SLOW_BYTES_PER_S;
  return report?.saveData === true || SLOW_TYPES.has(report?.effectiveType ?? "");
}

/** @returns {boolean} whether this page's connection is slow. A page that the site's service worker controls needs none. */
export function isSlowHere() {
  return !isControlled() && isSlow(observed(), /** @type {any} */ (navigator).connection);
}

/** @returns {boolean} whether this page has measured that its connection is not slow */
export function isFastHere() {
  const rate = isControlled() ? Infinity : rateOf(observed());
  return rate !== null && rate >= SLOW_BYTES_PER_S;
}

/** @returns {boolean} */
function isControlled() {
  return (navigator.serviceWorker?.controller ?? null) !== null;
}

/** @returns {PerformanceResourceTiming[]} the page itself and the files that it has fetched */
function observed() {
  return /** @type {PerformanceResourceTiming[]} */ ([
    ...performance.getEntriesByType("navigation"),
    ...performance.getEntriesByType("resource"),
  ]);
}
