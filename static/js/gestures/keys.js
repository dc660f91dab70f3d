// Attaches actions to keys: the arrows, Home, plus and minus, undo and redo. An arrow key moves ten times as far with Shift and
// a tenth as far with Alt.

/**
 * Functions that are called when a key is pressed.
 * @typedef {object} KeyHandlers
 * @property {(dx: number, dy: number) => void} arrow - called with the steps to the right and upwards. The length of a step is
 *   1, or 10 with Shift, or 0.1 with Alt
 * @property {() => void} home - called for the key Home
 * @property {(factor: number) => void} zoom - called for plus with a factor below 1, and for minus with a factor above 1
 */

const ARROWS = new Map([
  ["ArrowLeft", [-1, 0]],
  ["ArrowRight", [1, 0]],
  ["ArrowDown", [0, -1]],
  ["ArrowUp", [0, 1]],
]);
export const KEY_ZOOM = 0.8;

/** @param {HTMLElement} element @param {KeyHandlers} handlers @returns {() => void} removes the listeners */
export function attachKeys(element, handlers) {
  const listener = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey) return;
    const arrow = ARROWS.get(event.key);
    const scale = (event.shiftKey ? 10 : 1) * (event.altKey ? 0.1 : 1);
    if (arrow !== undefined) handlers.arrow(arrow[0] * scale, arrow[1] * scale);
    else if (event.key === "Home") handlers.home();
    else if (event.key === "+" || event.key === "=") handlers.zoom(KEY_ZOOM);
    else if (event.key === "-" || event.key === "_") handlers.zoom(1 / KEY_ZOOM);
    else return;
    event.preventDefault();
  };
  element.addEventListener("keydown", listener);
  return () => element.removeEventListener("keydown", listener);
}

/** @param {() => void} undo @param {() => void} redo @returns {() => void} removes the listeners */
export function attachUndoKeys(undo, redo) {
  const listener = (/** @type {KeyboardEvent} */ event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) undo();
    else if (key === "y" || (key === "z" && event.shiftKey)) redo();
    else return;
    event.preventDefault();
  };
  document.addEventListener("keydown", listener);
  return () => document.removeEventListener("keydown", listener);
}
