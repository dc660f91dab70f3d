// Removes parts of Pyodide's engine that only libraries compiled from C need, because we never load such libraries. So a start
// does not read and prepare 7,000 functions that JavaScript never calls, or the drivers for pictures and sounds.
//
//   node slim_engine.mjs JOB_JSON
//
// JOB_JSON is {script, module, users, scriptTarget, moduleTarget}: the paths of pyodide.asm.mjs and pyodide.asm.wasm, of the
// scripts that use the engine, and of the two files to write. Every name that one of these scripts mentions stays, so we keep
// no list here. The edits fit only the pinned version. Any other version is refused.
import { readFileSync, writeFileSync } from "node:fs";
import { argv, exit } from "node:process";
import { build } from "esbuild";

const EXPORT_SECTION = 7;
const HEADER_BYTES = 8;
/** The prefix of OpenGL's drivers. The module has a table of them, in case code looks one up by name. */
const GRAPHICS = "emscripten_gl";
const WORD = /[\w$]+/g;
const FUNCTION = ["async function _createPyodideModule(moduleArg={}){", ";return moduleRtn}export default _createPyodideModule;"];
const [ARGUMENT, RESULT] = ["__ARGUMENT__", "__RESULT__"];

const job = JSON.parse(argv[2]);
const bytes = readFileSync(job.module);
const imports = new Set(WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map(({ name }) => name));
const usedElsewhere = wordsOf(job.users.map((path) => readFileSync(path, "utf8")).join("\n"));

try {
  const { script, names } = withoutExports(readFileSync(job.script, "utf8"));
  const slim = await withoutDeadCode(withoutOffers(withoutSignatures(withoutTable(withoutImports(script)))));
  writeFileSync(job.scriptTarget, slim);
  writeFileSync(job.moduleTarget, withExports(names));
} catch (error) {
  console.error(error.message); // not its stack, which would print a line of a million characters
  exit(1);
}

/** Removes unused exports of the module from the function assignWasmExports, which assigns each export to variables. Each
 * statement of this function is a chain of assignments.
 * @param {string} script @returns {{script: string, names: Set<string>}} with the names of the exports that stay */
function withoutExports(script) {
  const [start, end] = between(script, "function assignWasmExports(wasmExports){", "}");
  const variables = script.lastIndexOf("var ", start);
  const used = new Set([...wordsOf(script.slice(0, variables)), ...wordsOf(script.slice(end)), ...usedElsewhere]);
  const names = new Set([...used].filter((name) => script.includes(`wasmExports["${name}"]`)));
  const statements = script.slice(start, end).split(";").flatMap((statement) => {
    const [, targets, name] = /^([^[].*=)wasmExports\["([^"]+)"\](?:\.value>>>0)?$/.exec(statement) ?? refuse(statement);
    const isUsed = [name, ...targets.split("=")].some((word) => used.has(word));
    if (isUsed) names.add(name);
    return isUsed ? [statement] : [];
  });
  return { script: script.slice(0, start) + statements.join(";") + script.slice(end), names };
}

/** Removes the imports that the module does not ask for. Their functions stay if other JavaScript calls them.
 * @param {string} script @returns {string} */
function withoutImports(script) {
  const [start, end] = between(script, "var wasmImports={", "}");
  const entries = script.slice(start, end).split(",");
  const kept = entries.filter((entry) => isImported(entry.split(":")[0]));
  return script.slice(0, start) + kept.join(",") + script.slice(end);
}

/** Gives places in the table of functions only to those functions that the module asks for. Pyodide gives a place to each
 * function, because a library may need it.
 * @param {string} script @returns {string} */
function withoutTable(script) {
  const all = "for(var symName in exports){if(isInternalSym(symName)){continue}";
  const asked = "for(var symName in exports){if(isInternalSym(symName)||!GOT[symName]){continue}";
  const missing = "if(!value&&!entry.required)";
  return replaced(replaced(script, all, asked), missing, `if(!value&&(!entry.required||symName.startsWith("${GRAPHICS}")))`);
}

/** Removes the signatures of functions that do not go into the table. @param {string} script @returns {string} */
function withoutSignatures(script) {
  const [start, end] = between(script, "var wasmImports={", "}");
  const kept = new Set(script.slice(start, end).split(",").map((entry) => entry.split(":").at(-1)));
  return script.replace(/([\w$]+)\.(?:sig="\w*"|isAsync=true);/g, (all, name) => (kept.has(name) ? all : ""));
}

