// Wake the figures of a page: instantiate their kernels, listen to their controls, patch their pictures.

import { draw } from "./drawing.js";
import { BOTTOM, LEFT, RIGHT, TOP } from "./frames.js";
import { pictureOf } from "./pictures.js";
import { projection } from "./solids.js";
import { SVG, element, takeaway } from "./takeaway.js";

/**
 * @typedef {import("./frames.js").Mark} Mark
 * @typedef {import("./drawing.js").Spec & { wasm: string, inputs: number[], outputs: number[], name: string,
 *   hidden?: string[], files: Record<string, string>, start: import("./drawing.js").State }} Description
 */

const ENOUGH_LIGHT = 140;
const ROUNDS_PER_MS = 1 / 4000;
/** Files lie beside the script, or beside the page if the script stands in it. */
const HERE = /** @type {HTMLScriptElement | null} */ (document.currentScript)?.src || document.baseURI;

/** Wake every figure of a document that still sleeps, when it is less than a screen away. @param {ParentNode} root */
export function wakeFigures(root) {
  const seen = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      const asleep = /** @type {HTMLElement} */ (target);
      wake(asleep).catch(() => (asleep.dataset.awake = "failed")); // the still picture stays
    }
  }, { rootMargin: "100%" });
  for (const figure of root.querySelectorAll("figure.eg-figure:not([data-awake])")) {
    /** @type {HTMLElement} */ (figure).dataset.awake = "";
    seen.observe(figure);
  }
}

/** Copy the values of the controls that this figure shares with another figure. @param {HTMLElement} figure
 * @param {Record<string, any>} values @param {Record<string, any>} others @param {() => void} ask */
function take(figure, values, others, ask) {
  for (const name in values) {
    values[name] = others[name] ?? values[name];
    for (const input of figure.querySelectorAll(`[name=${name}]`)) {
      /** @type {HTMLInputElement} */ (input).value = String(values[name]);
    }
  }
  ask();
}

/** The bytes of a figure's module. @param {string} source */
async function bytesOf(source) {
  if (!source.startsWith("base64,")) return (await fetch(new URL(source, HERE))).arrayBuffer();
  return Uint8Array.from(atob(source.slice(7)), (letter) => letter.charCodeAt(0)).buffer;
}

/** The children of an element as marks. @param {Element} parent @returns {Mark[]} */
const marksOf = (parent) => [...parent.children].map((child) => [
  child.tagName, Object.fromEntries([...child.attributes].map(({ name, value }) => [name, value])), child.textContent ?? "",
]);

