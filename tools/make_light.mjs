// Writes the light archive: only the modules that the pages' service needs to start, for slow connections.
//
//   node make_light.mjs PYODIDE_FOLDER JOB_JSON
//
// JOB_JSON is {stdlib, sources, pythonPath, target}: the zip of the standard library with our stand-ins in it, the zip of our
// sources, the folder in which Python finds our modules, and the file to write, which is gzipped.
// static/js/worker/light.js reads this file and describes its format.
//
// Python starts once from sources. Then we compile the modules that it has loaded, without docstrings and without the tables of
// line numbers. These tables are a sixth of the bytes, and nobody sees a traceback of the pages' own service.
import { readFileSync, writeFileSync } from "node:fs";
import { argv, exit } from "node:process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const LOAD = `
import importlib, io, json, marshal, os, sys, zipimport
from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash
from types import CodeType

EPOCH = (1980, 1, 1, 0, 0, 0)  # the oldest date a zip can hold: the same input gives the same bytes
LIBRARY = "/lib/python314.zip/"
BEFORE = set(sys.modules)  # what this script itself imports, Pyodide's start imports as well

def unpack(path, folder):
    archive = zipimport.zipimporter(path)
    for name in sorted(archive._get_files()):
        if not name.endswith("/"):
            target = os.path.join(folder, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "wb") as file:
                file.write(archive.get_data(f"{path}/{name}"))
    sys.path_importer_cache.clear()

def start():
    service = importlib.import_module("app.service").Service(lambda note: None)
    service.warm_up(0)
    for text in ("sin(x) y^2 + a", "x +", "x + sen(y)"):
        service.ask("formula", [text, ["x", "y"], True])
        service.afterwards()
    service.ask("check", ["x^y", ["x", "y"], [1.5, 2.0], [2.25, 3.0, 0.9122961, 2.0, 2.7163953, 0.3699087], True])

def lean(code):
    consts = tuple(lean(const) if isinstance(const, CodeType) else const for const in code.co_consts)
    return code.replace(co_consts=consts, co_linetable=b"")

def compiled(module):
    loader = module.__spec__.loader
    path = module.__spec__.origin
    source = loader.get_source(module.__name__)
    if source is None:
        code, source = loader.get_code(module.__name__), ""
    else:
        code = compile(source, path.removesuffix("c"), "exec", dont_inherit=True, optimize=2)
    name = path if path.endswith("c") else f"{path}c"
    return name, _code_to_hash_pyc(lean(code), source_hash(source.encode()), False)

def loaded():
    for name in sorted(sys.modules):
        origin = getattr(getattr(sys.modules[name], "__spec__", None), "origin", None)
        if origin and origin.startswith("/lib/") and sys.modules[name].__spec__.name == name:
            yield sys.modules[name]

def archive(prefix):
    modules = list(loaded())  # a list, because zipfile imports more
    files = dict(map(compiled, modules))
    import zipfile

    library = io.BytesIO()
    with zipfile.ZipFile(library, "w") as made:
        for name, content in files.items():
            if name.startswith(LIBRARY):
                made.writestr(zipfile.ZipInfo(name.removeprefix(LIBRARY), EPOCH), content, zipfile.ZIP_STORED)
    ours = {name.removeprefix(prefix): content for name, content in files.items() if name.startswith(prefix)}
    parts = {"": library.getvalue(), **ours}
    head = json.dumps([[name, len(content)] for name, content in parts.items()]).encode()
    return b"".join([len(head).to_bytes(4, "little"), head, *parts.values()])
`;

const [folder, json] = argv.slice(2);
const job = JSON.parse(json);
try {
  const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
  const pyodide = await loadPyodide({ indexURL: folder, stdLibURL: job.stdlib, args: ["-X", "no_debug_ranges"] });
  pyodide.FS.writeFile("/sources.zip", readFileSync(job.sources));
  pyodide.runPython(LOAD);
  const call = (name, ...given) => pyodide.globals.get(name)(...given);
  call("unpack", "/sources.zip", job.pythonPath);
  call("start");
  writeFileSync(job.target, gzipSync(call("archive", `${job.pythonPath}/`).toJs(), { level: 9 }));
} catch (error) {
  console.error(error.message);
  exit(1);
}
