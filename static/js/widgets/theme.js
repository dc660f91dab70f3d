// Switches between light, dark and the system's choice. Only this device remembers the choice.

import { THEMES } from "../texts.js";

const KEY = "eglantine-theme";
const ORDER = /** @type {const} */ (["system", "light", "dark"]);
/** @typedef {"system" | "light" | "dark"} Theme */

/** @param {HTMLButtonElement} button @param {() => void} onChange also called when the system's theme changes
 * @returns {() => void} removes the listeners */
export function attachTheme(button, onChange) {
  let theme = stored();
  const apply = () => {
    document.documentElement.dataset.theme = theme;
    button.textContent = THEMES[theme];
    onChange();
  };
  const next = () => {
    theme = ORDER[(ORDER.indexOf(theme) + 1) % ORDER.length];
    try {
      localStorage.setItem(KEY, theme);
    } catch {
      // A browser without storage still changes the theme for this visit.
    }
    apply();
  };
  const system = matchMedia("(prefers-color-scheme: dark)");
  button.addEventListener("click", next);
  system.addEventListener("change", onChange);
  apply();
  return () => {
    button.removeEventListener("click", next);
    system.removeEventListener("change", onChange);
  };
}

/** @returns {Theme} */
function stored() {
  try {
    return ORDER.find((theme) => theme === localStorage.getItem(KEY)) ?? "system";
  } catch {
    return "system";
  }
}
