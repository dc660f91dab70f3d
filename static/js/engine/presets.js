// Loads the presets with their modules. The build compiled the modules, so presets work before Python has loaded.

import { PLAIN } from "../model/doc.js";
import { BUILD } from "./manifest.js";

export { loadManifest } from "./manifest.js";

/** @typedef {import("../model/types.js").Beginning} Beginning */
/** @typedef {import("../model/types.js").DiagramArtifact} DiagramArtifact */
/** @typedef {import("../model/types.js").DiagramCard} DiagramCard */
/** @typedef {import("../model/types.js").FitArtifact} FitArtifact */
/** @typedef {import("../model/types.js").FitBeginning} FitBeginning */
/** @typedef {import("../model/types.js").LessonBeginning} LessonBeginning */
/** @typedef {import("../model/types.js").Module} Module */
/** @typedef {import("../model/types.js").NetworkArtifact} NetworkArtifact */
/** @typedef {import("../model/types.js").Preset} Preset */
/** @typedef {import("../model/types.js").RobotArtifact} RobotArtifact */
/** @typedef {import("../model/types.js").RobotBeginning} RobotBeginning */
/** @typedef {import("../model/types.js").SurveyArtifact} SurveyArtifact */
/** @typedef {import("../model/types.js").TableArtifact} TableArtifact */
/** @typedef {import("../model/types.js").TapePreset} TapePreset */
/** A title and a note for each preset. The keys are the presets' ids.
 * @typedef {Readonly<Record<string, {title: string, note: string}>>} Titles */

/** @param {Record<string, string>} manifest @param {Titles} [titles] @returns {Promise<Preset[]>} the default first */
export async function loadPresets(manifest, titles = {}) {
  const { presets } = await (await fetched(manifest.presets)).json();
  return presets.map((/** @type {any} */ entry) => fromJson(entry, titles));
}

/** Loads two kernels for each preset: one finds critical points, and one computes a descent. The keys are the presets' ids.
 * @param {Record<string, string>} manifest @returns {Promise<Map<string, SurveyArtifact>>} */
export async function loadSurveys(manifest) {
  const { surveys } = await (await fetched(manifest.survey)).json();
  return new Map(Object.entries(surveys).map(([id, { critical, descent }]) => [id, { critical: moduleOf(critical), descent: moduleOf(descent) }]));
}

/** Loads, for each preset, a kernel that computes Taylor polynomials. The keys are the presets' ids.
 * @param {Record<string, string>} manifest @returns {Promise<Record<string, import("../model/types.js").Module>>} */
export async function loadPolynomials(manifest) {
  const { polynomials } = await (await fetched(manifest.polynomials)).json();
  return modulesOf(polynomials);
}

/** @param {Record<string, string>} manifest @returns {Promise<{beginning: Beginning, artifact: TableArtifact}>} */
export async function loadTable(manifest) {
  const { shot, paths, batch, cost, descents, ...beginning } = await (await fetched(manifest.billiards)).json();
  return { beginning: { ...beginning, descents: modulesOf(descents) }, artifact: { shot: moduleOf(shot), paths: moduleOf(paths), batch: moduleOf(batch), cost } };
}

/** @param {Record<string, string>} manifest @returns {Promise<{beginning: RobotBeginning, artifact: RobotArtifact}>} */
export async function loadRobot(manifest) {
  const { training, motion, descent, cost, gaits, ...beginning } = await (await fetched(manifest.robot)).json();
  const weights = Object.entries(gaits).map(([name, text]) => [name, new Float32Array(bytesOf(/** @type {string} */ (text)).buffer)]);
  return {
    beginning: { ...beginning, descent: moduleOf(descent), gaits: Object.fromEntries(weights) },
    artifact: { training: moduleOf(training), motion: moduleOf(motion), cost },
  };
}

/** @param {Record<string, string>} manifest
 * @returns {Promise<{beginning: FitBeginning, artifact: FitArtifact}>} */
export async function loadRegression(manifest) {
  const { fit, surface, exact, cost, descents, ...beginning } = await (await fetched(manifest.regression)).json();
  return { beginning: { ...beginning, descents: modulesOf(descents) }, artifact: { fit: moduleOf(fit), surface: moduleOf(surface), exact: moduleOf(exact), cost } };
}

/** @param {Record<string, string>} manifest @returns {Promise<import("../model/types.js").BrilProgram[]>} the default first */
export async function loadBril(manifest) {
  const { programs } = await (await fetched(manifest.bril)).json();
  return programs.map((/** @type {any} */ program) => ({ ...program, wasm: bytesOf(program.wasm) }));
}

