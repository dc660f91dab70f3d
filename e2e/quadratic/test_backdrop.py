"""Quadratic repaints only a part of a picture. The pixels are the same as after a full repaint."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.without_python
COMPARE = """async ([ratio, yaw, pitch, points]) => {
  const from = (path) => import(new URL(path, document.scripts[0].src));
  const { Camera } = await from("model/camera.js");
  const { buildMesh } = await from("model/mesh.js");
  const { buildPatch } = await from("model/patch.js");
  const { Backdrop } = await from("widgets/backdrop.js");
  const { readPalette } = await from("widgets/palette.js");
  const { paintScene } = await from("widgets/scene.js");
  const region = [-2, 2, -2, 2];
  const [width, height] = [420, 340];
  const mesh = buildMesh((x, y) => Math.sin(2 * x) * y, region, 27);
  const palette = readPalette(document.body);
  const camera = new Camera({ yaw, pitch }, width, height);
  const empty = () => {
    const size = { width: width * ratio, height: height * ratio };
    const canvas = Object.assign(document.createElement("canvas"), size);
    const ctx = canvas.getContext("2d");
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    return ctx;
  };
  const [kept, full, backdrop] = [empty(), empty(), new Backdrop()];
  const pixels = (ctx) => ctx.getImageData(0, 0, width * ratio, height * ratio).data;
  const differences = [];
  for (const [x, y] of points) {
    const [s, c] = [Math.sin(2 * x), Math.cos(2 * x)];
    const jet = { f: s * y, fx: 2 * c * y, fy: s, fxx: -4 * s * y, fxy: 2 * c, fyy: 0 };
    const scene = { mesh, jet, point: [x, y], region, patch: buildPatch(mesh, jet, [x, y]) };
    kept.clearRect(0, 0, width, height);
    full.clearRect(0, 0, width, height);
    backdrop.paint(kept, camera, scene, palette, ratio, []);
    paintScene(full, camera, scene, palette);
    const expected = pixels(full);
    differences.push(pixels(kept).filter((value, k) => value !== expected[k]).length);
  }
  return [backdrop.layers !== null, differences];
}"""
POINTS = [
    (0, 0),
    (0.4, 1),
    (-1.3, 0.7),
    (1.9, -1.9),
    (-2, 2),
    (-1.9, -2),
    (-1.2, -1.9),
    (0.8, -1.2),
    (0.8, -1.2),
]
"""The points to which the test moves the disc. At some of them, the disc covers numbers of the heights."""


@pytest.mark.parametrize(("ratio", "yaw", "pitch"), [(1, -0.58, 0.5), (2, 2.5, 0.1), (1.5, 0.9, 1.4)])
def test_a_moved_disc_gives_the_same_pixels_as_a_new_picture(
    tab: Page, server_url: str, ratio: float, yaw: float, pitch: float
) -> None:
    tab.goto(f"{server_url}quadratic.html")
    has_layers, differences = tab.evaluate(COMPARE, [ratio, yaw, pitch, POINTS])
    assert has_layers
    assert differences == [0] * len(POINTS)
