// Prints the words of a language as JSON: node texts.mjs FILE
//
// FILE is a module like static/pages/texts.js. Each entry of TEXTS goes by its key, each other string by the name it is
// exported under, each string of an exported object by both (`THEMES.system`). Functions make sentences while the page
// is open and are left out.
import { argv, stdout } from "node:process";
import { pathToFileURL } from "node:url";

const { TEXTS, ...others } = await import(pathToFileURL(argv[2]).href);
const words = { ...TEXTS };
for (const [name, value] of Object.entries(others)) {
  if (typeof value === "string") words[name] = value;
  if (typeof value !== "object" || value === null) continue;
  for (const [key, text] of Object.entries(value)) if (typeof text === "string") words[`${name}.${key}`] = text;
}
stdout.write(JSON.stringify(words));
