// Corrects texts that are not formulas, and typesets formulas. The first line of the input is the grammar as JSON. Each later
// line is ["mend" | "tex", text, names]. The answer to "mend" is the corrected text or null. The answer to "tex" is the TeX of
// each line of the text.

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
