// Sets the chosen theme before the browser paints the page for the first time, so that the page does not flash in another
// theme. This is a classic script, because modules run later. If the page was opened from disk, no module runs. This script
// then shows a note. If another page shows this page in a frame, a note replaces the page, because the other page could lay
// other things over its buttons. Some hosts cannot send the header that forbids such frames.
try {
  document.documentElement.dataset.theme = localStorage.getItem("eglantine-theme") ?? "system";
} catch {
  document.documentElement.dataset.theme = "system";
}

if (location.protocol === "file:") {
  document.addEventListener("DOMContentLoaded", () => {
    const pageStyle = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=stylesheet]"));
    const folder = pageStyle.href.replace(/(packs\/)?[^/]*$/, "");
    const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: `${folder}no-script.css` });
    document.head.append(style);
    document.querySelector(".from-disk")?.removeAttribute("hidden");
  });
}

// embed.html may be framed. On that page embed-early.js has set this attribute.
if (window.top !== window && document.documentElement.dataset.embedded === undefined) {
  const textOf = (/** @type {string} */ name) => /** @type {HTMLMetaElement} */ (document.querySelector(`meta[name=${name}]`)).content;
  const note = document.createElement("p");
  const link = Object.assign(document.createElement("a"), { href: location.href, target: "_blank", rel: "noopener", textContent: textOf("open-alone") });
  note.append(textOf("framed"), " ", link);
  const root = Object.assign(document.createElement("html"), { lang: document.documentElement.lang });
  const body = document.createElement("body");
  body.append(note);
  root.append(body);
  document.documentElement.replaceWith(root); // The parser adds the rest of the page to the old root, where no script starts.
}
