"""The networks of the page Learn: their gradients, their training, and the programs exported from them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

import eglantine as eg
from app.learning import data, modules, network, programs, sequence, text, training
from app.service import Service
from eglantine.types import StructType, TupleType, VecType

SPECS = [
    {**modules.DEFAULT, "hidden": hidden, "activation": activation}
    for hidden, activation in [
        ([], "tanh"),
        ([3], "relu"),
        ([4, 3], "maxout"),
        ([2, 3, 2], "gelu"),
        ([5], "tanh"),
    ]
]
SINE = {**modules.DEFAULT, "task": "sine", "hidden": [4]}
TEXT = {**modules.DEFAULT, "task": "text", "hidden": [12], "line": text.LINE}
LINES = (text.LINE, "Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich!", "ab", "蔷薇 蔷薇")


def nothing(of: Any) -> Any:
    """Make a value of the type `of` that contains only zeros."""
    if isinstance(of, VecType):
        return [nothing(of.of)] * of.n
    if isinstance(of, StructType | TupleType):
        return of.pack([nothing(item) for item in of.items])
    return 0


class Pupil:
    """A network with its compiled kernel. The network's training is the same as on the page."""

    def __init__(
        self, spec: dict[str, Any], examples: dict[str, Any], tests: dict[str, Any], **settings: Any
    ) -> None:
        task = modules.TASKS[spec["task"]]
        self.model = modules.model_of(spec)
        function = training.learning(self.model, task.most, task.tests, spec["optimiser"])
        self.kernel = eg.compile(function)
        self.examples, self.tests = examples, tests
        self.settings = {"rate": 0.03, "batch": 10, "l2": 0.0, **settings}
        self.now = self._run(nothing(function.function.params[0]), True, 0.0)

    def begin(self, seed: float = 1.0) -> dict[str, Any]:
        self.now = self._run(self.now["state"], True, 0.0, seed)
        return self.now

    def learn(self, steps: int) -> dict[str, Any]:
        self.now = self._run(self.now["state"], False, float(steps))
        return self.now

    def _run(self, state: Any, begins: bool, steps: float, seed: float = 1.0) -> dict[str, Any]:
        return self.kernel(state, begins, steps, seed, self.examples, self.tests, self.settings)

    @property
    def weights(self) -> list[float]:
        return self.now["state"]["solver"].x


def in_plane(name: str, noise: float = 0.1, seed: float = 1.0) -> tuple[dict[str, Any], dict[str, Any]]:
    """Draw 200 points for the training and 200 points for the test."""
    points = eg.jit(data.drawn())(data.SETS.index(name), seed, noise)
    half = data.POINTS // 2
    first = {"x": points["x"][:half] + [[0.0, 0.0]] * half, "label": points["label"][:half] + [0] * half}
    return {**first, "count": half}, {"x": points["x"][half:], "label": points["label"][half:], "count": half}


def sines() -> tuple[dict[str, Any], dict[str, Any]]:
    xs = eg.jit(data.waves(sequence.LENGTH))(1.0, 0.02)["x"]
    half = data.WAVES // 2
    return {"x": xs[:half], "count": half}, {"x": xs[half:], "count": half}


def by_hand(spec: dict[str, Any], weights: list[float], x: list[float]) -> list[float]:
    """Compute a network's probabilities in plain Python."""
    at = 0
    for k, units in enumerate([*spec["hidden"], modules.TASKS[spec["task"]].classes]):
        last = k == len(spec["hidden"])
        rows = units * (2 if spec["activation"] == "maxout" and not last else 1)
        z = [sum(weights[at + r * len(x) + j] * v for j, v in enumerate(x)) for r in range(rows)]
        at += rows * len(x)
        z = [value + weights[at + r] for r, value in enumerate(z)]
        at += rows
        x = z if last else {
            "tanh": lambda z=z: [math.tanh(v) for v in z],
            "relu": lambda z=z: [max(v, 0.0) for v in z],
            "gelu": lambda z=z: [v * 0.5 * (1 + math.erf(v / math.sqrt(2))) for v in z],
            "maxout": lambda z=z: [max(z[i : i + 2]) for i in range(0, len(z), 2)],
        }[spec["activation"]]()  # fmt: skip
    assert at == len(weights)
    size = sum(math.exp(v) for v in x)
    return [math.exp(v) / size for v in x]


