// Prints the texts of a language as JSON: node texts.mjs FILE
//
// FILE is a module like static/pages/texts.js. The entries of TEXTS keep their keys. The key of another exported string is its
// name. The key of a string in an exported object consists of the object's name and the string's name, as in `THEMES.system`.
// Functions are left out, because they make sentences while the page is open.
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
