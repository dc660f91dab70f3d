"""Export a compiled function as files that run without Python or Eglantine.

We write a script for each function. The script has only the code that this function's types, traps and host
functions need. It does not read the module's contract.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from eglantine.api import compile_artifact
from eglantine.emit.artifact import Artifact
from eglantine.errors import TypeMismatchError
from eglantine.functions.fn import Fn, check_function
from eglantine.plain.typeof import shown
from eglantine.runtime.hosts import Abi
from eglantine.runtime.kernel import Kernel
from eglantine.words.spelling import began

from .javascript import BYTES_FROM, HELPERS, PAGE, STOPPED
from .values import BUFFERS, Marshalling, argument_type, example, extent, key, quoted, result_type

if TYPE_CHECKING:
    from pathlib import Path

_WORDS: Final = """
arguments await break case catch class const continue debugger default delete do else enum eval export extends
false finally for function if implements import in instanceof interface let new null package private protected
public return static super switch this throw true try typeof var void while with yield
Array ArrayBuffer BigInt Boolean Error Float64Array Int32Array Number Object String TypeError URL WebAssembly
console fetch globalThis undefined
TRAPS bool bytesFrom count error f64 fin fuel hosts i32 isRunning load look made main memory name real refuse
run source trap vec view
"""
_RESERVED: Final = frozenset(_WORDS.split())
"""Names that a parameter or function cannot have: JavaScript's own words, and names that the script uses."""
_MOST_EXACT: Final = (1 << 53) - 1


def export(
    f: Any,
    folder: str | os.PathLike[str],
    types: Sequence[Any] | None = None,
    *,
    name: str | None = None,
) -> list[Path]:
    """Write a function as files that run without Python. Return the paths of the files.

    f: an fn, a result of `compile` or a result of `compile_artifact`. It may also be a Python function if
        `types` is given.
    folder: the folder to write into. It is created if it does not exist. Existing files are replaced.
    types: the types of f's arguments, if f is a Python function.
    name: the name of the files and of the exported function. By default it is the function's own name.

    The files are `name.wasm` (the code), `name.js` (a module for browsers, workers, Node and Deno),
    `name.d.ts` (its types) and `name.html` (a page that calls f). In JavaScript, write

        import load from "./name.js";
        const f = await load();
        f(2, 3);

    In JavaScript, Vecs and tuples are arrays, structs are objects, Bools are booleans and Unit is undefined.
    A resulting Vec of Reals is a Float64Array. Arguments are copied. To avoid the copy, pass the array that
    `f.view(parameter)` returns. If the compiled code stops, the call throws an Error with Python's message.
    Pass opaque functions by name: `load(undefined, {log: Math.log})`. Prints go to the console.

    Raises: the errors of `compile_artifact`. TypeMismatchError for a kernel that shares another kernel's
        memory, or for a name that a file cannot have.
    """
    from pathlib import Path

    if isinstance(f, str) or not isinstance(folder, str | os.PathLike):
        raise TypeMismatchError(
            f"eg.export needs a function and then the folder to write into, but it was given {f!r} "
            f'and {folder!r}. Write eg.export(f, "out").'
        )
    files = exported(f, types, name=name)
    into = Path(folder)
    into.mkdir(parents=True, exist_ok=True)
    for file, content in files.items():
        (into / file).write_bytes(content if isinstance(content, bytes) else content.encode())
    return [into / file for file in files]


