// A checkbox whose state the browser keeps for the next visit.

/** @param {HTMLInputElement} checkbox @param {string} key of the browser's storage */
export function attachSetting(checkbox, key) {
  try {
    checkbox.checked = localStorage.getItem(key) !== null;
    checkbox.addEventListener("change", () => {
      if (checkbox.checked) localStorage.setItem(key, "1");
      else localStorage.removeItem(key);
    });
  } catch {
    // Without storage the setting holds for this visit.
  }
}
