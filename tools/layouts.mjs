// Lays out diagrams with the page's own code and draws them.
//
//   node layouts.mjs DIAGRAMS_JSON PICTURES_JSON
//
// DIAGRAMS_JSON is a list of compiled diagrams, each with its module in base64. The result is a list of SVG texts, which is
// written into PICTURES_JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { argv } from "node:process";
import { svgOf } from "../static/js/pages/diagrams/drawing.js";
import { Layout } from "../static/js/pages/diagrams/layout.js";

const [job, result] = argv.slice(2);
const pictures = JSON.parse(readFileSync(job, "utf-8")).map((diagram) => {
  const artifact = { ...diagram, wasm: Uint8Array.from(Buffer.from(diagram.wasm, "base64")) };
  return svgOf(artifact, new Layout(artifact).first().shown);
});
writeFileSync(result, JSON.stringify(pictures));
