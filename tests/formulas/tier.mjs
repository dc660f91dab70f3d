// Runs formulas in the first tier. Each line of the input is JSON: first the tier, then [text, names, points].
// Each line of the output is JSON: for each point the bits of the six numbers in hexadecimal, or null for a formula outside the tier.

import { createInterface } from "node:readline";
import { FirstTier } from "../../static/js/engine/first-tier.js";

/** @type {FirstTier | null} */
let tier = null;
for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line);
  if (tier === null) {
    tier = new FirstTier(given, Uint8Array.from(Buffer.from(given.wasm, "hex")), given.abi);
    continue;
  }
  const [text, names, points] = given;
  const read = tier.read(text, names);
  const kernel = read !== null && "artifact" in read ? read.artifact.kernel : null;
  process.stdout.write(`${JSON.stringify(kernel && points.map((point) => bitsAt(kernel, point)))}\n`);
}

function bitsAt(kernel, point) {
  const results = new Float64Array(6);
  kernel.evaluate(point, results);
  return Buffer.from(results.buffer).toString("hex");
}
