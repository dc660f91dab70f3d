// Reads formulas with the pages' reader. Each line of the input is JSON: first the grammar, then [text, names, free, equations].
// Each line of the output is {"nodes"} or {"message", "start", "end", "kind", "others"}.

import { createInterface } from "node:readline";
import { Grammar } from "../../static/js/model/formula/grammar.js";
import { Mistake } from "../../static/js/model/formula/mistakes.js";
import { parse } from "../../static/js/model/formula/reading.js";

/** @type {Grammar | null} */
let grammar = null;
for await (const line of createInterface({ input: process.stdin })) {
  const given = JSON.parse(line);
  if (grammar === null) {
    grammar = new Grammar(given);
    continue;
  }
  const [text, names, isFree, equations] = given;
  process.stdout.write(`${JSON.stringify(read(text, names, isFree, equations))}\n`);
}

function read(text, names, isFree, equations) {
  const free = isFree ? [] : null;
  try {
    const nodes = parse(grammar, text, names, free, equations).nodes;
    return { nodes: nodes.map(({ kind, name, number, isWhole, operands, start, end }) => [kind, name, String(number), isWhole, operands, start, end]), free };
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) return { crash: String(mistake?.stack) };
    return [mistake, ...mistake.others].map(({ message, start, end, kind }) => ({ message, start, end, kind }));
  }
}
