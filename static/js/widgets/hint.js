// The word beside the point on a first visit, gone after the first drag.

const KEY = "eglantine-hint-seen";

/** @param {HTMLElement} hint @returns {() => void} hides it for good */
export function attachHint(hint) {
  try {
    hint.hidden = localStorage.getItem(KEY) !== null;
  } catch {
    hint.hidden = false;
  }
  return () => {
    if (hint.hidden) return;
    hint.hidden = true;
    try {
      localStorage.setItem(KEY, "1");
    } catch {
      // A browser that keeps nothing shows the hint again next time.
    }
  };
}