@pytest.mark.parametrize("spec", SPECS)
def test_network_computes_what_plain_python_computes(spec: dict[str, Any]) -> None:
    model = modules.model_of(spec)
    weights = eg.jit(model.start)(3.0)
    answer = eg.jit(modules.answering(spec, weights))
    for x in ([0.3, -1.2], [2.0, 0.1]):
        expected = by_hand(spec, weights, x)
        assert answer(x) == pytest.approx(expected, rel=1e-12)
        loss = eg.jit(lambda w, x=x: model.loss(w, {"x": eg.asarray(x), "label": eg.Fin(2)(1)}))(weights)
        assert loss == pytest.approx(-math.log(expected[1]), rel=1e-9)


@pytest.mark.parametrize("spec", [*SPECS, SINE, {**TEXT, "hidden": [2]}])
def test_gradient_of_the_loss_agrees_with_differences(spec: dict[str, Any]) -> None:
    model = modules.model_of(spec)
    drawn = {
        "sine": lambda: sines()[0],
        "text": lambda: examples_of("aroma"),
        "plane": lambda: in_plane("moons")[0],
    }
    examples = drawn[spec["task"]]()
    first = min(2, examples["count"] - 1)
    loss = training.loss_of(model, modules.TASKS[spec["task"]].most)
    weights = eg.jit(model.start)(5.0)
    settings = {"rate": 0.0, "batch": min(3, examples["count"]), "l2": 0.01}
    gradient = eg.jit(eg.grad(loss))(weights, examples, first, settings)
    value, step = eg.jit(loss), 1e-6
    for k in range(0, model.size, 3):
        up, down = ([*weights[:k], weights[k] + by, *weights[k + 1 :]] for by in (step, -step))
        slope = (value(up, examples, first, settings) - value(down, examples, first, settings)) / (2 * step)
        assert gradient[k] == pytest.approx(slope, abs=1e-7)


@pytest.mark.parametrize(
    ("name", "hidden", "activation", "optimiser", "rate"),
    [
        ("moons", [6, 4], "tanh", "adam", 0.03),
        ("spirals", [8, 8], "maxout", "adam", 0.03),
        ("circles", [4], "gelu", "momentum", 0.03),
        ("xor", [6], "relu", "adam", 0.03),
        ("clouds", [], "tanh", "descent", 0.3),
    ],
)
def test_network_learns_a_set_of_points(
    name: str, hidden: list[int], activation: str, optimiser: str, rate: float
) -> None:
    spec = {"task": "plane", "hidden": hidden, "activation": activation, "optimiser": optimiser}
    pupil = Pupil(spec, *in_plane(name), rate=rate)
    assert pupil.now["test"]["right"] < 0.85
    end = pupil.learn(3000)
    assert end["train"]["right"] >= 0.97
    assert end["test"]["right"] >= 0.95
    assert end["state"]["solver"].nit == 3000

    answer = eg.jit(modules.answering(spec, pupil.weights))
    cell = 17 * network.CELLS + 5
    x, y = (network.REACH * (2 * i + 1 - network.CELLS) / network.CELLS for i in (5, 17))
    assert end["surface"][cell] == pytest.approx(answer([x, y])[1], rel=1e-9)
    right = [answer(x)[label] > 0.5 for x, label in zip(pupil.tests["x"], pupil.tests["label"], strict=True)]
    assert end["test"]["right"] == sum(right) / len(right)