/** @param {HTMLElement} figure */
async function wake(figure) {
  /** @type {Description} */
  const spec = JSON.parse(figure.dataset.figure ?? "");
  const bytes = await bytesOf(spec.wasm);
  const { run, look } = await kernelOf(bytes);
  const { inputs, outputs } = spec;
  const state = spec.start;
  const row = new Float64Array(outputs.length);
  /** @param {number[]} place */
  const at = (...place) => {
    let cells = look();
    for (let k = 0; k < place.length; k++) cells[inputs[k]] = place[k];
    try {
      run();
      cells = look();
      for (let k = 0; k < outputs.length; k++) row[k] = cells[outputs[k]];
    } catch {
      row.fill(NaN);
    }
    return row;
  };
  const asideBytes = spec.aside && (await bytesOf(spec.aside.wasm));
  const beside = spec.aside && asideBytes ? await asideOf(spec.aside, asideBytes) : null;
  const picture = /** @type {SVGSVGElement} */ (figure.querySelector("svg"));
  const layers = ["g.behind", "svg.plot", "g.above"].map((name) => /** @type {Element} */ (picture.querySelector(name)));
  let shown = layers.map(marksOf);
  const told = figure.querySelector(".told");
  let isDrawn = false;
  let isWaiting = false;
  const render = () => {
    const values = spec.controls.flatMap(({ name }) => state.values[name]);
    values.forEach((value, k) => (look()[inputs[spec.axes.length + k]] = value));
    const said = beside?.([...(state.place ?? spec.axes.map(() => 0)), ...values]) ?? null;
    const now = draw(spec, state, at, said);
    const marks = [now.behind, now.plot, now.above];
    layers.forEach((layer, k) => patch(layer, shown[k], marks[k]));
    shown = marks;
    if (told && told.textContent !== now.told) told.textContent = now.told;
  };
  /** Draw the first change of a frame with the control that made it, and later ones in the next frame. */
  const ask = () => {
    isWaiting = isDrawn;
    if (isDrawn) return;
    isDrawn = true;
    render();
    requestAnimationFrame(() => {
      isDrawn = false;
      if (isWaiting) ask();
    });
  };
  const change = () => {
    ask();
    figure.dispatchEvent(new CustomEvent("eglantine-changed", { bubbles: true, detail: state }));
  };
  figure.closest(".eg-figures")?.addEventListener("eglantine-changed", (event) => {
    const { target, detail } = /** @type {CustomEvent} */ (event);
    if (target !== figure) take(figure, state.values, detail.values, ask);
  });
  render();
  listen(picture, spec, state, at, change);
  figure.append(controlsOf(figure, spec, state, change),
    takeaway(figure, spec, { [`${spec.name}.wasm`]: bytes, ...(asideBytes && { "aside.wasm": asideBytes }) }));
  follow(figure);
  figure.dataset.awake = "ready";
}

/** A kernel's program, and a look at its memory, which may grow while it runs. @param {ArrayBuffer} bytes */
async function kernelOf(bytes) {
  const { main, memory } = (await WebAssembly.instantiate(bytes)).instance.exports;
  let cells = new Float64Array();
  const look = () => {
    if (!cells.length) cells = new Float64Array(/** @type {WebAssembly.Memory} */ (memory).buffer);
    return cells;
  };
  return { run: /** @type {() => void} */ (main), look };
}

/** The second kernel: from the held point and the controls to a sentence's numbers and the points of paths.
 * @param {import("./paths.js").Aside} aside @param {ArrayBuffer} bytes */
async function asideOf({ inputs, outputs, paths }, bytes) {
  const { run, look } = await kernelOf(bytes);
  /** @param {number[]} values @returns {import("./paths.js").Said} */
  return (values) => {
    values.forEach((value, k) => (look()[inputs[k]] = value));
    run();
    const cells = look();
    return {
      numbers: outputs.map((k) => cells[k]),
      paths: paths.map(({ xs, ys, greys, n }) => [xs, ys, greys].flatMap((k) => (k === undefined ? [] : cells.subarray(k, k + n)))),
    };
  };
}

/** Make the children of an element, which are the marks `before`, the marks of a list. @param {Element} parent @param {Mark[]} before @param {Mark[]} marks */
function patch(parent, before, marks) {
  marks.forEach(([tag, attributes, text = ""], k) => {
    let [, old, oldText = ""] = before[k] ?? [];
    let child = parent.children[k];
    if (child?.tagName !== tag) {
      const fresh = document.createElementNS(SVG, tag);
      if (child) child.replaceWith(fresh);
      else parent.append(fresh);
      child = fresh;
      old = {};
      oldText = "";
    }
    for (const name in attributes) if (old[name] !== attributes[name]) child.setAttribute(name, attributes[name]);
    for (const name in old) if (!(name in attributes)) child.removeAttribute(name);
    if (oldText !== text) child.textContent = text;
  });
  while (parent.children.length > marks.length) parent.lastElementChild?.remove();
}

/** @param {number} value @param {number} low @param {number} high */
const within = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * Move points by pointer and by keys.
 * @param {SVGSVGElement} picture @param {Description} spec @param {import("./drawing.js").State} state
 * @param {import("./drawing.js").At} at @param {() => void} ask
 */
