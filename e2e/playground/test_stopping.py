"""The playground stops programs that do not end, and starts Python again if it breaks down."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from e2e.conftest import FOR_NAMES, shared_page
from e2e.playground.conftest import READY, read, run, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Page, Route

    from e2e.lending import Contexts
    from e2e.sharing import SharedPage

pytestmark = pytest.mark.own_limits

ENDLESS = "print('begun')\nwhile True:\n    pass\n"
ENDLESS_WITHIN = "def wait():\n    while True:\n        pass\n\nwait()"


@pytest.fixture(scope="module")
def sharing(
    contexts: Contexts, browser_context_args: dict[str, object], server_url: str
) -> Iterator[SharedPage]:
    """A page with the usual time limits. Only the editor has more time to look up names."""
    page = shared_page(contexts, browser_context_args, server_url, [FOR_NAMES])
    yield page
    page.close()


def ended(page: Page, act: Callable[[], object]) -> str:
    """Call `act`, which ends a program. Return the page's message about the program.

    On a busy machine the message may lack the program's line. So try this up to four times.
    """
    told = ""
    for _ in range(4):
        expect(page.locator(".python")).to_have_text(READY, timeout=60_000)
        act()
        expect(page.locator(".output .remark")).to_contain_text("Stopped", timeout=60_000)
        told = page.locator(".output .remark").inner_text()
        if told.startswith("Line"):
            break
    return told


def test_an_endless_program_is_stopped_and_nothing_is_lost(playground: Page) -> None:
    page = playground
    write(page, ENDLESS)

    def stopped() -> None:
        page.locator(".run").click()
        expect(page.locator(".output")).to_contain_text("begun")
        page.locator(".stop").click()

    assert re.match("Line [23] Stopped", ended(page, stopped))
    assert read(page) == ENDLESS
    page.locator(".output .remark .go").click()
    expect(page.locator(".cm-content")).to_be_focused()
    expect(page.locator(".python")).to_have_text(READY, timeout=60_000)
    expect(run(page, "print(6 * 7)")).to_contain_text("42")


def test_a_program_that_takes_too_long_is_stopped_automatically(playground: Page) -> None:
    page = playground
    page.select_option("[name=limit]", "2")
    write(page, ENDLESS_WITHIN)
    told = ended(page, lambda: run(page))
    assert re.match(r"Line [23] Stopped after 2\ss", told)
    assert "called in line 5" in told
    assert read(page) == ENDLESS_WITHIN
    page.select_option("[name=limit]", "60")
    expect(run(page, "print(6 * 7)")).to_contain_text("42", timeout=60_000)


def test_an_endless_loop_of_compiled_code_ends_as_an_error(playground: Page) -> None:
    page = playground
    run(
        page,
        "import eglantine as eg\n\n@eg.fn\ndef f(x: eg.Real) -> eg.Real:\n"
        "    return eg.while_loop(lambda c: c > 0.0, lambda c: c * 1.0, x)\n",
    )
    page.select_option("[name=kind]", "value")
    expect(page.locator(".call output")).to_contain_text("fuel")
    page.locator(".call input").fill("-1.0")
    expect(page.locator(".call output")).to_have_text("-1.0")
    expect(page.locator(".python")).to_have_text(READY)


@pytest.mark.allow_console
def test_python_that_breaks_down_is_replaced_and_the_program_stays(playground: Page) -> None:
    page = playground
    program = "import js, pyodide_js\nprint('before')\npyodide_js._api.fatal_error(js.Error.new('broken'))\n"
    page.select_option("[name=limit]", "2")
    write(page, program)
    page.locator(".run").click()
    expect(page.locator(".output")).to_contain_text("Your program is still here", timeout=60_000)
    assert read(page) == program
    page.select_option("[name=limit]", "60")
    expect(run(page, "print(6 * 7)")).to_contain_text("42", timeout=60_000)


@pytest.mark.allow_console
def test_a_crash_of_python_is_reported_at_once_not_at_the_time_limit(playground: Page) -> None:
    page = playground
    page.select_option("[name=limit]", "60")
    write(page, "import ctypes\nctypes.string_at(0xffffffff, 10)\n")
    page.locator(".run").click()
    expect(page.locator(".output")).to_contain_text("Python crashed", timeout=30_000)
    expect(run(page, "print(6 * 7)")).to_contain_text("42", timeout=60_000)


def test_a_program_that_sleeps_waits_and_is_stopped_in_the_middle(playground: Page) -> None:
    page = playground
    page.select_option("[name=limit]", "60")
    timed = "import time\nstart = time.time()\ntime.sleep(1.5)\nprint('slept', time.time() - start > 1.45)\n"
    expect(run(page, timed)).to_contain_text("slept True")
    write(page, "import time\nprint('begun')\ntime.sleep(3600)\n")
    page.locator(".run").click()
    expect(page.locator(".output")).to_contain_text("begun")
    page.locator(".stop").click()
    expect(page.locator(".output .remark")).to_contain_text("Stopped")
    expect(run(page, "print(6 * 7)")).to_contain_text("42", timeout=60_000)


LEAVES_A_TIMER = """import js
from pyodide.ffi import create_proxy

