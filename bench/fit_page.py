"""The page Fit in use: NIST's problems from their starts, an edited formula, and a point that is dragged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import median, quantiles
from typing import TYPE_CHECKING

from bench.groups import nist
from bench.groups.live import visit
from bench.measure import OURS, Row, Series

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from bench.lab import Lab

SOLVED_MS, EDITED_MS, FRAME_MS = 5.0, 30.0, 8.0
"""The most milliseconds that a fit, an edit and the work of a frame should take."""
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

DRAG = """(frames) => new Promise((done) => {
  const place = document.querySelector(".scatter");
  const grip = document.querySelector("[data-grip='3']").getBoundingClientRect();
  const [x, y] = [grip.x + grip.width / 2, grip.y + grip.height / 2];
  const nextFrame = window.requestAnimationFrame.bind(window);
  let worked = 0;
  const timed = (work) => (...args) => {
    const start = performance.now();
    try {
      return work(...args);
    } finally {
      worked += performance.now() - start;
    }
  };
  window.requestAnimationFrame = (work) => nextFrame(timed(work));
  const times = [];
  const send = timed((type, k) => place.dispatchEvent(new PointerEvent(type, {
    pointerId: 1, pointerType: "mouse", isPrimary: true, button: 0, buttons: 1, bubbles: true,
    clientX: x, clientY: y - 40 * Math.sin(k / 9),
  })));
  const move = (k) => {
    if (k > 0) times.push(worked);
    worked = 0;
    if (k === frames) {
      send("pointerup", k);
      done(times.slice(5));
      return;
    }
    send("pointermove", k);
    nextFrame(() => nextFrame(() => move(k + 1)));
  };
  send("pointerdown", 0);
  nextFrame(() => move(0));
})"""
"""The times of the page's work for each move of the pointer: for the event, and for the next frames."""


def rows(lab: Lab) -> Iterator[Row]:
    """The rows of the fits, the edits, and the frames of a drag."""
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
    times = page.evaluate(DRAG, frames)
    return Row(
        "Fit page: our work in a frame while a point is dragged, 95 % of the frames", "ms",
        {OURS: Series((quantiles(times, n=20)[-1],))}, target=FRAME_MS,
        note=f"37 points, 7 parameters. The median of {len(times)} frames is {median(times):.2g} ms.",
    )  # fmt: skip
