"""`python -m tools.presets FOLDER`: compile the pages' examples, so that they work before Python is loaded.

Writes these files into FOLDER:

* presets.json: {"version": 1, "presets": [...]}, each preset with its formula, TeX, ABI and the module's
  bytes in base64. The first preset is the default.
* survey.json: {"version": 1, "surveys": {id: {"critical", "descent"}}}, the presets' kernels for critical
  points and for the descent. The page loads them when they are needed.
* polynomials.json: {"version": 1, "polynomials": {id: module}}, the presets' kernels of Taylor polynomials.
* billiards.json: {"version": 1, ...}, the billiards page's constants, the modules of its default table, and
  its descents (tools/descents.py).
* robot.json: the robot page's constants and modules, its descent, and the weights from tools/gaits.json.
* regression.json: the regression page's constants and modules, and its descents.
* learn.json: the constants and modules of the page Learn, with the modules that draw its data.
* digits.json: {"images", "labels"} of tools/digits.txt.gz, as text.
* tape.json: the tape page's formulas with their tapes.
* springs.json: the net of the page Sparse with its module.
* bril.json: the Bril page's programs, with their modules and the data that the page shows.
* fit.json: the data and formulas of the fit page; fit-0.json, fit-1.json, …: their modules;
  fit-solver-N-CAPACITY.json: the solver for N parameters.
* diagram.json: the names of the gallery's diagrams, and the first diagram with its module.
* diagram-gallery.json: the gallery's programs and pictures. Node lays the diagrams out with the page's own
  code (tools/layouts.mjs).
"""

from __future__ import annotations

import base64
import gzip
import json
import struct
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "pyodide_pkg")]

from app.diagrams.listing import NAMES as DIAGRAMS  # noqa: E402
from app.diagrams.listing import gallery_diagram  # noqa: E402
from app.fitting.fitter import KERNELS, compile_fitter  # noqa: E402
from app.fitting.solver import compiled_solver  # noqa: E402
from app.formulas.examples import EXAMPLES  # noqa: E402
from app.formulas.orders import compile_polynomial  # noqa: E402
from app.formulas.survey import compile_survey  # noqa: E402
from app.learning import modules as learning  # noqa: E402
from app.service import compile_formula, jet  # noqa: E402
from app.simulations import regression, walkers  # noqa: E402
from app.simulations.tables import DEFAULT, beginning, compile_table  # noqa: E402
from app.springs import net  # noqa: E402
from app.tape.tape import NAMES, PRESETS, compile_tape  # noqa: E402
from eglantine import formulas  # noqa: E402
from tools import brils, descents, fits  # noqa: E402
from tools.bootstrap import SetupError  # noqa: E402
from tools.node import find_node  # noqa: E402

if TYPE_CHECKING:
    from app.formulas.examples import Example
    from eglantine.emit.artifact import Artifact

VERSION = 1