@pytest.mark.parametrize("seed", [1.0, 2.0, 3.0])
def test_the_first_network_of_the_page_solves_two_moons_in_two_seconds(seed: float) -> None:
    steps_a_second = 600  # as the page begins
    pupil = Pupil(modules.DEFAULT, *in_plane("moons", 0.2, seed))
    assert pupil.begin(seed)["test"]["right"] < 0.9
    assert any(pupil.learn(100)["test"]["right"] >= 0.97 for _ in range(2 * steps_a_second // 100))


def test_training_in_parts_gives_the_same_bits_as_training_at_once() -> None:
    whole = vars(Pupil(modules.DEFAULT, *in_plane("moons")).learn(30)["state"]["solver"])
    parts = Pupil(modules.DEFAULT, *in_plane("moons"))
    for steps in (1, 0, 9, 20):
        parts.learn(steps)
    assert vars(parts.now["state"]["solver"]) == whole
    assert parts.now["state"]["next"] == 30 * 10 % 200


def test_settings_change_the_training_without_compiling_again() -> None:
    pupil = Pupil(modules.DEFAULT, *in_plane("moons"))
    start = pupil.weights
    pupil.settings["rate"] = 0.0
    assert pupil.learn(5)["state"]["solver"].x == start
    pupil.settings |= {"rate": 0.1, "l2": 1.0}
    size = sum(w * w for w in pupil.learn(300)["state"]["solver"].x)
    assert size < 0.05 * sum(w * w for w in start)


def test_lstm_learns_to_continue_a_sine() -> None:
    pupil = Pupil({**SINE, "hidden": [8]}, *sines(), rate=0.01, batch=4)
    end = pupil.learn(1500)
    assert end["test"]["loss"] < 0.004
    answer = eg.jit(modules.answering({**SINE, "hidden": [8]}, pupil.weights))
    heard = pupil.tests["x"][0][: sequence.HEARD]
    assert end["wave"][sequence.HEARD - 1] == pytest.approx(answer(heard), rel=1e-9)
    period = int(data.PERIOD)
    free = end["wave"][sequence.HEARD : sequence.HEARD + 2 * period]
    assert all(abs(free[t] - free[t + period]) < 0.3 for t in range(period))
    assert max(free) - min(free) > data.HEIGHT


def examples_of(line: str) -> dict[str, Any]:
    """A line as all examples."""
    return {**{name: [part] for name, part in text.example_of(line).items()}, "count": 1}


def test_lstm_learns_to_write_any_line_from_its_first_letter(capsys: pytest.CaptureFixture[str]) -> None:
    pupil = Pupil(TEXT, *[examples_of(text.LINE)] * 2, rate=0.02, batch=1)
    for line in LINES:
        pupil.examples = pupil.tests = examples_of(line)
        codes = text.example_of(line)["x"][: len(line)]
        pupil.begin()
        assert list(pupil.now["written"])[: len(line)] != codes
        seen = pupil.learn(400)
        assert seen["train"]["right"] == 1.0
        assert list(seen["written"])[: len(line)] == codes

        names: dict[str, Any] = {}
        spec = {**TEXT, "line": line}
        exec(programs.program_of(spec, pupil.weights), names)  # noqa: S102 - our own text
        assert list(names["network"](0)) == codes
        assert capsys.readouterr().out == f"{line}\n"
        assert list(modules.answering(spec, pupil.weights)(0)) == codes


@pytest.mark.parametrize("line", ["", "a", "ab" * 37, "".join(map(chr, range(65, 65 + 41)))])
def test_a_line_that_the_network_cannot_hold_is_refused(line: str) -> None:
    with pytest.raises(
        ValueError, match=f"this line has {len(line)}, of which {len(set(line))} are different"
    ):
        programs.program_of({**TEXT, "line": line}, [0.0] * modules.model_of(TEXT).size)


@pytest.mark.parametrize("line", LINES)
def test_the_loss_of_a_line_is_the_mean_surprise_at_its_letters(line: str) -> None:
    model = modules.model_of({**TEXT, "hidden": [3]})
    zeros = [0.0] * model.size
    judge = eg.jit(eg.fn([eg.Vec(model.size, eg.Real), model.example])(model.judge))
    loss, right = judge(zeros, text.example_of(line))
    assert loss == pytest.approx(math.log(text.KINDS))
    assert right == pytest.approx(line[1:].count(line[0]) / (len(line) - 1))


@pytest.mark.parametrize("spec", [*SPECS, SINE])
def test_the_exported_program_of_a_network_gives_the_same_numbers(
    spec: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    weights = eg.jit(modules.model_of(spec).start)(4.0)
    names: dict[str, Any] = {}
    exec(programs.program_of(spec, weights), names)  # noqa: S102 - our own text
    assert capsys.readouterr().out
    x = [0.3, -0.7] if spec is not SINE else [math.sin(t / 3) for t in range(sequence.HEARD)]
    assert names["network"](x) == pytest.approx(eg.jit(modules.answering(spec, weights))(x), rel=1e-12)


def test_service_compiles_networks_and_reports_invalid_settings() -> None:
    reply, wasm = Service().ask("network", [json.dumps(modules.DEFAULT)])
    answer = json.loads(reply)
    assert answer["ok"]
    assert answer["cost"]["bytes"] == len(wasm)
    for change in ({"task": "chess"}, {"hidden": [99]}, {"hidden": [1] * 9}, {"task": "sine", "hidden": []}):
        refused = json.loads(Service().ask("network", [json.dumps({**modules.DEFAULT, **change})])[0])
        assert not refused["ok"]
        assert refused["error"]["message"]
    model = modules.model_of(modules.DEFAULT)
    trained = Service().ask("trained_network", [json.dumps(modules.DEFAULT), [0.5] * model.size])
    assert "def network" in json.loads(trained[0])["program"]
    assert trained[1].startswith(b"\0asm")
    assert not json.loads(Service().ask("trained_network", [json.dumps(modules.DEFAULT), [0.5]])[0])["ok"]
