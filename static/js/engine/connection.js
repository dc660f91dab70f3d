// Decides whether the connection is slow. We measure how fast the page's files have arrived so far. If too few have arrived, we
// use the browser's own report about its connection, which not every browser gives.

/** A connection is slow if files arrive at a lower rate. On a slow connection, we start Python from the small "light" archive,
 * and otherwise from the large snapshot of a started Python. At this rate, the archive arrives 9 s earlier than the snapshot.
 * But a slow phone needs 3 s more to start Python from the archive. */
export const SLOW_BYTES_PER_S = 300_000;
/** We measure a rate only if at least this many bytes have arrived. */
const ENOUGH_BYTES = 40_000;
/** The arrival of a file. `transferSize`: how many bytes came over the network, or 0 for a file from a cache. `responseStart`,
 * `responseEnd`: the times in ms when the first byte and the last byte of the file arrived.
 * @typedef {{transferSize: number, responseStart: number, responseEnd: number}} Arrival */
/** The browser's own report about its connection (https://wicg.github.io/netinfo).
 * @typedef {{effectiveType?: string, saveData?: boolean}} Report */

/** @param {readonly Arrival[]} arrivals @returns {number | null} bytes per second while anything arrived, or null if too little did */
export function rateOf(arrivals) {
  let [bytes, busyMs, until] = [0, 0, 0];
  for (const { transferSize, responseStart, responseEnd } of [...arrivals].sort((one, other) => one.responseStart - other.responseStart)) {
    if (transferSize === 0) continue;
    const from = Math.max(until, responseStart);
    until = Math.max(from, responseEnd);
    bytes += transferSize;
    busyMs += until - from;
  }
  return bytes < ENOUGH_BYTES ? null : (1000 * bytes) / busyMs; // infinite if everything arrived at once
}

/** @param {number | null} rate @param {Report} [report] @returns {boolean} */
export function isSlow(rate, report) {
  return rate === null ? report?.saveData === true || /[23]g/.test(report?.effectiveType ?? "") : rate < SLOW_BYTES_PER_S;
}

/** @returns {boolean} whether this page's connection is slow */
export const isSlowHere = () => isSlow(rateHere(), /** @type {any} */ (navigator).connection);

/** @returns {boolean} whether this page has measured that its connection is not slow */
export const isFastHere = () => (rateHere() ?? 0) >= SLOW_BYTES_PER_S;

/** @returns {number | null} as `rateOf`. A page that the site's service worker controls needs no connection. */
function rateHere() {
  if (navigator.serviceWorker?.controller) return Infinity;
  const entries = ["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type));
  return rateOf(/** @type {PerformanceResourceTiming[]} */ (entries));
}
