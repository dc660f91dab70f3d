// Gives every reader of links thousands of hostile fragments. Prints the readers' results as JSON.
// Usage: node hostile.mjs SEED COUNT

import { readFileSync } from "node:fs";

const [seed, count] = process.argv.slice(2).map(Number);
// The pages fetch their initial data. Here we read the same files.
globalThis.fetch = async (url) => new Response(readFileSync(new URL(url)));

const root = new URL("../../static/js/", import.meta.url);
const load = (name) => import(new URL(name, root).href);
const [texts, presetsOf, link, tableLink, robotLink, fitLink, tapeLink, programLink, curveLink, brilLink, lessonLink, diagramLink, netLink] = await Promise.all([
  "../pages/texts.js", "engine/presets.js", "model/link.js", "pages/billiards/link.js", "pages/robot/link.js", "pages/regression/link.js",
  "pages/tape/link.js", "pages/playground/link.js", "pages/fit/link.js", "pages/bril/link.js", "pages/learn/link.js", "pages/diagrams/link.js", "pages/sparse/link.js",
].map(load));
const [camera, docs, tables, robots, fits, curves, lessons] = await Promise.all([
  "model/camera.js", "model/doc.js", "pages/billiards/table.js", "pages/robot/model.js", "pages/regression/fit.js", "pages/fit/doc.js",
  "pages/learn/lesson.js",
].map(load));
const brils = await load("pages/bril/doc.js");
const manifest = await presetsOf.loadManifest();
const presets = await presetsOf.loadPresets(manifest);
const table = (await presetsOf.loadTable(manifest)).beginning;
const robot = (await presetsOf.loadRobot(manifest)).beginning;
const regression = (await presetsOf.loadRegression(manifest)).beginning;
const fitting = (await presetsOf.loadFits(manifest)).beginning;
const { beginning: springs } = await presetsOf.loadSprings(manifest);
const brilPrograms = await presetsOf.loadBril(manifest);
const tapes = (await presetsOf.loadTapes(manifest)).map(({ doc }) => doc);
const diagrams = (await presetsOf.loadDiagram(manifest)).names;
const firstTable = tables.firstTable(table);
const learn = (await presetsOf.loadLesson(manifest)).beginning;
const firstLesson = lessons.firstLesson(learn);
const firstFit = fits.firstFit(regression);

/** A document whose formula has a letter with a slider. */
const lettered = (doc) => docs.setSliderField(docs.addLetters({ ...doc, text: "a x + \u03b8 y" }, ["a", "\u03b8"]), "a", "max", 50);

/** A document with pictures, heights, and saved views of other documents. */
const lecture = (doc) => {
  const shown = { layout: "both", slice: true, angle: -12.5, critical: true, descent: true, error: true, order: 5, band: true };
  const saved = [lettered(doc), { ...doc, shown, heights: [-2, 3.5] }, doc].map((of, k) => ({ name: `${k}: \u00e4 & ;=%`, doc: of, view: camera.START_VIEW }));
  return { ...docs.setShown(doc, { layout: "map" }), heights: [0, 1], saved };
};

/** A document with the visitor's points, deviations, a fixed letter and bounds. */
const ownPoints = (doc) => {
  const points = doc.points.map(([x, y], k) => [x + 0.25, y, 0.5, k === 2]);
  return { ...doc, set: "own", points, held: { c: 20 }, lower: { a: 0 }, upper: { b: 2 } };
};