def main(folder: Path) -> None:
    """Write all the pages' files into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    content = {"version": VERSION, "presets": [entry(example) for example in EXAMPLES]}
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (folder / "presets.json").write_text(text, encoding="utf-8", newline="\n")
    surveyed = json.dumps({"version": VERSION, "surveys": surveys()}, separators=(",", ":"))
    (folder / "survey.json").write_text(surveyed, encoding="utf-8", newline="\n")
    ordered = json.dumps({"version": VERSION, "polynomials": polynomials()}, separators=(",", ":"))
    (folder / "polynomials.json").write_text(ordered, encoding="utf-8", newline="\n")
    table = json.dumps(default_table(), separators=(",", ":"))
    (folder / "billiards.json").write_text(table, encoding="utf-8", newline="\n")
    robot = json.dumps(default_robot(), separators=(",", ":"))
    (folder / "robot.json").write_text(robot, encoding="utf-8", newline="\n")
    fitted = json.dumps(default_regression(), separators=(",", ":"))
    (folder / "regression.json").write_text(fitted, encoding="utf-8", newline="\n")
    taught = json.dumps(default_network(), separators=(",", ":"))
    (folder / "learn.json").write_text(taught, encoding="utf-8", newline="\n")
    (folder / "digits.json").write_text(json.dumps(digits()), encoding="utf-8", newline="\n")
    tapes = json.dumps(preset_tapes(), ensure_ascii=False, separators=(",", ":"))
    (folder / "tape.json").write_text(tapes, encoding="utf-8", newline="\n")
    hanging = json.dumps(springs(), separators=(",", ":"))
    (folder / "springs.json").write_text(hanging, encoding="utf-8", newline="\n")
    shown = json.dumps({"version": VERSION, **brils.beginning()}, ensure_ascii=False, separators=(",", ":"))
    (folder / "bril.json").write_text(shown, encoding="utf-8", newline="\n")
    for name, content in (*fitters(), *gallery().items()):
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        (folder / f"{name}.json").write_text(text, encoding="utf-8", newline="\n")


def entry(example: Example) -> dict[str, Any]:
    """Compile an example. Return it as JSON values.

    Raises:
        ValueError: the example's formula does not compile.
    """
    reply = compile_formula(example.text, example.names)
    if not reply["ok"]:
        msg = f"The example {example.id!r} does not compile: {reply['error']['message']}"
        raise ValueError(msg)
    return {
        "id": example.id,
        "text": example.text,
        "region": example.region,
        "point": example.point,
        "params": [asdict(parameter) for parameter in example.parameters],
        "tex": reply["tex"],
        "abi": reply["abi"],
        "wasm": base64.b64encode(reply["wasm"]).decode(),
        "cost": lasting(reply["cost"]),
    }


def polynomials() -> dict[str, dict[str, Any]]:
    """Compile the kernels of all examples' Taylor polynomials. Return {example's id: kernel}."""
    kernels = {
        example.id: compile_polynomial(formulas.to_fn(example.text, example.names)) for example in EXAMPLES
    }
    return {
        name: {"abi": artifact.abi, "wasm": base64.b64encode(artifact.wasm).decode()}
        for name, artifact in kernels.items()
    }


def surveys() -> dict[str, dict[str, Any]]:
    """Compile the examples' kernels for critical points and descents. Return {example's id: kernels}."""
    return {
        example.id: {
            name: {"abi": artifact.abi, "wasm": base64.b64encode(artifact.wasm).decode()}
            for name, artifact in compile_survey(jet(formulas.to_fn(example.text, example.names))).items()
        }
        for example in EXAMPLES
    }


def lasting(cost: dict[str, Any]) -> dict[str, Any]:
    """Remove the time from a compilation's cost, so that all builds have the same bytes."""
    return {name: amount for name, amount in cost.items() if name != "ms"}


def default_table() -> dict[str, Any]:
    """Return the billiards page's constants and its modules."""
    compiled = compile_table(DEFAULT)
    modules = {
        name: {"abi": compiled[name]["abi"], "wasm": base64.b64encode(compiled[name]["wasm"]).decode()}
        for name in ("shot", "paths", "batch")
    }
    methods = encoded_descents(descents.NUMBERS_OF_A_CUE)
    cost = lasting(compiled["cost"])
    return {"version": VERSION, **beginning(), **modules, "descents": methods, "cost": cost}


def encoded_descents(n: int) -> dict[str, Any]:
    """Compile the descents for functions of n numbers. Return {method's name: module as JSON}."""
    return {method: encoded_artifact(artifact) for method, artifact in descents.for_page(n).items()}


def default_robot() -> dict[str, Any]:
    """Return the robot page's constants and modules, and trained robots' weights (base64 of float32)."""
    spec = walkers.spec_of(walkers.PLANS[walkers.DEFAULT])
    compiled = walkers.compile_robot(spec)
    modules = {
        name: {"abi": compiled[name]["abi"], "wasm": base64.b64encode(compiled[name]["wasm"]).decode()}
        for name in ("training", "motion")
    }
    gaits = {
        name: base64.b64encode(struct.pack(f"<{len(weights)}f", *weights)).decode()
        for name, weights in kept_gaits()
    }
    cost = lasting(compiled["cost"])
    modules["descent"] = encoded_artifact(descents.for_robots())
    return {"version": VERSION, **walkers.beginning(), **modules, "gaits": gaits, "cost": cost}


def default_regression() -> dict[str, Any]:
    """Return the regression page's constants and its modules."""
    compiled = regression.compile_regression()
    modules = {
        name: {"abi": compiled[name]["abi"], "wasm": base64.b64encode(compiled[name]["wasm"]).decode()}
        for name in ("fit", "surface", "exact")
    }
    methods = encoded_descents(descents.NUMBERS_OF_A_LINE)
    cost = lasting(compiled["cost"])
    return {"version": VERSION, **regression.beginning(), **modules, "descents": methods, "cost": cost}