def exported(
    f: Any, types: Sequence[Any] | None = None, *, name: str | None = None
) -> dict[str, bytes | str]:
    """Return the files of `export` as a dict {name: contents}. Equal arguments give equal contents."""
    made = f if isinstance(f, Artifact | Kernel) else _compiled(f, types)
    abi = made.abi
    if "base" in abi["memory"]:
        raise TypeMismatchError(
            f"{f!r} shares another kernel's memory, but an exported kernel needs its own. Compile it "
            "without memory=."
        )
    for entry in abi["imports"]:
        if entry.get("addresses"):
            raise TypeMismatchError(
                f"{entry['label']} takes addresses in memory, but an exported script can only pass values. "
                "Instantiate the module yourself."
            )
    if name is None:
        known = made.function if isinstance(made, Kernel) else f
        name = _identifier(getattr(known, "__name__", None) or getattr(known, "name", abi["name"]), set())
    elif not re.fullmatch(r"[\w-][\w.-]*", name):
        raise TypeMismatchError(
            "The name of an export becomes a file name, so it must have only letters, digits, `_`, `-` and "
            f'`.`, but this one is {name!r}. Write name="f".'
        )
    script = _Script(abi, name, made.fuel if isinstance(made, Kernel) else None)
    texts = {".js": script.text(), ".d.ts": script.declarations(), ".html": script.page()}
    return {f"{name}.wasm": made.wasm} | {name + suffix: text for suffix, text in texts.items()}


def _compiled(f: Any, types: Sequence[Any] | None) -> Artifact:
    """Compile the function to export. Raise an error if it has no argument types."""
    check_function(f)
    if types is None and not isinstance(f, Fn):
        raise TypeMismatchError(
            f"{began(shown(f))} cannot be exported, because the types of its arguments are not known. Use "
            'an eg.fn, or write eg.export(f, "out", [types]) with the types of its arguments, such as '
            "[eg.Real] for one Real."
        )
    return compile_artifact(f, types)


def _identifier(text: str, taken: set[str]) -> str:
    """Turn `text` into a JavaScript name that is not in `taken` yet, and add this name to `taken`."""
    if not text.isidentifier():
        text = re.sub(r"[^A-Za-z0-9_]+", "_", text).strip("_") or "f"
        text = f"_{text}" if text[0].isdigit() else text
    while text in _RESERVED or text in taken or re.fullmatch(r"i\d+", text):
        text += "_"
    taken.add(text)
    return text


def _host_type(entry: Any) -> str:
    """Return the TypeScript type of a host function."""
    params = ", ".join(f"x{k}: {result_type(of)}" for k, of in enumerate(entry["types"]))
    given = entry["result"]
    return f"({params}) => {'void' if given == 'unit' else argument_type(given)}"


def _printed(text: str, values: Sequence[str]) -> str:
    """Return a JavaScript expression for the text that text.format(*values) gives in Python.

    The expression formats numbers as JavaScript does.
    """
    from string import Formatter

    parts, k = [], 0
    for literal, field, _, _ in Formatter().parse(text):
        parts += [quoted(literal)] if literal else []
        if field is not None:
            number = re.match(r"\d*", field)
            position = number.group() if number else ""
            parts.append(f"({values[int(position or k)]})")
            k += 1
    if not parts or parts[0][0] != '"':
        parts.insert(0, '""')
    return " + ".join(parts)


