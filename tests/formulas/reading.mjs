// Reads formulas with the pages' reader. The first line of the input is the grammar as JSON. Each later line is [text, names,
// free, equations]. `free` and `equations` say whether free letters and equations are allowed. Each line of the output is
// {nodes, free} for a formula, and otherwise a list of mistakes {message, start, end, kind}.

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
