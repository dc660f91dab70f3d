// Mouse, touch and pen on a picture with many things to hold: the nearest one within reach is dragged; a click
// says which; a double click on nothing says where. Positions are pixels within the frame.

/**
 * @template G
 * @typedef {object} GripHandlers
 * @property {(xPx: number, yPx: number, reachPx: number) => {grip: G, xPx: number, yPx: number} | null} find the
 *   nearest within reach, and where it is
 * @property {(grip: G | null) => void} hover
 * @property {(grip: G) => void} grab
 * @property {(grip: G, xPx: number, yPx: number) => void} drag where it should be now
 * @property {(grip: G, moved: boolean) => void} release
 * @property {(xPx: number, yPx: number) => void} place a double click on nothing
 */

const CLICK_PX = 4;
const MOUSE_REACH_PX = 18;
/** Half of the 44 px that a finger needs. */
const TOUCH_REACH_PX = 26;
const DOUBLE_MS = 400;

/** @template G @param {HTMLElement} frame @param {GripHandlers<G>} handlers @returns {() => void} detaches */
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
    const found = handlers.find(x, y, reach(event));
    if (found === null) {
      if (event.timeStamp - lastEmptyTap < DOUBLE_MS) handlers.place(x, y);
      lastEmptyTap = event.timeStamp;
      return;
    }
    event.preventDefault();
    frame.setPointerCapture(event.pointerId);
    // Where it was held is remembered, so that it does not jump to the pointer.
    held = { id: event.pointerId, grip: found.grip, dx: found.xPx - x, dy: found.yPx - y, x, y, moved: false };
    frame.dataset.dragging = "grip";
    handlers.grab(found.grip);
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

  /** A finger scrolls the page from where there is nothing to hold, and only from there. */
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