rounds = 0

def again():
    global rounds
    rounds += 1

js.rounds = create_proxy(lambda: rounds)
js.setInterval(create_proxy(again), 1)
print("ended")
"""
FINDS_A_TIMER = """import js
from asyncio import sleep

if hasattr(js, "rounds"):
    before = js.rounds()
    await sleep(0.2)
    print("runs on" if js.rounds() > before else "stands still")
else:
    print("a clean Python")
"""


def test_stop_ends_a_timer_that_an_ended_program_left_running(playground: Page) -> None:
    page = playground
    stop = page.locator(".stop")
    if stop.is_enabled():  # a program of an earlier test may still run
        stop.click()
        expect(page.locator(".python")).to_have_text(READY, timeout=60_000)
    expect(stop).to_be_disabled()
    expect(run(page, LEAVES_A_TIMER)).to_contain_text("ended")
    expect(stop).to_be_enabled()
    expect(run(page, FINDS_A_TIMER)).to_contain_text("runs on")
    expect(stop).to_have_attribute("title", re.compile("left running"))
    stop.click()
    expect(page.locator(".output .remark").last).to_contain_text("Stopped. Your program is still here.")
    expect(stop).to_be_disabled()
    assert read(page) == FINDS_A_TIMER
    expect(run(page)).to_contain_text("a clean Python")


def test_stop_cancels_a_run_that_waits_for_python(page: Page) -> None:
    waiting: list[Route] = []

    def hold(route: Route) -> None:
        waiting.append(route)

    page.context.route("**/sandbox-worker-*.js", hold)
    page.add_init_script(FOR_NAMES)
    page.goto("playground.html")
    expect(page.locator(".cm-content")).to_be_visible()
    write(page, "print('never')")
    page.locator(".run").click()
    page.locator(".stop").click()
    expect(page.locator(".output")).to_contain_text("Stopped")
    expect(page.locator(".run")).to_have_attribute("aria-disabled", "false")
    for route in waiting:
        route.continue_()
    expect(page.locator(".python")).to_have_text(READY, timeout=60_000)
    expect(run(page, "print(6 * 7)")).to_contain_text("42")
    expect(page.locator(".output")).not_to_contain_text("never")


@pytest.mark.allow_console
def test_run_reports_that_python_did_not_load_and_works_once_it_has(page: Page) -> None:
    lost = "**/sandbox-worker-*.js"
    page.context.route(lost, lambda route: route.abort())
    page.add_init_script(FOR_NAMES)
    page.goto("playground.html")
    expect(page.locator(".python")).to_have_text("Python did not load", timeout=60_000)
    expect(page.locator(".cm-content")).to_be_visible()
    write(page, "print(6 * 7)")
    page.locator(".run").click()
    expect(page.locator(".output")).to_contain_text("Python did not load, so the program cannot run.")
    expect(page.locator(".run")).not_to_have_attribute("aria-disabled", "true")
    page.context.unroute(lost)
    page.locator(".retry").click()
    expect(page.locator(".python")).to_have_text(READY, timeout=60_000)
    expect(run(page)).to_contain_text("42")


LATE_SECONDS = 4


def test_the_time_of_a_program_does_not_count_the_loading_of_packages(playground: Page) -> None:
    page = playground
    page.select_option("[name=limit]", "60")
    expect(run(page, "import micropip\nprint('imported')")).to_contain_text("imported")  # may take long
    page.select_option("[name=limit]", "2")

    held: list[Route] = []
    page.context.route("**/mpmath-*.whl", lambda route: held.append(route))  # noqa: PLW0108  Playwright names it
    write(page, "import micropip\nawait micropip.install('mpmath')\nprint('installed')\n")
    page.locator(".run").click()
    expect(page.locator(".python")).to_have_text("Loading mpmath…")
    while not held:
        page.wait_for_timeout(20)
    page.wait_for_timeout(1000 * LATE_SECONDS)
    held.pop().continue_()
    expect(page.locator(".output")).to_contain_text("installed")
    expect(page.locator(".python")).to_have_text(READY)
    assert re.match("Line [23] Stopped after 2\\ss", ended_by_itself(page))


def ended_by_itself(page: Page) -> str:
    """Run an endless program until the page stops it. Return the page's message."""
    return ended(page, lambda: run(page, ENDLESS))