/** Removes the members of the engine's object that no script uses. @param {string} script @returns {string} */
function withoutOffers(script) {
  const offer = /Module\["([\w$]+)"\]=\1;/g;
  const used = new Set([...wordsOf(script.replace(offer, ""), /(?<=(?:\.|\["))[\w$]+/g), ...usedElsewhere]);
  return script.replace(offer, (all, name) => (used.has(name) ? all : ""));
}

/** Removes unused code. esbuild does this only at the top level of a module, so we move the function's body there and back.
 * esbuild would keep all names that a direct `eval` could use, so we make each `eval` indirect. The pages' policy forbids
 * `eval` anyway.
 * @param {string} script @returns {Promise<string>} */
async function withoutDeadCode(script) {
  const [head, tail] = FUNCTION;
  const [start, end] = between(script, head, tail);
  const body = script.slice(start, end).replace(/(?<![\w$.])eval\(/g, "(0,eval)(");
  const { outputFiles } = await build({
    stdin: { contents: `var moduleArg=${ARGUMENT};${body};${RESULT}(moduleRtn);` },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    external: ["ws"], // only for Node
    target: "es2022",
    charset: "utf8",
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: "error",
  });
  const made = replaced(replaced(outputFiles[0].text, `moduleArg=${ARGUMENT},`, ""), `${RESULT}(moduleRtn);`, "return moduleRtn");
  return `${head}${made}}export default _createPyodideModule;\n`;
}

/** @param {Set<string>} names @returns {Buffer} the module with only these exports */
function withExports(names) {
  const parts = [bytes.subarray(0, HEADER_BYTES)];
  for (let at = HEADER_BYTES; at < bytes.length; ) {
    const [length, content] = numberAt(at + 1);
    const end = content + length;
    if (bytes[at] === EXPORT_SECTION) parts.push(exportSection(names, content, end));
    else parts.push(bytes.subarray(at, end));
    at = end;
  }
  return Buffer.concat(parts);
}

/** @param {Set<string>} names @param {number} start of the section's content @param {number} end @returns {Buffer} */
function exportSection(names, start, end) {
  const kept = [];
  for (let at = numberAt(start)[1]; at < end; ) {
    const [length, name] = numberAt(at);
    const next = numberAt(name + length + 1)[1]; // skips the kind
    if (names.has(bytes.toString("utf8", name, name + length))) kept.push(bytes.subarray(at, next));
    at = next;
  }
  const content = Buffer.concat([numberBytes(kept.length), ...kept]);
  return Buffer.concat([Buffer.from([EXPORT_SECTION]), numberBytes(content.length), content]);
}

/** @param {number} start @returns {[number, number]} an unsigned LEB128 number of the module, and its end */
function numberAt(start) {
  let value = 0;
  for (let [at, scale] = [start, 1]; ; at += 1, scale *= 128) {
    value += (bytes[at] & 127) * scale;
    if (bytes[at] < 128) return [value, at + 1];
  }
}

/** @param {number} value @returns {Buffer} */
function numberBytes(value) {
  const rest = value >>> 7;
  return Buffer.concat([Buffer.from([(value & 127) | (rest > 0 ? 128 : 0)]), ...(rest > 0 ? [numberBytes(rest)] : [])]);
}

/** @param {string} name @returns {boolean} */
function isImported(name) {
  return imports.has(name) && !name.startsWith(GRAPHICS);
}

/** @param {string} text @param {RegExp} [pattern] @returns {Set<string>} */
function wordsOf(text, pattern = WORD) {
  return new Set(text.match(pattern));
}

/** @param {string} text @param {string} head @param {string} tail @returns {[number, number]} the span between them */
function between(text, head, tail) {
  const start = text.indexOf(head) + head.length;
  const end = text.indexOf(tail, start);
  if (!text.includes(head) || end < 0) refuse(head);
  return [start, end];
}

/** @param {string} text @param {string} old @param {string} made @returns {string} */
function replaced(text, old, made) {
  if (text.split(old).length !== 2) refuse(old);
  return text.replace(old, () => made);
}

/** @param {string} text @returns {never} */
function refuse(text) {
  throw new Error(`Found a Pyodide in which “${text.slice(0, 80)}” is not once; expected the version which is pinned.`);
}
