"""Hostile programs forge messages from Python, overwrite functions, or never end."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from e2e.conftest import PATIENCE_MS
from e2e.safety.conftest import PYTHON_TIMEOUT_MS, begin, new_program, run
from tests.seeds import NIGHTLY

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.allow_console, pytest.mark.own_context]
"""The browser reports each refusal on the console."""

SEND = """import js, json
from pyodide.ffi import to_js

def send(**fields):
    js.postMessage(to_js(fields, dict_converter=js.Object.fromEntries))

"""
MARKUP = "<img src=x onerror=self.hit=1><b>bold</b>"


@pytest.fixture(scope="session")
def browser_context_args(browser_context_args: dict[str, Any]) -> dict[str, Any]:
    """Block service workers. No forged message reaches a service worker, so these tests need none."""
    return {**browser_context_args, "service_workers": "block"}


ON_EVERY_HOST = frozenset(
    {
        "test_a_forged_answer_only_appears_in_the_programs_own_output",
        "test_stop_ends_a_poisoned_python_and_the_next_program_gets_a_clean_one",
        "test_a_poisoned_python_that_stops_when_told_is_not_used_again",
        "test_stop_ends_every_worker_of_a_program",
    }
)
"""The tests that run on every host, even by day. By day, other tests run only on the development server.

