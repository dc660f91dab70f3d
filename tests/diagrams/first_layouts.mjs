// Computes the first layouts of diagrams with the page's own code. Prints them as JSON.
// Usage: node first_layouts.mjs DIAGRAMS_JSON
//
// DIAGRAMS_JSON is a list of compiled diagrams, each with its "id" and its module in base64. The result has these parts for each
// diagram:
// * values: from the name of each shape to its attributes;
// * missed: from the words of each relation that must hold but does not to its error;
// * stages: the names of the stages in which the timeline replays the solve;
// * moved: the names of the unknowns that changed in each of these stages;
// * isReplayed: whether the replay ends with the same unknowns as the first layout;
// * isKept: whether an edit of the program that changes nothing leaves all relations as they are.

import { readFileSync } from "node:fs";
import { Layout } from "../../static/js/pages/diagrams/layout.js";
import { replay } from "../../static/js/pages/diagrams/timeline.js";

const VIOLATED = 1e-3;

console.log(JSON.stringify(JSON.parse(readFileSync(process.argv[2], "utf-8")).map((diagram) => {
  const layout = new Layout({ ...diagram, wasm: Uint8Array.from(Buffer.from(diagram.wasm, "base64")) });
  const { x, shown, amounts } = layout.first();
  const values = Object.fromEntries(diagram.shapes.map((shape) => [shape.name, { ...shape.values }]));
  diagram.places.forEach(([shape, name], k) => {
    values[diagram.shapes[shape].name][name] = shown[k];
  });
  const missed = diagram.terms.flatMap(({ must, words }, k) => (must && !(amounts[k] <= VIOLATED) ? [[words, amounts[k]]] : []));
  const moments = [...replay(layout)];
  const parts = [...new Set(moments.map(({ part }) => part))];
  const moved = parts.map((part) => {
    const within = moments.filter((moment) => moment.part === part);
    return diagram.unknowns.filter((_, k) => within.some((moment) => moment.x[k] !== within[0].x[k]));
  });
  return {
    id: diagram.id, values, moved, missed: Object.fromEntries(missed),
    stages: parts.map(({ name }) => name),
    isReplayed: moments.at(-1).x.every((value, k) => value === x[k]),
    isKept: layout.holds(layout.after(diagram.unknowns, x)),
  };
})));
