// Runs a Python script in Pyodide under Node, with the package's folder mounted:
//   node pyodide_host.mjs PYODIDE_MODULE PACKAGE_FOLDER SCRIPT

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodideModule, packageFolder, script] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(pyodideModule).href);
const pyodide = await loadPyodide();
pyodide.FS.mkdirTree("/package");
pyodide.mountNodeFS("/package", packageFolder);
await pyodide.runPythonAsync(readFileSync(script, "utf8"));
