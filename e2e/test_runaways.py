"""The page stops endless programs and starts Python again. If a worker dies, no work is lost."""

from __future__ import annotations

import datetime as dt
import re
import time
from random import Random
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.visitor import PYTHON_TIMEOUT_MS, number
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from playwright.sync_api import Page

PREPARED = (
    "import eglantine as eg\n"
    "f = eg.fn([eg.Real], eg.Real)(lambda x: eg.while_loop(lambda t: t >= 0, lambda t: t + 1, x))\n"
    "eg.endless = eg.compile(f)"
)
START = """async ({ prepared, isolated }) => {
  const { PythonWorker } = await import(new URL("engine/python-worker.js", document.scripts[0].src));
  const { openSandbox } = await import(new URL("engine/sandbox.js", document.scripts[0].src));
  const { loadManifest } = await import(new URL("engine/presets.js", document.scripts[0].src));
  self.phases = [];
  let ready = () => {};
  self.python = new PythonWorker(await loadManifest(), ({ phase }) => {
    if (self.phases.at(-1) !== phase) self.phases.push(phase);
    if (phase === "ready") ready();
  }, { open: openSandbox, isSandboxed: true });
  self.python.canInterrupt = isolated;
  const isReady = new Promise((resolve) => { ready = resolve; });
  self.python.start();
  await isReady;
  const { answer } = await self.python.ask("run", [prepared], { longestMs: 600_000 });
  return answer;
}"""
RUN = """([program, longestMs]) => {
  self.reply = null;
  self.hasPrinted = false;
  const onNote = (note) => { self.hasPrinted ||= JSON.stringify(note).includes("begun"); };
  void self.python.ask("run", [program], { longestMs, onNote }).then(({ answer, error, told = null }) => {
    self.reply = { answer, error, told };
  });
}"""
HAS_BEGUN = "() => self.hasPrinted"
"""A condition: the program has printed something.

The test waits for it, because an earlier interrupt would not be reported with a line of the program.
"""
HAS_ENDED = "() => self.reply !== null"
REPLY = "() => self.reply"
LONGEST_MS = 700
GRACE_MS = 300
"""The time that the page waits for Python to stop after an interrupt."""
BEFORE_SILENCE_S = 5
"""The number of seconds by which the test moves the clock forward before it stops the clock. With 10 seconds,
the sandbox would end a worker that is still warming up, because it would have sent no message for so long."""
NOON = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
LOOP = "print('begun')\nwhile True: pass"
STUBBORN = "print('begun')\nwhile True:\n  try:\n    while True: pass\n  except BaseException: pass"
COMPILED = """import eglantine as eg
print('begun')
while True:
  try: eg.endless(0.0)
  except BaseException: pass"""
"""A program that calls an endless compiled loop, again after each interrupt.

On a busy machine, the interrupt may come before the compiled loop has begun.
"""


def until(page: Page, holds: str) -> None:
    """Wait until a JavaScript expression is true. The page's clock may be stopped meanwhile."""
    end = time.monotonic() + PATIENCE_S
    while not page.evaluate(holds):
        assert time.monotonic() < end, holds
        time.sleep(0.02)


@pytest.mark.parametrize(
    ("program", "isolated", "is_told"),
    [
        (LOOP, True, True),
        (STUBBORN, True, False),
        (COMPILED, True, False),
        (LOOP, False, False),
    ],
    ids=["a loop", "a loop that catches it", "a compiled loop", "a loop, no shared memory"],
)
def test_an_endless_program_is_stopped_and_its_line_reported_if_possible(
    shared: Page, server_url: str, program: str, isolated: bool, is_told: bool
) -> None:
    """The test controls the page's clock, so the result does not depend on the machine's speed."""
    page = shared
    if not page.url.startswith(server_url):
        page.clock.install(time=NOON)
        page.goto(f"{server_url}playground.html")
    assert page.evaluate(START, {"prepared": PREPARED, "isolated": isolated})["ok"]
    page.clock.pause_at(page.evaluate("() => Date.now()") / 1000 + BEFORE_SILENCE_S)
    page.evaluate(RUN, [program, LONGEST_MS])
    until(page, HAS_BEGUN)
    page.clock.run_for(LONGEST_MS - 1)
    assert page.evaluate(REPLY) is None
    page.clock.run_for(1)
    if isolated and not is_told:
        page.clock.run_for(GRACE_MS - 1)
        assert page.evaluate(REPLY) is None
        page.clock.run_for(1)
    until(page, HAS_ENDED)
    reply = page.evaluate(REPLY)
    assert reply["error"] == "slow"
    assert (reply["told"] is not None) is is_told
    page.clock.resume()
    page.evaluate(RUN, ["2 * 21", 600_000])
    until(page, HAS_ENDED)
    assert page.evaluate(REPLY)["answer"]["value"] == "42"
    assert page.evaluate("() => self.phases") == ["loading", "ready", "loading", "ready"]
    page.evaluate("() => self.python.destroy()")


# ---------------------------------------------------------------- workers that die

