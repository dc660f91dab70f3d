// Handles mouse, touch and pen on a picture with one point. You can drag the point, turn the view, click to place the point,
// and zoom with two fingers or with the wheel. Positions are in pixels, from the frame's upper left corner.

/**
 * Functions that are called for gestures with a mouse, a pen or fingers on the picture.
 * @typedef {object} Handlers
 * @property {() => void} grab - called when a drag of the point begins
 * @property {(xPx: number, yPx: number) => void} drag - moves the point to this position
 * @property {() => void} release - called at the end of each gesture
 * @property {(dxPx: number, dyPx: number) => void} turn - turns the view. The numbers say how far the pointer has moved
 * @property {(xPx: number, yPx: number) => void} place - puts the point at this position
 * @property {(factor: number, xPx: number, yPx: number) => void} zoom - zooms about this position. A factor below 1 zooms
 *   in, and a larger factor zooms out
 * @property {(dxPx: number, dyPx: number) => void} [pan] - moves the picture. The gesture is a drag with two fingers, or with
 *   Shift
 */

/** A press that moves less than this is a click. */
const CLICK_PX = 5;
const WHEEL_PER_PX = 0.0016;
const LARGEST_WHEEL_PX = 120;
/** The height of a line, for wheels that count lines. */
const LINE_PX = 18;

/**
 * @param {HTMLElement} frame @param {HTMLElement} handle the element inside the frame that marks the point with its centre
 * @param {Handlers} handlers @param {{wheel?: boolean}} options `wheel`: true if the wheel zooms, false if it scrolls the page
 * @returns {() => void} removes the listeners
 */
export function attachPointer(frame, handle, handlers, { wheel: takesWheel = true } = {}) {
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  /** @type {{kind: "drag", dx: number, dy: number} | {kind: "turn", moved: number, pans: boolean} | {kind: "pinch"} | null} */
  let gesture = null;

  const place = (/** @type {MouseEvent} */ event) => {
    const rect = frame.getBoundingClientRect();
    return { x: event.clientX - rect.left, y: event.clientY - rect.top };
  };

  const spread = () => {
    const [a, b] = [...fingers.values()];
    return b === undefined ? 0 : Math.hypot(a.x - b.x, a.y - b.y);
  };

  const middle = () => {
    const [a, b] = [...fingers.values()];
    return b === undefined ? a : { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
  };

  const down = (/** @type {PointerEvent} */ event) => {
    const onTool = event.target instanceof Element && event.target.closest("button") !== null;
    if (event.button !== 0 || fingers.size === 2 || onTool) return;
    const at = place(event);
    fingers.set(event.pointerId, at);
    frame.setPointerCapture(event.pointerId);
    event.preventDefault();
    if (fingers.size === 2) {
      gesture = { kind: "pinch" };
      return;
    }
    const onHandle = event.target instanceof Node && handle.contains(event.target);
    const target = onHandle ? handle : frame.querySelector("canvas");
    target?.focus({ preventScroll: true });
    if (!onHandle) {
      gesture = { kind: "turn", moved: 0, pans: event.shiftKey };
      return;
    }
    // We remember where the handle was held, so that its centre does not jump to the pointer.
    const rect = handle.getBoundingClientRect();
    gesture = { kind: "drag", dx: rect.left + rect.width / 2 - event.clientX, dy: rect.top + rect.height / 2 - event.clientY };
    frame.dataset.dragging = "point";
    handlers.grab();
  };

  const move = (/** @type {PointerEvent} */ event) => {
    const before = fingers.get(event.pointerId);
    if (before === undefined || gesture === null) return;
    const at = place(event);
    const apart = spread();
    const around = middle();
    fingers.set(event.pointerId, at);
    if (gesture.kind === "drag") handlers.drag(at.x + gesture.dx, at.y + gesture.dy);
    if (gesture.kind === "pinch" && apart > 0 && spread() > 0) {
      const { x, y } = middle();
      handlers.pan?.(x - around.x, y - around.y);
      handlers.zoom(apart / spread(), x, y);
    }
    if (gesture.kind === "turn") {
      gesture.moved += Math.hypot(at.x - before.x, at.y - before.y);
      if (gesture.moved < CLICK_PX) return;
      frame.dataset.dragging = "view";
      const turn = gesture.pans ? handlers.pan ?? handlers.turn : handlers.turn;
      turn(at.x - before.x, at.y - before.y);
    }
  };

  const up = (/** @type {PointerEvent} */ event) => {
    if (!fingers.delete(event.pointerId) || gesture === null) return;
    const clicked = gesture.kind === "turn" && gesture.moved < CLICK_PX && event.type === "pointerup";
    gesture = null;
    delete frame.dataset.dragging;
    if (clicked) {
      const at = place(event);
      handlers.place(at.x, at.y);
    }
    handlers.release();
  };

  const wheel = (/** @type {WheelEvent} */ event) => {
    event.preventDefault();
    const deltaPx = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE_PX : 1);
    const { x, y } = place(event);
    handlers.zoom(Math.exp(WHEEL_PER_PX * Math.sign(deltaPx) * Math.min(Math.abs(deltaPx), LARGEST_WHEEL_PX)), x, y);
  };

  const listeners = /** @type {const} */ ([
    ["pointerdown", down],
    ["pointermove", move],
    ["pointerup", up],
    ["pointercancel", up],
  ]);
  for (const [name, listener] of listeners) frame.addEventListener(name, listener);
  if (takesWheel) frame.addEventListener("wheel", wheel, { passive: false });
  return () => {
    for (const [name, listener] of listeners) frame.removeEventListener(name, listener);
    frame.removeEventListener("wheel", wheel);
  };
}