function listen(picture, spec, state, at, ask) {
  const ends = [spec.axes[0], spec.axes[1] ?? { lo: spec.range[0], hi: spec.range[1] }];
  /** @param {string} name @param {number[]} goal */
  const move = (name, goal) => {
    const [x, y] = goal.map((value, k) => within(value, ends[k].lo, ends[k].hi));
    if (name === "place") state.place = spec.axes.length === 1 ? [x] : [x, y];
    else {
      const [oldX, oldY] = /** @type {number[]} */ (state.values[name]);
      const on = spec.controls.find((control) => control.name === name)?.on;
      state.values[name] = [on === "y" ? oldX : x, on === "x" ? oldY : on === "curve" ? at(x)[0] : y];
    }
    ask();
  };
  /** @param {string} name */
  const here = (name) => {
    const [x, y = 0] = name === "place" ? (state.place ?? []) : /** @type {number[]} */ (state.values[name]);
    return [x, y];
  };
  /** @param {EventTarget | null} target */
  const nameOf = (target) => (target instanceof SVGElement ? target.dataset.name : undefined);
  let dragged = "";
  picture.addEventListener("pointerdown", (event) => {
    const name = nameOf(event.target);
    if (!name) return;
    dragged = name;
    picture.setPointerCapture(event.pointerId);
    /** @type {SVGElement} */ (event.target).focus();
    event.preventDefault();
  });
  picture.addEventListener("pointermove", (event) => {
    if (!dragged) return;
    const pixel = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM()?.inverse());
    move(dragged, spec.kind === "surface" ? nearest(spec, state, at, pixel) : [
      ends[0].lo + ((pixel.x - LEFT) / (RIGHT - LEFT)) * (ends[0].hi - ends[0].lo),
      ends[1].lo + ((BOTTOM - pixel.y) / (BOTTOM - TOP)) * (ends[1].hi - ends[1].lo),
    ]);
  });
  for (const kind of ["pointerup", "pointercancel"]) picture.addEventListener(kind, () => (dragged = ""));
  picture.addEventListener("keydown", (event) => {
    const name = nameOf(event.target);
    const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] }[event.key];
    if (!name || !way) return;
    event.preventDefault();
    const pace = event.shiftKey ? 10 : 100;
    const isLine = name === "place" && spec.axes.length === 1;
    const [right, up] = isLine ? [way[0] + way[1], 0] : way;
    const [x, y] = here(name);
    move(name, [x + (right * (ends[0].hi - ends[0].lo)) / pace, y + (up * (ends[1].hi - ends[1].lo)) / pace]);
  });
}

/**
 * The coordinates x and y of the point of a surface whose place on the screen is nearest to a pixel.
 * @param {Description} spec @param {import("./drawing.js").State} state @param {import("./drawing.js").At} at
 * @param {{ x: number, y: number }} pixel
 */
function nearest(spec, state, at, pixel) {
  const [ax, ay] = spec.axes;
  const seen = projection(spec, state.turn);
  let best = Infinity;
  let place = state.place ?? [];
  for (let i = 0; i <= 60; i++) {
    for (let j = 0; j <= 60; j++) {
      const x = ax.lo + ((ax.hi - ax.lo) * i) / 60;
      const y = ay.lo + ((ay.hi - ay.lo) * j) / 60;
      const [right, low] = seen(x, y, at(x, y)[0]);
      const distance = (right - pixel.x) ** 2 + (low - pixel.y) ** 2;
      if (distance < best) [best, place] = [distance, [x, y]];
    }
  }
  return place;
}