/** Loads the fit page's constants, and the modules and the solver for its first formula. Also returns functions that load other
 * modules and solvers.
 * @param {Record<string, string>} manifest */
export async function loadFits(manifest) {
  /** @type {(file: string) => Promise<import("../model/types.js").FitterArtifact>} */
  const load = async (file) => {
    const { names, cost, ...modules } = await (await fetched(manifest[file])).json();
    return { .../** @type {import("../model/types.js").FitterModules} */ (modulesOf(modules)), names, cost };
  };
  const loadSolver = async (/** @type {number} */ n, /** @type {number} */ capacity) => moduleOf(await (await fetched(manifest[`fit-solver-${n}-${capacity}`])).json());
  const [{ solver, ...beginning }, artifact] = await Promise.all([fetched(manifest.fit).then((answer) => answer.json()), load("fit-0")]);
  return { beginning, artifact: { ...artifact, solver: moduleOf(solver) }, load, loadSolver };
}

/** @param {Record<string, string>} manifest
 * @returns {Promise<{beginning: LessonBeginning, artifact: NetworkArtifact, points: Module, waves: Module}>} */
export async function loadLesson(manifest) {
  const { network, points, waves, cost, ...beginning } = await (await fetched(manifest.learn)).json();
  const artifact = { network: moduleOf(network), cost };
  return { beginning, artifact, points: moduleOf(points), waves: moduleOf(waves) };
}

/** @param {Record<string, string>} manifest
 * @returns {Promise<{beginning: import("../model/types.js").NetBeginning, step: Module}>} the net of the page Sparse */
export async function loadSprings(manifest) {
  const { step, ...beginning } = await (await fetched(manifest.springs)).json();
  return { beginning, step: moduleOf(step) };
}

/** @param {Record<string, string>} manifest @returns {Promise<{images: string, labels: string}>} handwritten digits, as text */
export async function loadDigits(manifest) {
  return (await fetched(manifest.digits)).json();
}

/** @param {Record<string, string>} manifest @param {Titles} [titles] @returns {Promise<TapePreset[]>} the default first */
export async function loadTapes(manifest, titles = {}) {
  const { names, presets } = await (await fetched(manifest.tape)).json();
  return presets.map((/** @type {any} */ { id, text, point, wasm, ...compiled }) => ({
    ...titles[id],
    doc: { presetId: id, text, point, direction: [1, 0], mode: "gradient" },
    artifact: { ...compiled, text, names, wasm: bytesOf(wasm), tex: null },
  }));
}

/** @param {Record<string, string>} manifest
 * @returns {Promise<{names: readonly string[], artifact: DiagramArtifact}>} the gallery's names, and its first diagram */
export async function loadDiagram(manifest) {
  const { names, first } = await (await fetched(manifest.diagram)).json();
  return { names, artifact: { ...first, wasm: bytesOf(first.wasm) } };
}

/** @param {Record<string, string>} manifest @returns {Promise<DiagramCard[]>} the gallery */
export async function loadDiagramCards(manifest) {
  const { cards } = await (await fetched(manifest["diagram-gallery"])).json();
  return cards;
}

/** @param {string} name @returns {Promise<Response>} */
async function fetched(name) {
  const response = await fetch(new URL(name, BUILD));
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

/** @param {any} entry @param {Titles} titles @returns {Preset} */
function fromJson(entry, titles) {
  const names = ["x", "y", ...entry.params.map((/** @type {{name: string}} */ param) => param.name)];
  const wasm = bytesOf(entry.wasm);
  return {
    id: entry.id,
    ...titles[entry.id],
    doc: { ...PLAIN, presetId: entry.id, text: entry.text, params: entry.params, region: entry.region, point: entry.point },
    artifact: { text: entry.text, names, wasm, abi: entry.abi, tex: entry.tex, cost: entry.cost },
  };
}

/** @param {{wasm: string, abi: any}} module as it was built @returns {Module} */
function moduleOf({ wasm, abi }) {
  return { wasm: bytesOf(wasm), abi };
}

/** @param {Record<string, any>} modules as they were built @returns {any} */
function modulesOf(modules) {
  return Object.fromEntries(Object.entries(modules).map(([name, module]) => [name, moduleOf(module)]));
}

/** @param {string} text in base64 @returns {Uint8Array<ArrayBuffer>} */
function bytesOf(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
