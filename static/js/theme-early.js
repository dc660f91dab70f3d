// Before the first paint, so that a chosen theme does not flash the other one, and a page that is opened from disk, where
// no module runs, says so. A classic script: modules come later.
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
