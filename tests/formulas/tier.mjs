// Runs formulas in the first tier. The first line of the input is the tier as JSON. Each later line is [text, names, points].
// Each line of the output is a list with a text for each point: the bits of the six results in hexadecimal. If the
// tier does not support the formula, this line is null.

import { FirstTier } from "../../static/js/engine/first-tier.js";
import { plainOf } from "../../static/js/model/formula/latex.js";
import { answerLines } from "./answering.mjs";

await answerLines(
  (first) => new FirstTier(first, Uint8Array.from(Buffer.from(first.wasm, "hex")), first.abi, async () => ({ plainOf, table: first.grammar.latex })),
  async (tier, text, names, points) => {
    const read = await tier.read(text, names);
    const kernel = read !== null && "artifact" in read ? read.artifact.kernel : null;
    return kernel && points.map((point) => bitsAt(kernel, point));
  },
);

function bitsAt(kernel, point) {
  const results = new Float64Array(6);
  kernel.evaluate(point, results);
  return Buffer.from(results.buffer).toString("hex");
}
