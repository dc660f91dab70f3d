// Calls a function that was exported as files for JavaScript. Reads the arguments of all calls as JSON from
// standard input, and prints the outcome of each call.
// Numbers are written as 16 hexadecimal digits, since JSON has no NaN, no infinity and no -0.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const { script, calls, hosts, fuel } = JSON.parse(readFileSync(0, "utf8"));
const bits = new DataView(new ArrayBuffer(8));

function decoded(value) {
  if (typeof value === "string") {
    bits.setBigUint64(0, BigInt(`0x${value}`));
    return bits.getFloat64(0);
  }
  if (Array.isArray(value)) return value.map(decoded);
  if (value === null || typeof value !== "object") return value ?? undefined;
  if ("typed" in value) return new globalThis[value.typed](decoded(value.of));
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, decoded(item)]));
}

function encoded(value) {
  if (typeof value === "number") {
    bits.setFloat64(0, value);
    return Number.isNaN(value) ? "nan" : bits.getBigUint64(0).toString(16).padStart(16, "0");
  }
  if (ArrayBuffer.isView(value)) return { typed: value.constructor.name, of: Array.from(value, encoded) };
  if (Array.isArray(value)) return value.map(encoded);
  if (value === undefined || typeof value !== "object") return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, encoded(item)]));
}

const { default: load } = await import(pathToFileURL(script));
const given = Object.fromEntries(Object.entries(hosts).map(([name, body]) => [name, globals(body)]));
const answers = [];
try {
  const f = await load(undefined, given);
  if (fuel !== null) f.fuel = fuel;
  for (const args of calls) {
    try {
      answers.push({ value: encoded(f(...decoded(args))), bytes: f.memory.buffer.byteLength });
    } catch (error) {
      answers.push({ name: error.name, error: error.message });
    }
  }
} catch (error) {
  answers.push({ name: error.name, error: error.message });
}
process.stdout.write(`\n${JSON.stringify(answers)}`);

/** A function of Math or of this table. */
function globals(name) {
  const own = {
    fail: () => { throw new RangeError("no such number"); },
    nothing: () => undefined,
    pick: (p, i) => (p === true ? i : 0),
    weigh: ({ x, on }) => (on === false ? x : -x),
  };
  return own[name] ?? Math[name];
}
