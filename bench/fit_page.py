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
"""A fit may also take this part of SciPy's time, if that is longer."""
PAUSE_MS = 60
"""The time for which the page waits for the next key (TYPING_MS in fit-page.js)."""
ROUNDS, EDITS, FRAMES = 9, 12, 240

SOLVE = """async (rounds) => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { loadManifest, loadFits } = await from("engine/presets.js");
  const { Fitter } = await from("pages/fit/fitter.js");
  const { docOf, readSpec, specOf } = await from("pages/fit/doc.js");
  const { beginning, load, loadSolver } = await loadFits(await loadManifest());
  const times = {};
  for (const set of beginning.sets.filter((one) => one.certified)) {
    const doc = docOf(set);
    const spec = specOf(doc, beginning);
    const { capacity } = readSpec(spec);
    const modules = await load(beginning.compiled[spec]);
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
"""The times of the fits to NIST's sets from their starts. The first fit compiles the modules and is left
out."""

EDIT = """async ([edits, pause]) => {
  const wait = window.setTimeout;
  window.setTimeout = (call, ms) => wait(call, ms === pause ? 0 : ms);
  const formula = document.querySelector("[name=formula]");
  const names = document.querySelector(".parameters tbody");
  const times = [];
  for (let k = 0; k < edits; k++) {
    const letter = "pqrstuvw"[k % 8];
    const start = performance.now();
    await new Promise((done, failed) => {
      wait(() => failed(new Error(document.querySelector(".formula .note").textContent)), 10_000);
      const observer = new MutationObserver(() => {
        if (names.querySelector("th")?.textContent !== letter) return;
        observer.disconnect();
        done(null);
      });
      observer.observe(names, { childList: true, subtree: true, characterData: true });
      formula.value = `${letter}*exp(-z*x) + z1 + 0*${k}`;
      formula.dispatchEvent(new InputEvent("input", { bubbles: true }));
    });
    times.push(performance.now() - start);
    await new Promise((done) => wait(done, 300));
  }
  return times.slice(2);
}"""
"""The times from the edit of the formula until its parameters are shown. The page does not wait for further
keys."""


def rows(lab: Lab) -> Iterator[Row]:
    """The rows with the times of the fits, of the edits, and of the frames of a drag."""
    with visit(lab, "fit") as page:
        lab.say("the page Fit")
        solved = page.evaluate(SOLVE, 2 if lab.check else ROUNDS)
        yield slowest_of(solved)
        edited = page.evaluate(EDIT, [3 if lab.check else EDITS, PAUSE_MS])
        yield Row(
            "Fit page: another formula, until its fit is shown", "ms",
            {OURS: Series(tuple(edited))}, target=EDITED_MS,
            note=f"Without the {PAUSE_MS} ms for which the page waits for the next key.",
        )  # fmt: skip
        yield dragged(page, 20 if lab.check else FRAMES)


def slowest_of(solved: Mapping[str, Sequence[float]]) -> Row:
    """The time of the slowest fit to NIST's sets, beside SciPy's time for the same fit."""
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
    """The work in a frame while a point of Thurber's data is dragged."""
    page.locator("[name=set]").select_option("Thurber")
    page.locator("td.certified").first.wait_for()
    times = dragging.drag(page, frames, ".scatter", "[data-grip='3']", turns=2)
    return Row(
        "Fit page: our work in a frame while a point is dragged, 95 % of the frames", "ms",
        {OURS: Series((dragging.most_of(times),))}, target=dragging.FRAME_MS,
        note=f"37 points, 7 parameters. The median of {len(times)} frames is {median(times):.2g} ms.",
    )  # fmt: skip
