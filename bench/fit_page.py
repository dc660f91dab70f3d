"""Time the page Fit in use: fits to NIST's data, an edited formula, and a point that is dragged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median
from typing import TYPE_CHECKING

from bench import dragging
from bench.groups import nist
from bench.groups.live import visit
from bench.measure import OURS, Row, Series

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from bench.lab import Lab

SOLVED_MS, EDITED_MS = 5.0, 30.0
"""The most milliseconds that a fit and an edit should take."""
SCIPY = "SciPy curve_fit lm"
PART_OF_SCIPY = 1 / 10
"""The target for a fit as a fraction of SciPy's time. If this is shorter than SOLVED_MS, SOLVED_MS is the
target."""
SLOW_SHARE = 0.95
PAUSE_MS = 60
"""The time, in milliseconds, for which the page waits for the next key. In fit-page.js it is TYPING_MS."""
ROUNDS, EDITS, FRAMES = 9, 5, 240
"""The fits of each set, the edits to each formula, and the frames of a drag."""

FORMULAS = (
    "p*exp(-z*x) + z1", "p*x + z", "p/(1 + exp(-z*(x - z1)))", "p*x^z", "p + z*x + z1*x^2 + z2*x^3",
    "p*exp(-((x - z)/z1)^2)", "p*(1 - exp(-z*x))", "p*sin(z*x + z1) + z2", "(p + z*x)/(1 + z1*x)",
)  # fmt: skip
"""The formulas that the edits write. Each edit puts another letter in place of p, and adds 0 times another
number. So no formula occurs twice."""

SOLVE = """async (rounds) => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { loadManifest, loadFits } = await from("engine/presets.js");
  const { Fitter } = await from("pages/fit/fitter.js");
  const { docOf, readSpec, specOf } = await from("pages/fit/doc.js");
  const { beginning, load, loadSolver } = await loadFits(await loadManifest());
  const times = {};
  for (const set of beginning.sets.filter((one) => one.certified)) {
    const doc = docOf(set);
    const { capacity, text } = readSpec(specOf(doc, beginning));
    const modules = await load(beginning.compiled[text]);
    const solver = await loadSolver(modules.names.length, capacity);
    const fitter = new Fitter({ ...modules, solver }, capacity);
    times[set.name] = Array.from({ length: rounds }, () => {
      const start = performance.now();
      fitter.solve(doc, null, false);
      return performance.now() - start;
    }).slice(1);
  }
  return times;
}"""
"""A script that returns the times of fits to each of NIST's data sets. A fit begins at the set's starting
point. The first fit of each set is left out, because it also compiles the modules."""

EDIT = """async ([formulas, edits, pause]) => {
  const wait = window.setTimeout;
  window.setTimeout = (call, ms) => wait(call, ms === pause ? 0 : ms);
  let python = null;
  let sent = 0;
  const post = Worker.prototype.postMessage;
  Worker.prototype.postMessage = function (data, ...rest) {
    if (data?.method === "fitter") [python, sent] = [this, performance.now()];
    post.call(this, data, ...rest);
  };
  const answered = () => new Promise((done) => {
    const listen = ({ data, timeStamp }) => {
      if (data.kind !== "answer") return;
      python.removeEventListener("message", listen);
      done(timeStamp); // the page has drawn the answer before it calls this listener
    };
    python.addEventListener("message", listen);
  });
  const formula = document.querySelector("[name=formula]");
  const names = document.querySelector(".parameters tbody");
  const edit = async (text, letter) => {
    const start = performance.now();
    const shown = new Promise((done, failed) => {
      wait(() => failed(new Error(document.querySelector(".formula .note").textContent)), 10_000);
      const observer = new MutationObserver(() => {
        if (names.querySelector("th")?.textContent !== letter) return;
        observer.disconnect();
        done(performance.now());
      });
      observer.observe(names, { childList: true, subtree: true, characterData: true });
    });
    formula.value = text;
    formula.dispatchEvent(new InputEvent("input", { bubbles: true }));
    const answer = python === null ? 0 : await answered(); // the first edit only finds the worker
    return { total: (await shown) - start, python: answer - sent };
  };
  const rest = () => new Promise((done) => wait(done, 300));
  await edit("q*x + z", "q");
  await rest();
  const times = { total: [], python: [], power: [] };
  let fresh = 0;
  for (let round = 0; round < edits; round++) {
    for (const text of formulas) {
      const letter = "qrstuvw"[++fresh % 7];
      const { total, python: compiled } = await edit(`${text.replace("p", letter)} + 0*${fresh}`, letter);
      await rest();
      const asked = performance.now();
      python.postMessage({ id: -fresh, method: "formula", args: [`x^y + ${fresh}`, ["x", "y"]] });
      const power = (await answered()) - asked;
      await rest();
      if (round === 0 && edits > 1) continue;
      times.total.push(total);
      times.python.push(compiled);
      times.power.push(power);
    }
  }
  return times;
}"""
"""A script that edits the formula many times and returns three lists of times. "total" has the time from each
edit until the formula's parameters are shown. "python" has the time from the page's question to Python's
answer. After each edit, the same worker compiles x^y. "power" has the time from this question to the answer.
The page does not wait for further keys.
"""


def rows(lab: Lab) -> Iterator[Row]:
    """Yield rows with the times of fits, of edits, and of frames while a point is dragged."""
    with visit(lab, "fit") as page:
        lab.say("the page Fit")
        solved = page.evaluate(SOLVE, 2 if lab.check else ROUNDS)
        yield slowest_of(solved)
        yield from edits(page.evaluate(EDIT, [FORMULAS, 1 if lab.check else EDITS, PAUSE_MS]))
        yield dragged(page, 20 if lab.check else FRAMES)


def edits(times: Mapping[str, Sequence[float]]) -> Iterator[Row]:
    """Yield two rows: the times of edits, and Python's time for a formula divided by its time for x^y."""
    total, python, power = (times[name] for name in ("total", "python", "power"))
    slow = sorted(total)[int(SLOW_SHARE * len(total))]
    yield Row(
        "Fit page: another formula, until its fit is shown", "ms", {OURS: Series(tuple(total))},
        target=EDITED_MS,
        note=f"{len(total)} edits to {len(FORMULAS)} formulas, without the {PAUSE_MS} ms for which the page "
        f"waits for the next key. 95 % take at most {slow:.3g} ms. The median until Python's answer is "
        f"{median(python):.3g} ms.",
    )  # fmt: skip
    yield Row(
        "Fit page: another formula, Python's answer: times its answer for x^y", "×",
        {OURS: Series(tuple(ours / base for ours, base in zip(python, power, strict=True)))},
        note=f"The same worker compiles x^y with gradient and Hessian after each edit, which takes "
        f"{median(power):.3g} ms with the messages.",
    )  # fmt: skip