/** For each page: its reader and writer, fragments that it could have written, and its error messages. */
const readers = {
  quadratic: {
    read: (fragment) => link.decode(fragment, presets),
    write: ({ doc, view }) => link.encode(doc, view ?? camera.START_VIEW, presets),
    own: presets.flatMap((preset) => [
      link.encode(preset.doc, camera.START_VIEW, presets),
      link.encode({ ...preset.doc, text: "sin(x)+1" }, camera.START_VIEW, presets),
      link.encode(lettered(preset.doc), camera.START_VIEW, presets),
      link.encode(lecture(preset.doc), camera.START_VIEW, presets),
    ]),
    sentences: texts.REFUSED,
  },
  billiards: {
    read: (fragment) => tableLink.decodeTable(fragment, table, firstTable),
    write: (opened) => tableLink.encodeTable(opened.table),
    own: Object.values(table.racks).map((rack) => tableLink.encodeTable(tables.setRack(firstTable, rack, table.cue))),
    sentences: texts.TABLE_REFUSED,
  },
  robot: {
    read: (fragment) => robotLink.decodeRobot(fragment, robot),
    write: (opened) => robotLink.encodeRobot(opened.robot, robot, false),
    own: Object.keys(robot.robots).flatMap((name) => {
      const plan = robots.robotOf(robot, name);
      const moved = robots.moveMass(plan, 0, [0.5, 0.5], robot.ground);
      return [plan, moved].map((made) => robotLink.encodeRobot(made, robot, true));
    }),
    sentences: texts.ROBOT_REFUSED,
  },
  regression: {
    read: (fragment) => fitLink.decodeFit(fragment, regression, firstFit),
    write: (opened) => fitLink.encodeFit(opened.fit),
    own: Object.keys(regression.sets).map((name) => fitLink.encodeFit(fits.setData(firstFit, name, regression))),
    sentences: texts.FIT_REFUSED,
  },
  fit: {
    read: (fragment) => curveLink.decodeFit(fragment, fitting),
    write: ({ doc }) => curveLink.encodeFit(doc, doc.start, fitting).fragment,
    own: [
      ...fitting.sets.map((set) => curveLink.encodeFit(curves.docOf(set), set.start, fitting).fragment),
      curveLink.encodeFit(ownPoints(curves.docOf(fitting.sets[0])), { a: 60, \u03b8: -1e-3 }, fitting).fragment,
    ],
    sentences: texts.FITTER_REFUSED,
  },
  bril: {
    read: (fragment) => brilLink.decodeBril(fragment, brilPrograms),
    write: ({ doc }) => brilLink.encodeBril(doc, brilPrograms),
    own: brilPrograms.flatMap((program) => {
      const doc = brils.docOf(program);
      return [doc, brils.setText(doc, "@main(x: float) {\n\tprint x;\n}\n")].map((one) => brilLink.encodeBril(one, brilPrograms));
    }),
    sentences: texts.BRIL_REFUSED,
  },
  learn: {
    read: (fragment) => lessonLink.decodeLesson(fragment, learn, firstLesson),
    write: (opened) => lessonLink.encodeLesson(opened.lesson),
    own: lessons.setsOf(learn).map((name) => lessonLink.encodeLesson(lessons.addPoint(lessons.setData(firstLesson, name), [0.5, -1, 1], learn))),
    sentences: texts.LESSON_REFUSED,
  },
  sparse: {
    read: (fragment) => netLink.decodeNet(fragment, springs),
    write: ({ doc }) => netLink.encodeNet(doc),
    own: [
      { cuts: [], node: 0, at: null },
      { cuts: [0, 3, 4, 5, 1007], node: 360, at: [-2.5, 19.125] },
    ].map(netLink.encodeNet),
    sentences: texts.NET_REFUSED,
  },
  tape: {
    read: (fragment) => tapeLink.decodeTape(fragment, tapes),
    write: (opened) => tapeLink.encodeTape(opened.doc, opened.step),
    own: tapes.map((doc, step) => tapeLink.encodeTape(doc, step)),
    sentences: texts.REFUSED,
  },
  diagrams: {
    read: (fragment) => diagramLink.decodeDiagram(fragment, diagrams),
    write: (opened) => diagramLink.encodeDiagram(opened.doc),
    own: diagrams.flatMap((id, k) => [
      { id, seed: null, x: null, pin: null, program: null, trio: null },
      { id, seed: k, x: [0.5, -12.25, k], pin: null, program: null, trio: null },
      { id, seed: null, x: [1, 2], pin: { shape: "label \u00c4 & b", part: "", at: [k, -1.5], stays: null }, program: null, trio: null },
      { id, seed: null, x: [1, 2], pin: { shape: "b", part: "r", at: [k, -1.5], stays: [0, k] }, program: null, trio: null },
      { id: `penrose:${id}/other`, seed: null, x: null, pin: null, program: null, trio: null },
      { id, seed: null, x: null, pin: null, program: `d = dg.Diagram(300, ${200 + k})\n`, trio: null },
      { id, seed: null, x: null, pin: null, program: null, trio: { domain: "type Set\n", substance: `Set s${k}\n`, style: "canvas {\n\twidth = 1\n}\n", variation: `& ${k}` } },
    ].map(diagramLink.encodeDiagram)),
    sentences: texts.DIAGRAM_REFUSED,
  },
  playground: {
    read: (fragment) => programLink.decode(fragment),
    write: (opened) => programLink.encode(opened.text),
    own: ["x = 1", "import eglantine as eg\n\n@eg.fn\ndef f(x: eg.Real):\n\treturn x ** 2\n"].map(programLink.encode),
    sentences: texts.PROGRAM_REFUSED,
  },
};

/** For each page, the fields without which other fields mean nothing, such as a target without its rack. @type {Record<string, RegExp>} */
const needs = {
  playground: /(^|&)code=/,
  quadratic: /^(?!.*params=)|(^|&)preset=/,
  billiards: /^(?!.*target=)|rack=/,
  bril: /^(?!.*program=own)|text=/,
  fit: /^(?!.*(sigma=|set=own))|points=/,
  robot: /^(?!.*masses=)|robot=/,
};

