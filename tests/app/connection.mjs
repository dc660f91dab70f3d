// Prints what a page decides about its connection. Usage: node connection.mjs
import { isSlow as isSlowAt, rateOf, SLOW_BYTES_PER_S } from "../../static/js/engine/connection.js";

const arrival = (transferSize, responseStart, responseEnd) => ({ transferSize, responseStart, responseEnd });
/** Twenty files that share a connection. They all end at the same time, when 100 kB of all files together have arrived. */
const shared = (seconds) => Array.from({ length: 20 }, (_, k) => arrival(5000, 10 * k, 1000 * seconds));
const isSlow = (arrivals, report) => isSlowAt(rateOf(arrivals), report);
const few = [arrival(5000, 0, 1000)];

console.log(JSON.stringify({
  rates: {
    shared: rateOf(shared(0.5)),
    "one after the other": rateOf([arrival(50_000, 600, 700), arrival(50_000, 0, 100)]),
    "one within the other": rateOf([arrival(50_000, 0, 200), arrival(50_000, 50, 100)]),
    "at once": rateOf([arrival(100_000, 40, 40)]) === Infinity,
    cached: rateOf([...shared(0.5), arrival(0, 5000, 9000)]),
    few: rateOf(few),
    none: rateOf([]),
  },
  slow: {
    "1.6 Mbit/s": isSlow(shared(0.5)),
    "the limit": isSlow([arrival(SLOW_BYTES_PER_S, 0, 1000)]),
    "just below the limit": isSlow([arrival(SLOW_BYTES_PER_S - 1, 0, 1000)]),
    "10 Mbit/s": isSlow(shared(0.08)),
    "fast, but reported as slow": isSlow(shared(0.08), { effectiveType: "2g", saveData: true }),
    "slow, but reported as fast": isSlow(shared(0.5), { effectiveType: "4g" }),
    "few bytes, no report": isSlow(few),
    "few bytes, reported as 4g": isSlow(few, { effectiveType: "4g", saveData: false }),
    "few bytes, reported as 3g": isSlow(few, { effectiveType: "3g" }),
    "few bytes, data to be saved": isSlow(few, { effectiveType: "4g", saveData: true }),
  },
}));
