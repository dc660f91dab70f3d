// Runs before the first paint, so that a chosen theme does not flash the other one. Modules load later, so this is a classic
// script. It also shows a note on a page that was opened from disk, where no module runs.
try {
  document.documentElement.dataset.theme = localStorage.getItem("eglantine-theme") ?? "system";
} catch {
  document.documentElement.dataset.theme = "system";
}

if (location.protocol === "file:") {
  document.addEventListener("DOMContentLoaded", () => {
    const pageStyle = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=stylesheet]"));
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: new URL("no-script.css", pageStyle.href).href });
    document.head.append(style);
    document.querySelector(".from-disk")?.removeAttribute("hidden");
  });
}