def slowest_of(solved: Mapping[str, Sequence[float]]) -> Row:
    """Find the slowest fit to NIST's data sets. Return a row with our time and SciPy's time for this fit."""
    middles = {name: median(times) for name, times in solved.items()}
    slowest = max(middles, key=lambda name: middles[name])
    times, target = {OURS: Series(tuple(solved[slowest]))}, SOLVED_MS
    problem = nist.PROBLEMS[slowest]
    solvers, missing = nist.contestants(problem)
    if SCIPY in solvers:
        _, times[SCIPY] = nist.timed({SCIPY: solvers[SCIPY]}, problem.starts[1])[SCIPY]
        target = max(SOLVED_MS, PART_OF_SCIPY * times[SCIPY].median)
    short = sum(middle <= SOLVED_MS for middle in middles.values())
    return Row(
        "Fit page: a NIST problem from its start, the slowest of all", "ms", times, target=target,
        missing=missing,
        note=f"The slowest of {len(middles)} is {slowest}. {short} take at most {SOLVED_MS:g} ms, and the "
        f"median of all is {median(middles.values()):.2g} ms. The target is {SOLVED_MS:g} ms or a tenth of "
        "SciPy's time.",
    )  # fmt: skip


def dragged(page: Page, frames: int) -> Row:
    """Measure the work in a frame while a point of the data set Thurber is dragged."""
    page.locator("[name=set]").select_option("Thurber")
    page.locator("td.certified").first.wait_for()
    times = dragging.drag(page, frames, ".scatter", "[data-grip='3']", turns=2)
    return Row(
        "Fit page: our work in a frame while a point is dragged, 95 % of the frames", "ms",
        {OURS: Series((dragging.most_of(times),))}, target=dragging.FRAME_MS,
        note=f"37 points, 7 parameters. The median of {len(times)} frames is {median(times):.2g} ms.",
    )  # fmt: skip
