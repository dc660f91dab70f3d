// Recompiles zips of Python sources to zips of .pyc with Pyodide's own CPython, under Node.
//
//   node compile_pyc.mjs PYODIDE_FOLDER JOBS_JSON
//
// JOBS_JSON is a list of {source, target, prefix, imports, optimize}. `source` and `target` are paths. `prefix` is the folder
// that code objects name as their origin. `imports` is null or a list of modules. `optimize` is Python's level of optimisation:
// 0, 1 to leave out asserts, or 2 to leave out docstrings too. A module `x.py` becomes a file `x.pyc` in the same folder. The
// file is hash-based and unchecked (PEP 552), so Python imports it without looking for the source. If `imports` is not null, we
// recompile only the modules that are loaded when Pyodide starts and imports these modules. Bytecode is twice as large as
// source, so other modules stay sources. The bytecode has line numbers but no columns, which would be a quarter of its bytes. Other files are copied.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv, exit } from "node:process";
import { pathToFileURL } from "node:url";

const RECOMPILE = `
import importlib, sys, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash

EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest date a zip can hold: the same input gives the same bytes

def loaded_files(imports):
    for name in imports:
        try:
            importlib.import_module(name)
        except ImportError:
            pass  # ours, or only outside Pyodide
    return {getattr(module, "__file__", None) for module in list(sys.modules.values())}

def recompile(prefix, imports, optimize):
    wanted = None if imports is None else loaded_files(imports)
    with zipfile.ZipFile("/source.zip") as old, zipfile.ZipFile("/target.zip", "w") as new:
        for name in sorted(old.namelist()):
            if name.endswith("/"):
                continue
            content = old.read(name)
            if name.endswith(".py") and (wanted is None or prefix + name in wanted):
                code = compile(content, prefix + name, "exec", dont_inherit=True, optimize=optimize)
                content = _code_to_hash_pyc(code, source_hash(content), False)
                name += "c"
            entry = zipfile.ZipInfo(name, EPOCH)
            entry.external_attr = 0o644 << 16
            new.writestr(entry, content, zipfile.ZIP_DEFLATED, 9)

recompile
`;

const [folder, jobs] = argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const pyodide = await loadPyodide({ indexURL: folder, args: ["-X", "no_debug_ranges"] });
const recompile = pyodide.runPython(RECOMPILE);
for (const { source, target, prefix, imports, optimize } of JSON.parse(jobs)) {
  pyodide.FS.writeFile("/source.zip", readFileSync(source));
  try {
    recompile(prefix, imports ? pyodide.toPy(imports) : undefined, optimize); // a JavaScript null is not None
  } catch (error) {
    console.error(error.message);
    exit(1);
  }
  writeFileSync(target, pyodide.FS.readFile("/target.zip"));
}
