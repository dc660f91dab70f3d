// Mends texts that are no formulas, and typesets formulas. Each line of the input is JSON: first the grammar, then
// ["mend" | "tex", text, names]. Each line of the output is the mended text or null, or the TeX of each line.

import { createInterface } from "node:readline";
import { Grammar } from "../../static/js/model/formula/grammar.js";
import { texLines } from "../../static/js/model/formula/lines.js";
import { mended } from "../../static/js/model/formula/mends.js";

/** @type {Grammar | null} */
let grammar = null;
for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line);
  if (grammar === null) {
    grammar = new Grammar(given);
    continue;
  }
  const [what, text, names] = given;
  const answer = what === "tex" ? texLines(grammar, text, names) : mended(grammar, text, names, true);
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