KEEP_WORKERS = """
  self.startedWorkers = [];
  const Plain = self.Worker;
  self.Worker = class extends Plain {
    constructor(...given) {
      super(...given);
      self.startedWorkers.push(this);
    }
  };
"""
KILL = """(isSilent) => {
  for (const worker of self.startedWorkers.splice(0)) {
    worker.terminate();
    if (!isSilent) worker.dispatchEvent(new ErrorEvent("error", { message: "killed", cancelable: true }));
  }
}"""
"""A script that ends all workers. If `isSilent` is false, it also sends an error event, as the browser does
if a worker runs out of memory. If the operating system kills a worker, there may be no event."""
WATCHED = """async (name) => {
  const isNamed = (lock) => lock.name.startsWith(name);
  for (;;) {
    const { held, pending } = await navigator.locks.query();
    if (held.some(isNamed) && pending.some(isNamed)) return;
    await new Promise(requestAnimationFrame);
  }
}"""
"""A script that waits until a worker runs and the page watches for its end.

Until then, the page waits up to 30 s for an answer of the worker.
"""
KILLS = 20
POINT = (1.5, 2.5)
SMALL_STEPS = "0.02"
"""The step size of the training that is killed. With this step size, the loss is still falling when the
training is killed. With the page's default step size, the loss jumps. After iteration 230, it may never
become lower again."""


def work_of(page: Page) -> tuple[str, ...]:
    """Return the formula and the coordinates in the page's fields."""
    return tuple(page.locator(f"[name={name}]").input_value() for name in ("formula", "x", "y"))


def test_killing_python_at_random_moments_loses_no_work(page: Page, server_url: str) -> None:
    random = Random(20)  # noqa: S311  makes the same decisions in each run
    page.add_init_script(KEEP_WORKERS)
    page.goto(f"{server_url}quadratic.html")
    expect(page.locator("data[data-entry=f]")).not_to_be_empty()
    for k in range(KILLS):
        text, (x, y) = f"{k + 2} x y + {k}", (round(POINT[0] + k / 100, 2), round(POINT[1] - k / 100, 2))
        page.locator("#formula").fill(text)
        page.wait_for_timeout(random.choice([0, 30, 60, 300, 1000, 2500]) * random.random())
        page.evaluate(KILL, random.random() < 0.5)
        page.locator("[name=x]").fill(str(x))
        page.locator("[name=y]").fill(str(y))
        assert work_of(page) == (text, str(x), str(y))
        # Sometimes wait until Python has restarted, and check the page's numbers.
        if k % 5 == 4 or random.random() < 0.2:
            recover(page)
            assert number(page, "data[data-entry=fxy]") == k + 2
            assert number(page, "data[data-entry=f]") == pytest.approx((k + 2) * x * y + k)
    expect(page).to_have_url(re.compile(re.escape(f"f={KILLS + 1}%20x%20y%20%2B%20{KILLS - 1}")))
    page.get_by_role("button", name="Undo").click()
    assert work_of(page)[0] == f"{KILLS + 1} x y + {KILLS - 1}"
    assert float(work_of(page)[2]) == pytest.approx(POINT[1] - (KILLS - 2) / 100, abs=0.011)


@pytest.mark.parametrize("is_silent", [True, False], ids=["silently", "with an error"])
def test_a_training_whose_worker_is_killed_keeps_its_weights_and_continues(
    page: Page, server_url: str, is_silent: bool
) -> None:
    page.add_init_script(KEEP_WORKERS)
    page.goto(f"{server_url}robot.html")
    expect(page.locator("main")).to_have_attribute("data-shown", "")
    page.get_by_role("button", name="Start over").click()
    page.locator("[name=iterations]").fill("5000")
    page.locator("[name=rate]").fill(SMALL_STEPS)
    begun = number(page, ".loss")
    page.locator(".train").click()
    page.wait_for_function("() => Number(document.querySelector('.iteration').value) >= 10")
    page.evaluate(KILL, is_silent)
    expect(
        page.get_by_role("status").filter(has_text="you can continue from where it stopped")
    ).to_be_visible()
    learned = number(page, ".loss")
    assert learned < begun
    page.locator(".train").click()
    goes_on = "(loss) => Number(document.querySelector('.loss').value) < loss"
    page.wait_for_function(goes_on, arg=learned - 1e-3)
    page.locator(".train").click()


@pytest.mark.parametrize("is_silent", [True, False], ids=["silently", "with an error"])
def test_a_descent_whose_worker_is_killed_keeps_the_table_and_continues(
    page: Page, server_url: str, is_silent: bool
) -> None:
    page.add_init_script(KEEP_WORKERS)
    page.goto(f"{server_url}billiards.html")
    expect(page.locator("data.loss")).not_to_be_empty()
    page.locator("[name=goal-x]").fill("0.85")
    page.evaluate(WATCHED, "pages/billiards/descent.worker.js")
    page.evaluate(KILL, is_silent)
    expect(page.get_by_role("status").filter(has_text="Press Optimise to continue")).to_be_visible()
    assert page.locator("[name=goal-x]").input_value() == "0.85"
    page.locator("[name=goal-y]").fill("0.7")
    page.wait_for_function("() => Number(document.querySelector('data.loss').value) < 1e-3", timeout=30_000)
    assert page.locator("[name=goal-x]").input_value() == "0.85"


def recover(page: Page) -> None:
    """If Python has failed, restart it. Wait until the picture belongs to the formula in the field."""
    page.wait_for_function(
        "() => { const { dataset, classList } = document.querySelector('main');"
        " return dataset.python === 'failed' || !classList.contains('is-stale'); }",
        timeout=PYTHON_TIMEOUT_MS,
    )
    if page.locator("main").get_attribute("data-python") == "failed":
        page.get_by_role("button", name="Try again").click()
    expect(page.locator("main")).not_to_have_class(re.compile("is-stale"), timeout=PYTHON_TIMEOUT_MS)
