"""If no source has changed, a second build runs no step. A step that runs again makes the same bytes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.building import built
from tools import build
from tools.bootstrap import ROOT
from tools.build import Step
from tools.compressed import COMPRESSED
from tools.files import BUILD

CHEAP = ["stdlib", "sandbox", "plot"]
DEAR = ["penrose", "python", "wheel", "presets", "tier", "book", "documents", "engine", "snapshot", "light"]
DEAR += [f"brotli {step}" for step in ("engine", "snapshot", "light")]
KEPT_BY_THEMSELVES = ["scripts", "gzip"]
"""Steps of the build that keep the files in their folder. They name each file by a hash of its content."""


@pytest.fixture(scope="module", autouse=True)
def built_site() -> None:
    built()


def as_just_made(record: dict[str, dict[str, object]]) -> dict[str, dict[str, object]]:
    """Sort the files in a build's record in the order in which a new build makes them."""
    found = {name: dict(made) for name, made in record.items()}
    engine = build.named_files(found["engine"])
    assert list(engine) == ["engine", "engineScript"]
    found["engine"]["files"] = {key: engine[key] for key in ("engineScript", "engine")}
    python = build.named_files(found["python"])
    found["python"]["files"] = {key: python[key] for key in ("sources", "python")}
    return found


def keys_of(record: dict[str, dict[str, object]]) -> dict[str, str]:
    """The hash of each step's inputs."""
    return {step.name: step.inputs for step in build.steps(record)}


def test_reading_a_record_back_leaves_the_keys_of_its_steps_unchanged() -> None:
    record = build.read_record()
    made = as_just_made(record)
    assert json.dumps(made, sort_keys=True) == json.dumps(record, sort_keys=True)  # only the order differs
    assert keys_of(made) == keys_of(record)


def test_a_second_build_runs_no_step(monkeypatch: pytest.MonkeyPatch) -> None:
    record = build.read_record()
    for name, inputs in keys_of(as_just_made(record)).items():  # as a first build records them
        record[name]["inputs"] = inputs
    monkeypatch.setattr(build, "read_record", lambda: json.loads(json.dumps(record, sort_keys=True)))
    monkeypatch.setattr(build, "run_step", lambda step: pytest.fail(f"{step.name} was built again"))
    monkeypatch.setattr(build, "write_atomically", lambda _, __: None)
    build.build_alone()


def test_the_hash_of_files_depends_on_contents_and_not_on_their_order() -> None:
    paths = sorted((ROOT / "tools").glob("*.py"))
    expected = build.content_hash(paths)
    for turn in range(1, len(paths)):
        assert build.content_hash([*paths[turn:], *paths[:turn]]) == expected
    assert build.content_hash(paths[::-1]) == expected
    assert build.content_hash(paths[1:]) != expected


def step_of(name: str) -> Step:
    """Find the step of the build with this name."""
    return next(step for step in build.steps(build.read_record()) if step.name == name)


def made_by(name: str, folder: Path) -> dict[str, bytes]:
    """Run a step of the build. Return a dict from file names to contents."""
    folder.mkdir()
    names = step_of(name).make(folder)
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert set(names.values()) <= files.keys()
    return files


def makes_the_same_again(name: str, folder: Path) -> None:
    """Run a step of the build again. Check that the new files equal the files in the build's folder."""
    files = made_by(name, folder / name)
    for path in build.named_files(build.read_record()[name]).values():
        assert files[path] == (BUILD / path).read_bytes(), path


@pytest.mark.parametrize("name", CHEAP)
def test_a_repeated_step_makes_the_same_bytes(name: str, tmp_path: Path) -> None:
    makes_the_same_again(name, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("name", DEAR)
def test_a_repeated_long_step_makes_the_same_bytes(name: str, tmp_path: Path) -> None:
    makes_the_same_again(name, tmp_path)


@pytest.mark.nightly
@pytest.mark.parametrize("name", KEPT_BY_THEMSELVES)
def test_repeated_compression_gives_the_same_bytes(name: str) -> None:
    folders = [BUILD / ".lean", BUILD / COMPRESSED]

    def copies() -> dict[Path, bytes]:
        return {path: path.read_bytes() for folder in folders for path in sorted(folder.iterdir())}

    before = copies()
    step_of(name).make(Path(os.devnull))
    assert copies() == before


def test_every_step_of_the_build_is_tested() -> None:
    assert {step.name for step in build.steps(build.read_record())} == {
        *CHEAP,
        *DEAR,
        *KEPT_BY_THEMSELVES,
    }
