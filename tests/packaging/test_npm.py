"""The npm packages contain scripts, types and a README, and a new Vite project can use them."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pytest

from tools import npm
from tools.node import find_node


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return npm.main(tmp_path_factory.mktemp("npm"))


def test_each_package_contains_the_files_that_its_exports_name(packed: list[Path]) -> None:
    assert [path.name for path in packed] == ["eglantine-plot-0.1.0.tgz", "eglantine-figures-0.1.0.tgz"]
    for path in packed:
        with tarfile.open(path) as archive:
            names = set(archive.getnames())
            member = archive.extractfile("package/package.json")
            assert member is not None
            about = json.load(member)
        entry = about["exports"]["."]
        styles = {"package/style.css"} if "./style.css" in about["exports"] else set()
        needed = {f"package/{name[2:]}" for name in entry.values()} | {"package/README.md", "package/LICENSE"}
        assert needed | styles | {"package/package.json"} == names
        assert "dependencies" not in about


@pytest.mark.nightly
def test_an_empty_project_with_vite_installs_and_builds_with_the_packages(
    packed: list[Path], tmp_path: Path
) -> None:
    main = (
        'import "eglantine-plot";\n'
        'import { wakeFigures } from "eglantine-figures";\n'
        'import "eglantine-figures/style.css";\n'
        "wakeFigures(document.body);\n"
        'const plot = document.querySelector("eglantine-plot");\n'
        "console.log(plot?.value?.f.toFixed(2));\n"
    )
    (tmp_path / "package.json").write_text('{"name": "empty", "private": true, "type": "module"}')
    (tmp_path / "main.ts").write_text(main)
    (tmp_path / "index.html").write_text('<!doctype html><script type="module" src="./main.ts"></script>')
    node = find_node()
    installed = node.run_npm(
        ["install", "--no-audit", "--no-fund", *map(str, packed), "vite", "typescript"], cwd=tmp_path
    )
    assert installed.returncode == 0, installed.stderr
    built = node.run_npm(["exec", "--", "vite", "build"], cwd=tmp_path)
    assert built.returncode == 0, built.stdout + built.stderr
    scripts = "".join(path.read_text() for path in (tmp_path / "dist" / "assets").glob("*.js"))
    assert "eglantine-plot" in scripts
    assert "eglantineFigures" in scripts
    assert [*(tmp_path / "dist" / "assets").glob("*.css")]
    types = ["--noEmit", "--strict", "--module", "esnext", "--moduleResolution", "bundler", "--skipLibCheck"]
    # `vite/client` declares types for imported style sheets
    checked = node.run_npm(["exec", "--", "tsc", *types, "--types", "vite/client", "main.ts"], cwd=tmp_path)
    assert checked.returncode == 0, checked.stdout