def fitters() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (name, content) for each file of the fit page.

    There is a file for each solver and for each formula. The file `fit` contains the constants, the data, and
    the solver of the first formula.
    """
    known = fits.beginning()
    solvers = {fits.solver_name(*of): encoded_artifact(compiled_solver(*of)) for of in fits.solvers()}
    yield from solvers.items()
    for text, name in known["compiled"].items():
        compiled = compile_fitter(text)
        modules = {
            kind: {"abi": compiled[kind]["abi"], "wasm": base64.b64encode(compiled[kind]["wasm"]).decode()}
            for kind in KERNELS
        }
        if name == "fit-0":
            solver = solvers[fits.solver_name(len(compiled["names"]), fits.first_capacity())]
            yield "fit", {"version": VERSION, **known, "solver": solver}
        yield name, {**modules, "names": compiled["names"], "cost": lasting(compiled["cost"])}


def encoded_artifact(artifact: Artifact) -> dict[str, Any]:
    """An artifact as the pages read it."""
    return {"abi": artifact.abi, "wasm": base64.b64encode(artifact.wasm).decode()}


def default_network() -> dict[str, Any]:
    """Return the page Learn's constants, the first network's module, and the modules that draw its data."""
    compiled = {"network": learning.compile_network(learning.DEFAULT), **learning.compile_data()}
    modules = {
        name: {"abi": module["abi"], "wasm": base64.b64encode(module["wasm"]).decode()}
        for name, module in compiled.items()
    }
    cost = lasting(compiled["network"]["cost"])
    return {"version": VERSION, **learning.beginning(), **modules, "cost": cost}


def springs() -> dict[str, Any]:
    """Return the net of springs on the page Sparse, and the module for a step of Newton's method."""
    known, abi, wasm = net.beginning()
    step = {"abi": abi, "wasm": base64.b64encode(wasm).decode()}
    return {"version": VERSION, **known, "step": step}


def digits() -> dict[str, str]:
    """Return handwritten digits and their labels. A digit has 64 pixels, each from "0" to "g" (16).

    They are the test set of "Optical Recognition of Handwritten Digits" by E. Alpaydin and C. Kaynak (UCI
    Machine Learning Repository, 1998, https://doi.org/10.24432/C50P49, CC BY 4.0), as in scikit-learn.
    """
    text = gzip.decompress(Path(__file__).with_name("digits.txt.gz").read_bytes()).decode()
    lines = text.split()
    return {"images": "".join(line[:-1] for line in lines), "labels": "".join(line[-1] for line in lines)}


def preset_tapes() -> dict[str, Any]:
    """Compile the formulas of the page Tape. Return each formula with its tape and its module."""
    presets = []
    for preset in PRESETS:
        tape = compile_tape(preset.text)
        wasm = base64.b64encode(tape["wasm"]).decode()
        presets.append({**asdict(preset), **tape, "wasm": wasm, "cost": lasting(tape["cost"])})
    return {"version": VERSION, "names": NAMES, "presets": presets}


def gallery() -> dict[str, dict[str, Any]]:
    """The diagrams page's files, by name."""
    diagrams = [compiled_diagram(name) for name in DIAGRAMS]
    programs = ROOT / "app" / "diagrams" / "gallery"
    cards = [
        {"id": name, "svg": svg, "text": (programs / f"{name}.py").read_text(encoding="utf-8")}
        for name, svg in zip(DIAGRAMS, pictures(diagrams), strict=True)
    ]
    return {
        "diagram": {"version": VERSION, "names": DIAGRAMS, "first": diagrams[0]},
        "diagram-gallery": {"version": VERSION, "cards": cards},
    }


def compiled_diagram(name: str) -> dict[str, Any]:
    """Compile a diagram of the gallery. Return it as JSON values that the page reads."""
    compiled = gallery_diagram(name, None)
    wasm = base64.b64encode(compiled["wasm"]).decode()
    return {**compiled, "wasm": wasm, "cost": lasting(compiled["cost"])}


def pictures(diagrams: list[dict[str, Any]]) -> list[str]:
    """Return the diagrams as SVG. The page's own JavaScript code computes their layouts.

    Raises:
        SetupError: Node failed.
    """
    with tempfile.TemporaryDirectory() as folder:
        job, result = Path(folder, "diagrams.json"), Path(folder, "pictures.json")
        job.write_text(json.dumps(diagrams), encoding="utf-8")
        done = find_node().run([ROOT / "tools" / "layouts.mjs", job, result])
        if done.returncode != 0:
            raise SetupError(f"Laying out the gallery's diagrams failed:\n{done.stderr.strip()}")
        drawn: list[str] = json.loads(result.read_text(encoding="utf-8"))
    return drawn


def kept_gaits() -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield (robot's name, weights) for the robots in tools/gaits.json."""
    gaits = json.loads(Path(__file__).with_name("gaits.json").read_text(encoding="utf-8"))
    for name, text in gaits.items():
        content = base64.b64decode(text)
        yield name, struct.unpack(f"<{len(content) // 2}e", content)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