The page checks messages in the same way on every host. Only its way to stop Python depends on the host.
"""


@pytest.fixture(autouse=True)
def _some_hosts_by_day(request: pytest.FixtureRequest, is_export: bool) -> None:
    if is_export and not NIGHTLY and request.node.originalname not in ON_EVERY_HOST:
        pytest.skip("long: runs on a plain host with python3 -m tests --nightly")


def unharmed(page: Page) -> None:
    """Check that the page shows no program text as markup, and that the next program gets a clean Python.

    The editor itself makes `<b>` elements in the program and in the signature of a function.
    """
    assert page.evaluate("self.hit === undefined")
    assert page.locator("main img, main b:not(.cm-content *, .code-help *)").count() == 0
    expect(page.locator("main")).to_have_attribute("data-python", "ready", timeout=PYTHON_TIMEOUT_MS)
    assert "clean" in run(page, new_program("clean"))


def hurry(page: Page) -> None:
    """Make the sandbox check its worker every 0.1 s, and wait 1.9 s for a reply.

    The usual times are 5 s and 10 s. During these times an endless program would use a whole processor.
    """
    [sandbox] = [frame for frame in page.frames if frame.parent_frame is not None]
    sandbox.evaluate(
        """() => {
          const plain = self.setTimeout;
          const shorter = { 5000: 100, 10000: 1900 };
          self.setTimeout = (act, ms) => plain(act, shorter[ms] ?? ms);
        }"""
    )


def test_a_forged_answer_only_appears_in_the_programs_own_output(playground: Page) -> None:
    text = SEND + (
        f"answer = json.dumps({{'ok': True, 'ms': 1, 'value': {MARKUP!r}, 'functions': []}})\n"
        "for id in range(1, 200):\n"
        "    send(kind='answer', id=id, json=answer, modules=[])\n"
    )
    said = run(playground, text)
    assert MARKUP in said
    unharmed(playground)


FORGED = {
    "an answer that is no JSON": "send(kind='answer', id=ID, json='{', modules=[])",
    "an answer of another shape": "send(kind='answer', id=ID, json=json.dumps({'ok': True}), modules=[])",
    "an answer without modules": "send(kind='answer', id=ID, json='{}')",
    "an answer that is a list": "send(kind='answer', id=ID, json='[]', modules=[])",
    "a prototype": "send(kind='answer', id=ID, json=json.dumps({'__proto__': {'ok': True}}), modules=[])",
    "objects in the place of text": "send(kind='note', id=ID, json={'printed': 'x'})",
    "a printed object": "send(kind='note', id=ID, json=json.dumps({'printed': {'toString': 1}}))",
    "another's id": "send(kind='answer', id=10**6, json=json.dumps({'ok': False}), modules=[])",
    "an id that is no number": "send(kind='answer', id='1', json='{}', modules=[])",
    "a second start": "send(kind='ready', start='snapshot', reason='')",
    "files that nobody has": "[send(kind='want', name=n) for n in ('../secret', '__proto__', 'package/x')]",
    "words of no kind": "send(kind='constructor'); js.postMessage('hello'); js.postMessage(None)",
}


TOGETHER = (
    "objects in the place of text",
    "a printed object",
    "another's id",
    "an id that is no number",
    "a second start",
    "words of no kind",
)
"""The names of messages that one program sends by day. Python survives each of them. At night, each message
has a program of its own."""


def attempts() -> dict[str, list[str]]:
    """Return the hostile programs: name → the forged messages that this program sends."""
    alone = {name: [forged] for name, forged in FORGED.items() if NIGHTLY or name not in TOGETHER}
    return alone if NIGHTLY else alone | {"together": [FORGED[name] for name in TOGETHER]}


def test_forged_messages_leave_the_page_as_it_is(playground: Page, server_url: str) -> None:
    asked: list[str] = []
    playground.context.on("request", lambda request: asked.append(request.url))
    for name, messages in attempts().items():
        expect(playground.locator("main")).to_have_attribute(
            "data-python", "ready", timeout=PYTHON_TIMEOUT_MS
        )
        body = "".join(f"    {forged}\n" for forged in messages)
        said = run(playground, SEND + f"for ID in range(1, 50):\n{body}print('done')\n")
        assert re.search("done" if name == "together" else "done|was restarted", said), name
        assert playground.evaluate("({}).ok === undefined"), name
    unharmed(playground)
    assert [url for url in asked if "secret" in url or url.endswith("/x")] == []


def give_a_second(page: Page) -> None:
    """Set a program's time limit to one second. (The page's list of limits has no such entry.)

    The start of a program may take 30 s. Without this function, it may take at most 3 s.
    """
    page.locator("[name=limit]").evaluate(
        """(list) => {
          list.add(new Option("1", "1", false, true));
          const plain = self.setTimeout;
          self.setTimeout = (act, ms, ...given) => plain(act, ms > 1000 && ms <= 3000 ? 30000 : ms, ...given);
        }"""
    )


def test_a_forged_package_load_stops_the_clock_for_a_minute_at_most(playground: Page) -> None:
    give_a_second(playground)
    text = SEND + (
        "for ID in range(1, 50):\n"
        "    for k in range(50):\n"
        "        send(kind='note', id=ID, json=json.dumps({'loading': 'nothing that the page has'}))\n"
        "while True:\n    pass\n"
    )
    begin(playground, text)
    expect(playground.locator(".output")).to_contain_text("Stopped after", timeout=PYTHON_TIMEOUT_MS)
    playground.select_option("[name=limit]", "60")
    unharmed(playground)


def test_a_program_that_repeats_that_it_begins_gets_no_more_time(playground: Page) -> None:
    give_a_second(playground)
    text = SEND + (
        "import time\n"
        "while True:\n"
        "    for ID in range(1, 50):\n"
        "        send(kind='begun', id=ID)\n"
        "    time.sleep(0.3)\n"
    )
    begin(playground, text)
    expect(playground.locator(".output")).to_contain_text("Stopped after", timeout=PYTHON_TIMEOUT_MS)
    playground.select_option("[name=limit]", "60")
    unharmed(playground)


def test_a_program_that_forges_its_end_and_runs_on_is_ended(playground: Page) -> None:
    before = {target["targetId"] for target in sandboxed_workers(playground)}
    text = SEND + (
        "answer = json.dumps({'ok': True, 'ms': 1, 'value': 'forged', 'functions': []})\n"
        "for ID in range(1, 50):\n"
        "    send(kind='answer', id=ID, json=answer, modules=[])\n"
        "    send(kind='pong', token=ID)\n"
        "while True:\n    pass\n"
    )
    assert "forged" in run(playground, text)
    end = time.monotonic() + 60
    while before & {target["targetId"] for target in sandboxed_workers(playground)}:
        assert time.monotonic() < end, "the program still runs"
        playground.wait_for_timeout(200)
    unharmed(playground)


def test_a_program_that_schedules_an_endless_call_is_ended(playground: Page) -> None:
    run(playground, new_program("first"))  # this run starts the Python in which the next program runs
    hurry(playground)
    before = {target["targetId"] for target in sandboxed_workers(playground)}
    text = (
        "import js\nfrom pyodide.ffi import create_proxy\n"
        "def for_ever():\n    while True:\n        pass\n"
        "js.setTimeout(create_proxy(for_ever), 2000)\nprint('ended')\n"
    )
    assert "ended" in run(playground, text)
    end = time.monotonic() + 120
    while before & {target["targetId"] for target in sandboxed_workers(playground)}:
        assert time.monotonic() < end, "the program still runs"
        playground.wait_for_timeout(200)
    unharmed(playground)


FORGED_SHOW = (
    SEND
    + """import eglantine as eg, app.playground

@eg.fn
def f(x: eg.Real) -> eg.Real:
    return x

LISTING = {"lines": ["a"] * 6, "rows": []}
async def ask(*_):
    shown = {"ok": True, "stages": [], "wat": {**LISTING, "folds": [[5, 0]], "more": 0}, "places": [],
             "tokens": [], "cost": {"ms": 1, "bytes": 8}}
    return json.dumps(shown), b"12345678"
