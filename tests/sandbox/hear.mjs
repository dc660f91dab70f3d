// Prints which messages and answers of a sandboxed program the page accepts. Usage: node hear.mjs
import { heard } from "../../static/js/engine/sandbox-messages.js";
import { isAnswer, isNote } from "../../static/js/pages/playground/answers.js";
import { longestOf, shortened } from "../../static/js/pages/playground/listing.js";

const error = { message: "m", kind: "TypeError", line: 1, from: 0, to: 3 };
const listing = { lines: ["a"], rows: [[0, 0, 1]] };
const shown = {
  ok: true,
  stages: [{ name: "traced", ...listing }],
  wat: { lines: ["a"], rows: [[0, 0, 1, 0, 8]], folds: [[0, 0]], more: -1 },
  places: [[0, 3]],
  tokens: [[0, 1, [0]]],
  cost: { ms: 1, bytes: 8 },
};
const described = { name: "f", params: [{ name: "x", type: "Real", sample: "0.5" }], result: "Real", kinds: ["value"], size: 1 };
const LENGTH = 3;
const bytes = new ArrayBuffer(8);

const messages = {
  ready: { kind: "ready", start: "snapshot", reason: "" },
  begun: { kind: "begun", id: 1 },
  answer: { kind: "answer", id: 1, json: '{"ok": true}', modules: [bytes] },
  note: { kind: "note", id: 1, json: '{"printed": "x"}' },
  want: { kind: "want", name: "stdlib" },
  failed: { kind: "failed", reason: "why" },
  gone: { kind: "gone", reason: "why" },
  nothing: null,
  text: "answer",
  "no kind": { id: 1 },
  "a method of objects": { kind: "toString" },
  "a start of no kind": { kind: "ready", start: "elsewhere" },
  "an id as text": { kind: "begun", id: "1" },
  "an id that is none": { kind: "interrupted", id: NaN },
  "no JSON": { kind: "answer", id: 1, json: "{", modules: [] },
  "JSON of a number": { kind: "answer", id: 1, json: "7", modules: [] },
  "JSON of null": { kind: "note", id: 1, json: "null" },
  "an object instead of JSON": { kind: "note", id: 1, json: { printed: "x" } },
  "a long note": { kind: "note", id: 1, json: JSON.stringify({ printed: "x".repeat(1 << 21) }) },
  "modules that are none": { kind: "answer", id: 1, json: "{}", modules: ["x"] },
  "no modules": { kind: "answer", id: 1, json: "{}" },
  "large modules": { kind: "answer", id: 1, json: "{}", modules: [new ArrayBuffer((1 << 26) + 1)] },
  "a name that is none": { kind: "want", name: 7 },
};
/** The largest listing that Python sends: all lines, some of them very long, and more rows than our largest program has. */
const largest = {
  lines: Array.from({ length: 3000 }, (_, k) => (k % 100 === 0 ? "x".repeat(100_000) : "x0 = add x1 x2")),
  rows: Array.from({ length: 9000 }, (_, k) => [Math.floor(k / 3), k % 3000, 1]),
};
const large = { ...shown, stages: [{ name: "traced", ...largest }], places: new Array(3000).fill([0, 3]), wat: { ...largest, folds: [], more: -1 } };
/** @param {object} forged */
const withLines = (forged) => ["show", { ...shown, stages: [{ name: "x", rows: [], lines: ["a"], ...forged }] }, 1];
const answers = {
  run: ["run", { ok: true, ms: 1, value: null, functions: [described] }, 0],
  "run with an error": ["run", { ok: false, ms: 1, error }, 0],
  "run with a trace": ["run", { ok: false, error: { ...error, trace: [[1, "f"]] } }, 0],
  show: ["show", shown, 1],
  "show the largest listing": ["show", large, 1],
  call: ["call", { ok: true, value: "1.0", us: null }, 0],
  names: ["names", [{ name: "math.sin", kind: "function", signature: "(x)", about: "…" }], 0],
  export: ["export", { ok: true, name: "f", files: { "f.js": "", "f.d.ts": "", "f.html": "" } }, 1],
  "a call with a long value": ["call", { ok: true, value: "x".repeat(20_001), us: null }, 0],
  "a run with a long value": ["run", { ok: true, ms: 1, value: "x".repeat(20_001), functions: [] }, 0],
  "a long message": ["run", { ok: false, error: { ...error, message: "x".repeat(20_001) } }, 0],
  "a name with a long text": ["names", [{ name: "f", kind: "", signature: "", about: "x".repeat(20_001) }], 0],
  "a listing of many lines": withLines({ lines: new Array(4001).fill("") }),
  "a line of many lines": withLines({ lines: ["a\n".repeat(1000)] }),
  "a line of many paragraphs": withLines({ lines: ["a\u2029".repeat(1000)] }),
  "many rows": withLines({ rows: new Array(50_001).fill([0, 0, 0]) }),
  "many stages": ["show", { ...shown, stages: new Array(101).fill(shown.stages[0]) }, 1],
  "many places": ["show", { ...shown, places: new Array(50_001).fill([0, 3]) }, 1],
  "words that mean many places": ["show", { ...shown, tokens: new Array(3).fill([0, 1, new Array(20_000).fill(0)]) }, 1],
  "an error outside of the program": ["run", { ok: false, error: { ...error, to: LENGTH + 1 } }, 0],
  "an error before the program": ["run", { ok: false, error: { ...error, from: -1 } }, 0],
  "a message that is no text": ["run", { ok: false, error: { ...error, message: {} } }, 0],
  "no verdict": ["run", { ms: 1, value: null, functions: [] }, 0],
  "functions that are none": ["run", { ok: true, ms: 1, value: null, functions: 7 }, 0],
  "a value that is an object": ["run", { ok: true, ms: 1, value: {}, functions: [] }, 0],
  "a place outside of the program": ["show", { ...shown, places: [[0, LENGTH + 1]] }, 1],
  "a place backwards": ["show", { ...shown, places: [[2, 1]] }, 1],
  "rows of text": ["show", { ...shown, stages: [{ name: "x", lines: [], rows: [["0"]] }] }, 1],
  "a row of no place": ["show", { ...shown, stages: [{ name: "x", lines: ["a"], rows: [[0, 1, 0]] }] }, 1],
  "a row before all places": ["show", { ...shown, wat: { ...shown.wat, rows: [[0, -1, 0, 0, 1]] } }, 1],
  "a row with half of its bytes": ["show", { ...shown, wat: { ...shown.wat, rows: [[0, 0, 0, 0]] } }, 1],
  "a row of bytes from the end": ["show", { ...shown, wat: { ...shown.wat, rows: [[0, 0, 0, -1, 8]] } }, 1],
  "a word that means no place": ["show", { ...shown, tokens: [[0, 1, [1]]] }, 1],
  "lines that are none": ["show", { ...shown, wat: { ...shown.wat, lines: [{}] } }, 1],
  "no module": ["show", shown, 0],
  "a time that is none": ["call", { ok: true, value: "1.0", us: "0" }, 0],
  "a name that is a program": ["names", [{ name: "x\nimport js", kind: "", signature: "", about: "" }], 0],
  "a file in another folder": ["export", { ok: true, name: "f", files: { "../f.js": "" } }, 1],
  "a module in another folder": ["export", { ok: true, name: "../f", files: {} }, 1],
  "a fold that ends before it begins": ["show", { ...shown, wat: { ...listing, lines: ["a", "b"], folds: [[1, 0]] } }, 1],
  "a fold without end": ["show", { ...shown, wat: { ...listing, folds: [[0, 1]] } }, 1],
  "folds over each other": ["show", { ...shown, wat: { ...listing, lines: ["a", "b", "c"], folds: [[0, 1], [1, 2]] } }, 1],
  "an endless trace": ["run", { ok: false, error: { ...error, trace: new Array(101).fill([1, "f"]) } }, 0],
  "a file of another name": ["export", { ok: true, name: "f", files: { "setup.bat": "" } }, 1],
  "a module in the place of the module": ["export", { ok: true, name: "f", files: { "f.wasm": "" } }, 1],
  "a prototype": ["call", JSON.parse('{"__proto__": {"ok": true, "value": "", "us": null}}'), 0],
};
const notes = { printed: { printed: "x" }, loading: { loading: "x" }, "an object": { printed: {} }, nothing: null, "a list": [],
  "a length and a name": { printed: { length: -1e15 }, loading: "x" }, "a list of texts": { printed: ["x"] }, "a package with a long name": { loading: "x".repeat(1001) } };
/** What the page shows of listings: the characters of all lines, and the end of the last line. */
const listed = (/** @type {string[]} */ lines) => {
  const cut = lines.map((line) => shortened(line, longestOf(lines)));
  return [cut.reduce((sum, line) => sum + line.length, 0), (cut.at(-1) ?? "").slice(-40)];
};
const listings = {
  short: listed(["a".repeat(2000)]),
  "one long line": listed(["a".repeat((1 << 25) - 2)]),
  "many long lines": listed(new Array(4000).fill("a".repeat(8000))),
};

const passed = (/** @type {Record<string, any>} */ table, /** @type {(entry: any) => boolean} */ passes) =>
  Object.keys(table).filter((name) => passes(table[name]));
console.log(JSON.stringify({
  messages: passed(messages, (message) => heard(message) !== null),
  answers: passed(answers, ([method, answer, modules]) => isAnswer(method, answer, modules, LENGTH)),
  notes: passed(notes, isNote),
  listings,
}));
