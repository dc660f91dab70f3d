// Sets the chosen theme before the first paint, so that the page does not flash in the other theme. Modules load later, so this
// is a classic script. On a page that was opened from disk, where no module runs, it also shows a note.
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
