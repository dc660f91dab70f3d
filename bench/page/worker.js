// One worker for all contestants. It loads Pyodide with our package as a page does, and the peers, and runs the group.

import { loadPyodide } from "/vendor/pyodide/pyodide.mjs";
import { nextTask } from "./timing.js";

/** The relative tolerance for contestants that compute with 32-bit floats. */
const TOLERANCE = { "TensorFlow.js 4.22": 1e-4 };

self.onmessage = async ({ data }) => {
  try {
    await run(data);
    self.postMessage({ kind: "done" });
  } catch (error) {
    self.postMessage({ kind: "failed", reason: `${error} ${error?.stack ?? ""}` });
  }
};

/** @param {{group: string, check: boolean, missing: Record<string, string>, sources: Record<string, string>, work: any}} options
 *   `sources` maps the path (below bench/) of each Python module of the bench to its source text. */
async function run({ group, check, missing, sources, work }) {
  const [python, rose] = [await named("ours", () => loadOurs(sources)), await named("rose.js", () => loadRose(missing))];
  const { rows } = await import(`../groups/${group}.js`);
  const lab = {
    check,
    work,
    python: python.value?.programs ?? null,
    problems: python.value?.problems ?? null,
    get arrays() {
      return python.value?.pyimport("bench.array_problems") ?? null;
    },
    tolerance: TOLERANCE,
    /** Loads a peer that few groups need. @param {string} file of the folder of peers */
    load: async (/** @type {string} */ file) => {
      if (missing[file]) throw new Error(missing[file]);
      return import(`/peers/${file}`);
    },
    toPy: python.value?.toPy,
    /** A module of the bench's diagrams. @param {string} name */
    diagrams: (/** @type {string} */ name) => python.value?.pyimport(`bench.diagrams.${name}`) ?? null,
    rose: rose.value,
    missing: { ours: python.missing, rose: rose.missing },
  };
  for await (const row of rows(lab)) {
    self.postMessage({ kind: "row", row });
    await nextTask();
  }
}

/** Calls `load`, and returns the result as `value`. If the call fails, `missing` is the reason.
 * @param {string} name @param {() => Promise<any>} load @returns {Promise<{value: any, missing: string | null}>} */
async function named(name, load) {
  try {
    return { value: await load(), missing: null };
  } catch (error) {
    const [reason] = String(error?.message ?? error).trim().split("\n").slice(-1);
    return { value: null, missing: `${name}: ${reason}` };
  }
}

/** Loads Python and the bench's modules, as a page's worker does. Returns the modules and a function that converts JavaScript
 * values to Python values. @param {Record<string, string>} sources */
async function loadOurs(sources) {
  const manifest = await (await fetch("/build/manifest.json")).json();
  const pyodide = await loadPyodide({
    indexURL: new URL("/vendor/pyodide/", self.location.href).href,
    stdLibURL: new URL(`/build/${manifest.stdlib}`, self.location.href).href,
  });
  const archive = await (await fetch(`/build/${manifest.python}`)).arrayBuffer();
  pyodide.unpackArchive(archive, "zip", { extractDir: manifest.pythonPath });
  pyodide.FS.mkdirTree(`${manifest.pythonPath}/bench/diagrams`);
  for (const [name, text] of Object.entries(sources)) {
    pyodide.FS.writeFile(`${manifest.pythonPath}/bench/${name}`, text);
  }
  const pyimport = (/** @type {string} */ name) => pyodide.pyimport(name);
  const [programs, problems] = ["programs", "problems"].map((name) => pyimport(`bench.${name}`));
  return { programs, problems, pyimport, toPy: (/** @type {any} */ value) => pyodide.toPy(value) };
}

/** npm `rose`, bundled. @param {Record<string, string>} missing */
async function loadRose(missing) {
  if (missing["rose.js"]) throw new Error(missing["rose.js"]);
  return import("/peers/rose.js");
}