app.playground.service.Service.ask = ask
"""
)


def test_a_forged_listing_that_never_ends_does_not_block_the_page(playground: Page) -> None:
    run(playground, FORGED_SHOW)
    unharmed(playground)


def test_a_forged_note_does_not_lift_the_limit_on_printing(playground: Page) -> None:
    text = SEND + (
        "for ID in range(1, 50):\n"
        '    send(kind=\'note\', id=ID, json=\'{"printed":{"length":-1e15},"loading":"x"}\')\n'
        "for _ in range(100):\n    print('x' * 9_999)\n"
    )
    run(playground, text)
    assert len(playground.locator(".output").inner_text()) < 250_000
    unharmed(playground)


def test_a_flood_of_messages_ends_the_program_and_not_the_page(playground: Page) -> None:
    playground.select_option("[name=limit]", "60")
    begin(playground, SEND + "while True:\n    send(kind='note', id=1, json='{}')\n")
    expect(playground.locator(".output")).to_contain_text("Python crashed", timeout=PYTHON_TIMEOUT_MS)
    unharmed(playground)


POISON = """import builtins, js, sys, time
from pyodide.ffi import create_proxy, to_js

nothing = create_proxy(lambda *_: None)
for name in ("postMessage", "onmessage", "setTimeout", "fetch", "Atomics", "JSON", "Promise", "close"):
    try:
        setattr(js, name, nothing)
    except BaseException:
        pass
js.Object.prototype.ok = True
js.Array.prototype.map = nothing
import app.service, eglantine
eglantine.fn = lambda *_: 1 / 0
app.service.METHODS.clear()
sys.modules["eglantine"] = None
time.sleep = print
print("poisoned", flush=True)
builtins.print = lambda *_: None
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""


def test_stop_ends_a_poisoned_python_and_the_next_program_gets_a_clean_one(
    playground: Page,
) -> None:
    for _ in range(2):
        begin(playground, POISON)
        expect(playground.locator(".output")).to_contain_text("poisoned", timeout=PYTHON_TIMEOUT_MS)
        playground.locator(".stop").click()
        expect(playground.locator(".output")).to_contain_text("Stopped.", timeout=PYTHON_TIMEOUT_MS)
        expect(playground.locator("main")).to_have_attribute(
            "data-python", "ready", timeout=PYTHON_TIMEOUT_MS
        )
    said = run(
        playground, "import eglantine as eg\nf = eg.fn([eg.Real], eg.Real)(lambda x: x * x)\nprint(f(3.0))"
    )
    assert "9.0" in said


QUIET_POISON = """import builtins, eglantine
eglantine.fn = lambda *_: 1 / 0
builtins.len = lambda *_: 7
print("poisoned")
while True:
    pass
"""


def test_a_poisoned_python_that_stops_when_told_is_not_used_again(playground: Page) -> None:
    begin(playground, QUIET_POISON)
    expect(playground.locator(".output")).to_contain_text("poisoned", timeout=PYTHON_TIMEOUT_MS)
    playground.locator(".stop").click()
    expect(playground.locator(".output")).to_contain_text("Stopped")
    assert "clean 3" in run(playground, "print('clean', len('abc'))")


# ---------------------------------------------------------------- workers

NESTING = """import js
from pyodide.ffi import to_js
script = "setInterval(() => {}, 1); new BroadcastChannel('x')"
address = js.URL.createObjectURL(js.Blob.new(to_js([script])))
for _ in range(5):
    try:
        js.Worker.new(address)
    except BaseException:
        pass
print("tried")
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""


def sandboxed_workers(page: Page) -> list[dict[str, Any]]:
    """The browser's workers of opaque origins."""
    session = page.context.browser.new_browser_cdp_session()  # type: ignore[union-attr]
    targets = session.send("Target.getTargets", {"filter": [{"type": "worker"}, {}]})["targetInfos"]
    session.detach()
    return [
        target for target in targets if target["type"] == "worker" and target["url"].startswith("blob:null/")
    ]


def settled_workers(page: Page) -> set[str]:
    """Wait until the browser lists only one sandboxed worker. Ended workers disappear after a moment."""
    found: set[str] = set()
    for _ in range(PATIENCE_MS // 100):
        found = {target["targetId"] for target in sandboxed_workers(page)}
        if len(found) == 1:
            break
        page.wait_for_timeout(100)
    return found


def test_stop_ends_every_worker_of_a_program(playground: Page) -> None:
    before = settled_workers(playground)
    assert len(before) == 1, "Python's worker"
    begin(playground, NESTING)
    expect(playground.locator(".output")).to_contain_text("tried", timeout=PYTHON_TIMEOUT_MS)
    playground.locator(".stop").click()
    expect(playground.locator(".output")).to_contain_text("Stopped.", timeout=PYTHON_TIMEOUT_MS)
    expect(playground.locator("main")).to_have_attribute("data-python", "ready", timeout=PYTHON_TIMEOUT_MS)
    after = settled_workers(playground)
    assert len(after) == 1, "the new Python's worker"
    assert before & after == set()
    assert playground.locator("iframe").count() == 1
