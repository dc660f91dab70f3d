"""`check_grads` accepts right derivatives and reports wrong derivatives."""

from __future__ import annotations

import pytest

import eglantine as eg

m = eg.math


def test_check_grads_compares_all_nestings_up_to_order_three() -> None:
    report = eg.check_grads(lambda x, y: x**y, (2.0, 3.0), order=3)
    assert len(report.checks) == 2 + 4 + 8
    assert all(check.holds for check in report.checks)
    assert "rev of fwd of fwd" in str(report)


def test_check_grads_takes_structs_vecs_bools_and_loops() -> None:
    def f(v: object, p: object) -> dict[str, object]:
        return {"a": eg.sum(5, lambda i: m.sin(v[i]) * v[0]), "b": eg.select(p, v, v * v)}

    eg.check_grads(f, ([1.0, 2.0, 3.0, 4.0, 5.0], True))


@pytest.mark.parametrize("mode", ["fwd", "rev"])
def test_a_wrong_rule_is_reported_with_both_numbers(mode: str) -> None:
    @eg.fn
    def square(x: eg.Real) -> eg.Real:
        return x * x

    @square.defjvp
    def _(primals: tuple[object, ...], tangents: tuple[object, ...]) -> tuple[object, object]:
        return square(*primals), 3.0 * primals[0] * tangents[0]

    with pytest.raises(AssertionError, match=f"DIFFERS  {mode} of square"):
        eg.check_grads(square, (2.0,), order=1, modes=(mode,))


def test_the_steps_of_differences_are_proportional_to_the_arguments() -> None:
    def drawn(length: object, stiffness: object) -> object:
        """Compute the energy of a spring that is a few centimetres long.

        For such a short spring, a step that suits lengths of a metre would give a wrong derivative.
        """
        return stiffness * (m.sqrt(length * length + 0.01) - 0.1) ** 2 + m.exp(-50.0 * length)

    report = eg.check_grads(drawn, (0.05, 30_000.0), order=1)
    assert all(check.tolerance < 1e-3 * abs(check.expected) for check in report.checks)


def test_differences_that_cannot_check_a_derivative_are_reported() -> None:
    def jump(x: object) -> object:
        """Return 2x at x = 2, and much larger values on both sides. Differences find no slope at 2."""
        return eg.select(x > 2.0, 1000.0 * x, x) + eg.select(x < 2.0, 3000.0 * x, x)

    with pytest.raises(AssertionError, match="derivatives cannot be checked here") as caught:
        eg.check_grads(jump, (2.0,), order=1)
    assert str(caught.value).count("CANNOT TELL") == 2
    assert "agrees" not in str(caught.value)
    assert "DIFFERS" not in str(caught.value)


def test_at_a_jump_differences_use_the_side_that_has_the_value() -> None:
    def step(x: object) -> object:
        return eg.select(x > 2.0, 1000.0 * x, 3.0 * x * x)

    report = eg.check_grads(step, (2.0,), order=2)
    assert len(report.checks) == 6
    assert all(check.holds for check in report.checks)


def test_a_wrong_rule_is_found_near_a_kink() -> None:
    """From x = 2, the usual step of 0.004 reaches beyond the kink at 2.001. A shorter step does not."""

    @eg.fn
    def bent(x: eg.Real) -> eg.Real:
        return eg.select(x > 2.001, 1000.0 * (x - 2.001), 3.0 * x)

    report = eg.check_grads(bent, (2.0,), order=1)
    assert all(check.holds and check.tolerance < 0.02 * abs(check.expected) for check in report.checks)

    @bent.defjvp
    def _(primals: tuple[object, ...], tangents: tuple[object, ...]) -> tuple[object, object]:
        return bent(*primals), 4.0 * tangents[0]

    with pytest.raises(AssertionError, match="DIFFERS  fwd of bent"):
        eg.check_grads(bent, (2.0,), order=1, modes=("fwd",))
