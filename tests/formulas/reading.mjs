// Reads formulas with the pages' reader. Each line of the input is JSON: first the grammar, then [text, names, free, equations].
// Each line of the output is {"nodes"} or {"message", "start", "end", "kind", "others"}.

import { Grammar } from "../../static/js/model/formula/grammar.js";
import { plainOf } from "../../static/js/model/formula/latex.js";
import { Mistake } from "../../static/js/model/formula/mistakes.js";
import { parse } from "../../static/js/model/formula/reading.js";
import { answerLines } from "./answering.mjs";

await answerLines((first) => new Grammar(first, { plainOf, table: first.latex }), read);

function read(grammar, text, names, isFree, equations) {
  const free = isFree ? [] : null;
  try {
    const nodes = parse(grammar, text, names, free, equations).nodes;
    return { nodes: nodes.map(({ kind, name, number, isWhole, operands, start, end }) => [kind, name, String(number), isWhole, operands, start, end]), free };
  } catch (mistake) {
    if (!(mistake instanceof Mistake)) return { crash: String(mistake?.stack) };
    return [mistake, ...mistake.others].map(({ message, start, end, kind }) => ({ message, start, end, kind }));
  }
}
