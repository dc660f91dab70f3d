// Mends texts that are no formulas, and typesets formulas. Each line of the input is JSON: first the grammar, then
// ["mend" | "tex", text, names]. Each line of the output is the mended text or null, or the TeX of each line.

import { Grammar } from "../../static/js/model/formula/grammar.js";
import { plainOf } from "../../static/js/model/formula/latex.js";
import { texLines } from "../../static/js/model/formula/lines.js";
import { mended } from "../../static/js/model/formula/mends.js";
import { answerLines } from "./answering.mjs";

await answerLines(
  (first) => new Grammar(first, { plainOf, table: first.latex }),
  (grammar, what, text, names) =>
    what === "tex" ? texLines(grammar, text, names) : mended(grammar, text, names, true),
);
