// Prints the texts of a language as JSON: node texts.mjs FILE
//
// FILE is a module like static/pages/texts.js. Each entry of TEXTS has its own key. Each other string has the name under which it
// is exported, and each string of an exported object has both names (`THEMES.system`). Functions are left out, because they
// make sentences while the page is open.
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
