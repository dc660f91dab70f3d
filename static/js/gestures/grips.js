// Handles mouse, touch and pen on a picture with many grips. A drag moves the nearest grip within reach, and a click selects
// this grip. A double click where there is no grip reports the place. Positions are in pixels, from the frame's upper left
// corner.

/**
 * Functions that are called for gestures on a grip. A grip is a point of the picture that you can drag.
 * @template G
 * @typedef {object} GripHandlers
 * @property {(xPx: number, yPx: number, reachPx: number) => {grip: G, xPx: number, yPx: number} | null} find - returns the
 *   nearest grip within reach, and its position
 * @property {(grip: G | null) => void} hover - called with the grip near the mouse, or with null if there is none
 * @property {(grip: G) => void} grab - called when a grip is pressed
 * @property {(grip: G, xPx: number, yPx: number) => void} drag - called with the grip's new position
 * @property {(grip: G, moved: boolean) => void} release - called when the grip is released. `moved` is false after a click
 * @property {(xPx: number, yPx: number) => void} place - called for a double click where there is no grip
 */

const CLICK_PX = 4;
const MOUSE_REACH_PX = 18;
/** A finger can hit a target that is 44 px wide, and 26 px is a little more than half of this width. */
const TOUCH_REACH_PX = 26;
const DOUBLE_MS = 400;

/** @template G @param {HTMLElement} frame @param {GripHandlers<G>} handlers @returns {() => void} removes the listeners */
export function attachGrips(frame, handlers) {
  /** @type {{id: number, grip: G, dx: number, dy: number, x: number, y: number, moved: boolean} | null} */
  let held = null;
  let lastEmptyTap = -Infinity;

  const place = (/** @type {{clientX: number, clientY: number}} */ event) => {
    const rect = frame.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };
  const reach = (/** @type {PointerEvent} */ event) => (event.pointerType === "mouse" ? MOUSE_REACH_PX : TOUCH_REACH_PX);

  const down = (/** @type {PointerEvent} */ event) => {
    const onTool = event.target instanceof Element && event.target.closest("button:not(.grip)") !== null;
    if (event.button !== 0 || held !== null || onTool) return;
    const { x, y } = place(event);
    const nearest = handlers.find(x, y, reach(event));
    if (nearest === null) {
      if (event.timeStamp - lastEmptyTap < DOUBLE_MS) handlers.place(x, y);
      lastEmptyTap = event.timeStamp;
      return;
    }
    event.preventDefault();
    frame.setPointerCapture(event.pointerId);
    // We remember where the grip was held, so that its centre does not jump to the pointer.
    held = { id: event.pointerId, grip: nearest.grip, dx: nearest.xPx - x, dy: nearest.yPx - y, x, y, moved: false };
    frame.dataset.dragging = "grip";
    handlers.grab(nearest.grip);
  };

  const move = (/** @type {PointerEvent} */ event) => {
    const { x, y } = place(event);
    if (held === null) {
      if (event.pointerType === "mouse") handlers.hover(handlers.find(x, y, MOUSE_REACH_PX)?.grip ?? null);
      return;
    }
    if (event.pointerId !== held.id) return;
    held.moved ||= Math.hypot(x - held.x, y - held.y) >= CLICK_PX;
    if (held.moved) handlers.drag(held.grip, x + held.dx, y + held.dy);
  };

  const up = (/** @type {PointerEvent} */ event) => {
    if (held === null || event.pointerId !== held.id) return;
    const { grip, moved } = held;
    held = null;
    delete frame.dataset.dragging;
    handlers.release(grip, moved || event.type === "pointercancel");
  };

  /** If a finger starts on a grip, it moves the grip, and must not scroll the page. */
  const touch = (/** @type {TouchEvent} */ event) => {
    const { x, y } = place(event.touches[0]);
    if (handlers.find(x, y, TOUCH_REACH_PX) !== null) event.preventDefault();
  };
  const leave = () => handlers.hover(null);
  const listeners = /** @type {const} */ ([
    ["pointerdown", down],
    ["pointermove", move],
    ["pointerup", up],
    ["pointercancel", up],
    ["pointerleave", leave],
  ]);
  for (const [name, listener] of listeners) frame.addEventListener(name, listener);
  frame.addEventListener("touchstart", touch, { passive: false });
  return () => {
    for (const [name, listener] of listeners) frame.removeEventListener(name, listener);
    frame.removeEventListener("touchstart", touch);
  };
}