// ---------------------------------------------------------------- hostile fragments

const VALUES = [
  "NaN", "-NaN", "Infinity", "-Infinity", "1e999", "-1e999", "1e308", "1e12", "1e13", "-1e12", "1e-320", "-0", "0", "0x10",
  "0b11", "0o7", "1_000", "1n", "+5", " 5", "5 ", "%205", "5%20", "%09", "1e", ".", "-", "--1", "1.2.3", "１２", "٣", "①", "½", "∞", "true", "null",
  "undefined", "[]", "{}", "[1]", "{\"__proto__\":{\"polluted\":1}}", "__proto__", "constructor", "prototype", "toString",
  "valueOf", "hasOwnProperty", "constructor.prototype", "__proto__.polluted", "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>", "javascript:alert(1)", "'", "\"", "`", "${1}", "{{1}}", "\\", "..", "../../etc/passwd",
  "//evil.example", "%", "%0", "%zz", "%00", "%0a", "%0d%0aX: 1", "%E0%A4%A", "%ED%A0%80", "%C0%AE", "%F0%9F%98%80", "%E2%80%AE",
  "%E2%80%8B", "%EF%BB%BF", "%E2%80%A8", "%E2%80%A9", "%E1%85%9F", "%E1%85%A0", "%E3%85%A4", "%EF%BE%A0", "\u0000", "\u202e", "\u200b", "\ud800", "😀", "", " ", ",", ",,", ",,,,,,,,", "1,", ",1", "1,,2", "1,2,3", "1;2",
  "1|2", "1,2,3,4,5,6,7,8", "-1", "2", "1.5", "3.7", "99", "1e6", "1e7", "9007199254740993", "9".repeat(400), "1,".repeat(300),
  "0,0,".repeat(40), "(".repeat(3000), "[".repeat(3000), "x".repeat(2001), "x".repeat(25000), "x".repeat(70000), "a=b", "=", "#", "?", "%23", "%26", "%3D",
];
const KEYS = ["__proto__", "constructor", "prototype", "toString", "v", "V", " v", "v ", "", "f", "at", "code", "polluted", "x"];
const VERSIONS = ["0", "2", "9", "-1", "1.0", "01", "1e0", "%31", "1,1", "", "one", "__proto__", "1 ", "１"];

let state = seed >>> 0;
const next = () => {
  state = (state + 0x6d2b79f5) >>> 0;
  let t = Math.imul(state ^ (state >>> 15), state | 1);
  t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
  return (t ^ (t >>> 14)) >>> 0;
};
const below = (n) => next() % n;
const one = (list) => list[below(list.length)];

/** Some ways to spoil a list of [key, value], in place. */
const SPOILS = [
  (fields) => { one(fields)[1] = one(VALUES); },
  (fields) => { one(fields)[1] = one(VALUES); },
  (fields) => { one(fields)[0] = one(KEYS); },
  (fields) => { fields.push([one(KEYS), one(VALUES)]); },
  (fields) => { fields.push([...one(fields)]); },
  (fields) => { fields.push([one(fields)[0], one(VALUES)]); },
  (fields) => { fields.splice(below(fields.length), 1); if (fields.length === 0) fields.push(["v", "1"]); },
  (fields) => { fields.reverse(); },
  (fields) => { fields[0][1] = one(VERSIONS); },
  (fields) => {
    const field = one(fields);
    const parts = field[1].split(",");
    parts[below(parts.length)] = one(VALUES);
    field[1] = parts.join(",");
  },
  (fields) => {
    const field = one(fields);
    const parts = field[1].split(",");
    if (below(2) === 0) parts.pop();
    else parts.push(...parts.slice(below(parts.length)));
    field[1] = parts.join(",");
  },
  (fields) => {
    const field = one(fields);
    field[1] = field[1].replace(/-?\d+(\.\d+)?/g, (number) => (below(3) === 0 ? one(VALUES) : number));
  },
];

/** @param {string[]} own @returns {string} */
function hostile(own) {
  if (below(20) === 0) return Array.from({ length: below(60) }, () => String.fromCharCode(below(one([128, 128, 0x300, 0x10000])))).join("");
  if (below(20) === 0) return one(VALUES);
  const fields = one(own).split("&").map((part) => part.split("="));
  for (let k = 1 + below(3); k > 0; k--) one(SPOILS)(fields);
  const text = fields.map((field) => field.join(below(200) === 0 ? "==" : "=")).join(below(100) === 0 ? "&&" : "&");
  return below(15) === 0 ? text.slice(0, below(text.length + 1)) : text;
}

// ---------------------------------------------------------------- checks of the results