/** The sliders, choices and pictures. @param {HTMLElement} figure @param {Description} spec @param {import("./drawing.js").State} state @param {() => void} ask */
function controlsOf(figure, spec, state, ask) {
  const box = element("div", { className: "controls" });
  for (const { name, kind, lo, hi, step, options, bools, size } of spec.controls) {
    if (spec.hidden?.includes(name)) continue; // another picture of the group shows it
    if (kind === "slider") {
      box.append(sliderOf(name, [lo, hi, step], Number(state.values[name]), (value) => {
        state.values[name] = value;
        ask();
      }));
    }
    if (kind === "picture") {
      box.append(pictureOf(figure, name, size, (greys) => {
        state.values[name] = greys;
        ask();
      }));
    }
    if (kind !== "choice") continue;
    const list = element("select", { name });
    options.forEach((value) => {
      list.append(element("option", { value: String(value) }, bools ? (value === 0 ? "no" : "yes") : String(value)));
    });
    list.addEventListener("change", () => {
      state.values[name] = Number(list.value);
      ask();
    });
    box.append(element("label", {}, `${name} `, list));
  }
  if (spec.turn) {
    box.append(sliderOf(spec.turn[0], [0, spec.turn[1]], state.turn, (value) => {
      state.turn = value;
      ask();
    }));
  }
  return box;
}

/**
 * A slider with a field for its number and a button that plays it. If the slider moves in steps, a second button adds one step.
 * @param {string} name @param {[number, number, number?]} ends and the step @param {number} start @param {(value: number) => void} set
 */
function sliderOf(name, [lo, hi, by], start, set) {
  const step = String(by ?? (hi - lo) / 200);
  const [min, max] = [String(lo), String(hi)];
  const range = element("input", { type: "range", name, min, max, step, value: String(start) });
  /** @param {number} value */
  const short = (value) => String(Number(value.toPrecision(4)));
  const typed = element("input", { type: "number", name, min, max, step: "any", value: short(start), ariaLabel: `${name}, typed` });
  const play = element("button", { type: "button", ariaLabel: `Play ${name}` }, "Play");
  let playing = 0;
  const stop = () => {
    cancelAnimationFrame(playing);
    playing = 0;
    play.textContent = "Play";
  };
  /** @param {number} value */
  const show = (value) => {
    range.value = String(value);
    typed.value = short(value);
    set(value);
  };
  range.addEventListener("input", () => {
    stop();
    typed.value = short(Number(range.value));
    set(Number(range.value));
  });
  typed.addEventListener("input", () => {
    const value = typed.valueAsNumber;
    if (!(value >= lo && value <= hi)) return; // a number that is being typed
    stop();
    range.value = typed.value;
    set(value);
  });
  play.addEventListener("click", () => {
    if (playing) {
      stop();
      return;
    }
    play.textContent = "Stop";
    const from = Number(range.value) >= hi ? lo : Number(range.value);
    let began = 0;
    /** @param {number} now */
    const next = (now) => {
      began ||= now;
      const value = Math.min(from + (now - began) * ROUNDS_PER_MS * (hi - lo), hi);
      show(value);
      if (value < hi) playing = requestAnimationFrame(next);
      else stop();
    };
    playing = requestAnimationFrame(next);
  });
  const parts = [element("label", {}, `${name} `, range), typed, play];
  if (by) {
    const more = element("button", { type: "button", ariaLabel: `Add ${by} to ${name}` }, `+${by}`);
    more.addEventListener("click", () => {
      stop();
      show(Math.min(Number(range.value) + by, hi));
    });
    parts.push(more);
  }
  return element("div", { className: "slider" }, ...parts);
}

/** Follow the page's theme: pale text means a dark page. @param {HTMLElement} figure */
function follow(figure) {
  const look = () => {
    const [red, green, blue] = (getComputedStyle(figure.parentElement ?? figure).color.match(/[\d.]+/g) ?? []).map(Number);
    figure.style.colorScheme = (red + green + blue) / 3 > ENOUGH_LIGHT ? "dark" : "light";
  };
  look();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", look);
  const watcher = new MutationObserver(look);
  for (const watched of [document.documentElement, document.body]) watcher.observe(watched, { attributes: true });
}