class _Script:
    """Writes the script, the declarations and the page for one module."""

    def __init__(self, abi: Abi, file: str, fuel: int | None) -> None:
        self.abi = abi
        self.file = file
        self.fuel = _MOST_EXACT if fuel is None else fuel
        self.function = _identifier(file, set())
        taken: set[str] = set()
        self.params = [(_identifier(param["name"], taken), param) for param in abi["params"]]
        self.values = Marshalling()
        self.arrays = {
            param["name"]: param["leaves"][0]
            for param in (*abi["params"], {"name": "return", **abi["result"]})
            if len(param["leaves"]) == 1 and param["leaves"][0]["dims"]
        }
        labels: set[str] = set()
        self.hosts: list[tuple[str, Any]] = []
        for entry in abi["imports"]:
            label = entry["label"]
            while "result" in entry and label in labels:
                label += "_"
            labels.add(label)
            self.hosts.append((label, entry))
        self.opaque = [(label, entry) for label, entry in self.hosts if "result" in entry]

    def text(self) -> str:
        """Return the script."""
        abi, used = self.abi, self.values.used
        hosts = "".join(
            f"\n      {entry['name']}: {self._host(label, entry)}," for label, entry in self.hosts
        )
        imports = f", {{\n    host: {{{hosts}\n    }},\n  }}" if hosts else ""
        body = "\n    ".join(self._call())
        views = "".join(self._views())
        asked = "".join(self._asked())
        traps = [[trap.get("error", "ShapeError"), trap["message"]] for trap in abi["traps"]]
        rows = "".join(f"\n  [{quoted(kind)}, {quoted(message)}]," for kind, message in traps)
        table = f"const TRAPS = [{rows}\n];\n\n" if traps else ""
        exports = ["main", "memory", *["trap"] * bool(traps), *["fuel"] * ("fuel" in abi)]
        extra = ["memory", *["view"] * bool(self.arrays), *[f"fuel: {self._units()}"] * ("fuel" in abi)]
        used |= {"count", "real"} if "vec" in used else set()
        used |= {"refuse"} if used else set()
        helpers = "".join(f"\n{code}\n" for name, code in HELPERS.items() if name in used)
        second = ", hosts = {}" if self.opaque else ""
        f, names = self.function, ", ".join(name for name, _ in self.params)
        return f"""// {f}({names}), compiled by Eglantine: this script and {self.file}.wasm need nothing else.

{table}/**
 * The function, once its module is there.
 * @type {{typeof import("./{self.file}.js").default}}
 */
export default async function load(source = new URL("{self.file}.wasm", import.meta.url){second}) {{
{self._demand()}  const made = await WebAssembly.instantiate(await bytesFrom(source){imports});
  const {{ {", ".join(exports)} }} = (made.instance ?? made).exports;
{views}{self._run()}  function {f}({names}) {{
    {body}
  }}
{asked}  return Object.assign({f}, {{ {", ".join(extra)} }});
}}
{BYTES_FROM}{helpers}"""

    def _units(self) -> str:
        return f"{self.fuel}n" if self.fuel > _MOST_EXACT else str(self.fuel)

    def _views(self) -> Iterator[str]:
        """Return code that makes new typed arrays if they are empty. They become empty if memory grows."""
        views = sorted(self.values.views)
        if views:
            yield f"  let {', '.join(views)};\n  const look = () => {{\n    if ({views[0]}?.length) return;\n"
            yield from (f"    {view} = new {BUFFERS[view]}(memory.buffer);\n" for view in views)
            yield "  };\n"

    def _run(self) -> str:
        """Return JavaScript that defines `run`, which calls the module. Return "" if `run` is not needed."""
        if not (self.abi["traps"] or self.opaque):
            return ""
        refuel = f"    fuel.value = BigInt({self.function}.fuel);\n" if "fuel" in self.abi else ""
        begin, flag, end = "", "", ""
        if self.opaque:
            begin, flag = "  let isRunning = false;\n", "    isRunning = true;\n"
            end = "    } finally {\n      isRunning = false;\n"
        stopped = STOPPED if self.abi["traps"] else ""
        body = f"{refuel}{flag}    try {{\n      main();\n{stopped}{end}    }}\n"
        return f"{begin}  const run = () => {{\n{body}  }};\n"

    def _begin(self) -> Iterator[str]:
        """Return code that throws an error if the function is called while an earlier call still runs.

        Both calls would use the same memory.
        """
        if self.opaque:
            sentence = (
                f"{self.function} was called within a call of it, but one call must end before the "
                "next begins. Load it again for the inner call."
            )
            yield f"if (isRunning) throw new Error({quoted(sentence)});"

    def _call(self) -> Iterator[str]:
        """Return the lines of the exported function: write the arguments to memory, run, read the result."""
        lines = [
            line for name, param in self.params
            for line in self.values.write(param["type"], name, param["name"], iter(param["leaves"]))
        ]  # fmt: skip
        result = self.values.read(self.abi["result"]["type"], iter(self.abi["result"]["leaves"]))
        look = ["look();"] if self.values.views else []
        yield from self._begin()
        yield from look
        yield from "\n".join(lines).split("\n") if lines else ()
        yield "run();" if self.abi["traps"] or self.opaque else "main();"
        yield from look
        yield from f"return {result};".split("\n")

    def _asked(self) -> Iterator[str]:
        """Return the JavaScript function `view`. It gives users an array in memory without a copy."""
        if not self.arrays:
            return
        yield "  const view = (name) => {\n    look();\n    switch (name) {\n"
        for name, leaf in self.arrays.items():
            start, end = extent(leaf)
            yield f"      case {quoted(name)}: return {self.values.view(leaf)}.subarray({start}, {end});\n"
        names = ", ".join(map(quoted, self.arrays))
        expected = quoted(f" is no array in memory. Choose one of {names}.")
        yield f"    }}\n    throw new TypeError(`${{String(name)}}` + {expected});\n  }};\n"

    # ---------------------------------------------------------------- host functions

    def _demand(self) -> str:
        """Return code that throws an error unless the caller of `load` has passed all opaque functions."""
        if not self.opaque:
            return ""
        names = ", ".join(quoted(label) for label, _ in self.opaque)
        return f"""  for (const name of [{names}]) {{
    if (typeof hosts[name] === "function") continue;
    const sentence = `There is no function ${{name}} among the hosts. `;
    throw new TypeError(sentence + `Write load(undefined, {{ "${{name}}": … }}).`);
  }}
"""

    def _host(self, label: str, entry: Any) -> str:
        """Return JavaScript for a host function or print. The module imports this function."""
        names = [f"a{k}" for k in range(len(entry["params"]))]
        places = iter([{"as": name} for name in names])
        given = [self.values.read(of, places) for of in entry["types"]]
        head = f"({', '.join(names)}) => {{"
        if "result" not in entry:
            return f"{head} console.log({_printed(label.removeprefix('print:'), given)}); }}"
        call = f"hosts[{quoted(label)}]({', '.join(given)})"
        returned = {"put": "return"}
        puts = list(self.values.write(entry["result"], "y", f"the result of {label}", iter([returned])))
        return f"{head} const y = {call}; {puts[0]} }}" if puts else f"{head} {call}; }}"

    # ---------------------------------------------------------------- the other files

    def declarations(self) -> str:
        """Return the TypeScript declarations."""
        params = ", ".join(f"{name}: {argument_type(param['type'])}" for name, param in self.params)
        fuel = """
  /** How many units of fuel each call has: rounds of loops and calls of functions. */
  fuel: number | bigint;""" if "fuel" in self.abi else ""  # fmt: skip
        views = "".join(
            f"\n  view(name: {quoted(name)}): {BUFFERS[leaf['dtype']]};" for name, leaf in self.arrays.items()
        )
        if views:
            views = f"\n  /** Where an array lies in memory, row-major, until that grows. */{views}"
        hosts = "".join(f"\n  {key(label)}: {_host_type(entry)};" for label, entry in self.opaque)
        if hosts:
            hosts = f"/** The functions that it calls. */\nexport interface Hosts {{{hosts}\n}}\n\n"
        source = "string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module"
        takes = f"source: {source} | undefined, hosts: Hosts" if hosts else f"source?: {source}"
        return f"""// Types of {self.file}.js, compiled by Eglantine.

/** The compiled function; a call within a call of it is an Error. */
export interface Kernel {{
  ({params}): {result_type(self.abi["result"]["type"])};
  readonly memory: WebAssembly.Memory;{fuel}{views}
}}

{hosts}/**
 * The function, once its module is there.
 * @param source the URL of the module, its bytes, or the module; else {self.file}.wasm beside the script
 */
export default function load({takes}): Promise<Kernel>;
"""

    def page(self) -> str:
        """Return a page that calls the function with example arguments."""
        examples = ", ".join(example(param["type"]) for param in self.abi["params"])
        asking = [f"{key(label)}: (...x) => Number(prompt(x))" for label, _ in self.opaque]
        given = f"undefined, {{ {', '.join(asking)} }}" if asking else ""
        one_line = re.sub(r",?\n *", " ", examples)
        safe = {"given": given.replace("<", "\\u003c"), "arguments": one_line.replace("<", "\\u003c")}
        return PAGE.format(title=self.file, script=quoted(f"./{self.file}.js"), **safe)