const LARGEST_NUMBER = 1e12;
const LONGEST_TEXT = 20_000;
const MOST_ITEMS = 10_000;
const DEEPEST = 8;
/** Processor time, so that other programs on the machine do not count. */
const LONGEST_MS = 1000;
const CONTROL = /[^\P{Cc}\n\t]|[\p{Cs}\p{Zl}\p{Zp}]|[\u202a-\u202e\u2066-\u2069\u200b\ufeff\u115f\u1160\u3164\uffa0]/u;

/** @param {any} value @param {string} at @param {number} depth @returns {string | null} what is wrong with a document */
function illness(value, at, depth = 0) {
  if (depth > DEEPEST) return `${at} nests too deep`;
  if (typeof value === "number") return Math.abs(value) <= LARGEST_NUMBER ? null : `${at} is ${value}`;
  if (typeof value === "string") return value.length <= LONGEST_TEXT && !CONTROL.test(value) ? null : `${at} is no text to show`;
  if (typeof value === "boolean" || value === null) return null;
  if (typeof value !== "object") return `${at} is a ${typeof value}`;
  const isPlain = [Object.prototype, Array.prototype, Float64Array.prototype, Float32Array.prototype].includes(Object.getPrototypeOf(value));
  if (!isPlain) return `${at} is of a strange class`;
  const entries = ArrayBuffer.isView(value) ? [...value].entries() : Object.entries(value);
  let items = 0;
  for (const [key, item] of entries) {
    if (++items > MOST_ITEMS) return `${at} has too many items`;
    const wrong = illness(item, `${at}.${key}`, depth + 1);
    if (wrong !== null) return wrong;
  }
  return null;
}

const prototypes = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Number.prototype, Map.prototype];
const before = prototypes.map((prototype) => JSON.stringify(Reflect.ownKeys(prototype).map(String)));
const polluted = () => prototypes.some((prototype, k) => JSON.stringify(Reflect.ownKeys(prototype).map(String)) !== before[k]);

/** @param {() => unknown} act @returns {number} */
function processorMs(act) {
  const start = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** @param {any} reader @param {string} fragment @returns {{refused?: string, wrong: string | null}} */
function tried({ read, write, sentences }, fragment) {
  const start = performance.now();
  const opened = read(fragment);
  const seemsSlow = performance.now() - start > LONGEST_MS;
  if (seemsSlow && processorMs(() => read(fragment)) > LONGEST_MS) return { wrong: `took more than ${LONGEST_MS} ms` };
  if ("refused" in opened) {
    const isSaid = Object.hasOwn(sentences, opened.refused) && sentences[opened.refused].endsWith(".");
    return { refused: opened.refused, wrong: isSaid ? null : `no sentence for ${opened.refused}` };
  }
  const wrong = illness(opened, "it");
  if (wrong !== null) return { wrong };
  const version = fragment.split("&").find((part) => part.startsWith("v="));
  if (version !== undefined && !["v=1", "v=%31"].includes(version)) return { wrong: "another version was read" };
  const written = write(opened);
  const again = read(written);
  if ("refused" in again) return { wrong: `its own link is refused: ${again.refused}` };
  return { wrong: write(again) === written ? null : `its own link is not what it reads: ${written}` };
}

/** Makes links that somebody may write by hand, from links that a page has written. Each of the made links lacks one field of
 * such a link, or has only one of its fields.
 * @param {string[]} own @returns {string[]} */
function sparse(own) {
  const found = own.flatMap((fragment) => {
    const fields = fragment.split("&").filter((field) => !/^(springs|gait)=/.test(field));
    const without = fields.map((_, k) => fields.filter((_other, i) => i !== k).join("&"));
    return [...without, ...fields, `v=1&${fields.at(-1)}`];
  });
  return [...new Set(found)];
}

const report = {};
for (const [name, reader] of Object.entries(readers)) {
  const found = { read: 0, opened: 0, refused: {}, own: [], sparse: [], failures: [] };
  found.own = reader.own.filter((fragment) => "refused" in reader.read(fragment));
  found.sparse = sparse(reader.own).filter((fragment) => (needs[name] ?? /^/).test(fragment) && "refused" in reader.read(fragment));
  for (let k = 0; k < count && found.failures.length < 10; k++) {
    const fragment = hostile(reader.own);
    found.read += 1;
    try {
      const { refused, wrong } = tried(reader, fragment);
      if (wrong !== null) found.failures.push([fragment.slice(0, 400), wrong]);
      else if (refused === undefined) found.opened += 1;
      else found.refused[refused] = (found.refused[refused] ?? 0) + 1;
    } catch (error) {
      found.failures.push([fragment.slice(0, 400), `threw ${error}`]);
    }
    if (polluted()) {
      found.failures.push([fragment.slice(0, 400), "a prototype was changed"]);
      break;
    }
  }
  report[name] = found;
}
console.log(JSON.stringify(report));
