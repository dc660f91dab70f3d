// The hint beside the point on a first visit. It goes away after the first drag.

/** @param {HTMLElement} hint @param {string} key under which the browser remembers that you have seen the hint
 * @returns {() => void} hides the hint for good */
export function attachHint(hint, key = "eglantine-hint-seen") {
  try {
    hint.hidden = localStorage.getItem(key) !== null;
  } catch {
    hint.hidden = false;
  }
  return () => {
    if (hint.hidden) return;
    hint.hidden = true;
    try {
      localStorage.setItem(key, "1");
    } catch {
      // A browser that keeps nothing shows the hint again next time.
    }
  };
}
