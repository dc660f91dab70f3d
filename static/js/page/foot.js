// The foot of every page: full screen, texts with which to embed the page's widget, and the beginning of a report.

import * as texts from "../texts.js";

/** Widgets in a frame get this size at first, in pixels. */
const SIZE = { width: 960, height: 720 };

/** The two lines that show what the page shows, without its Python. Only Quadratic has them. @type {(() => Promise<string>) | null} */
let lines = null;

/** @param {() => Promise<string>} make the two lines of an element that any page can hold */
export function offerElement(make) {
  lines = make;
}

/** Attaches the buttons of the foot that every page has. An embedded page has none of them.
 * @param {() => string} fragment the page's state as in a link, without the # */
export function attachFoot(fragment) {
  attachFullScreen();
  document.querySelector("footer .embed-page")?.addEventListener("click", () => showEmbedding(fragment()));
  document.querySelector("footer .report")?.addEventListener("click", showReport);
  const dialog = document.querySelector("dialog.copied-text");
  dialog?.querySelector(".close")?.addEventListener("click", () => /** @type {HTMLDialogElement} */ (dialog).close());
}

/** A browser that cannot show a page on the full screen shows no button. */
function attachFullScreen() {
  const button = /** @type {HTMLButtonElement | null} */ (document.querySelector("footer .full-screen"));
  if (button === null || !document.fullscreenEnabled) return;
  button.hidden = false;
  button.addEventListener("click", () => (document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()));
  document.addEventListener("fullscreenchange", () => (button.ariaPressed = String(document.fullscreenElement !== null)));
}

/** @param {string} fragment */
async function showEmbedding(fragment) {
  const name = /[^/]*$/.exec(location.pathname.replace(/\/$/, ""))?.[0].replace(".html", "") || "quadratic";
  const address = new URL(location.pathname.endsWith(`/${name}/`) ? "../embed.html" : "embed.html", location.href);
  address.search = `page=${name}`;
  address.hash = fragment;
  const title = escaped(document.title);
  const frame = `<iframe src="${escaped(address.href)}" width="${SIZE.width}" height="${SIZE.height}" title="${title}" loading="lazy"></iframe>`;
  const shown = [frame];
  const how = [texts.EMBED_HOW];
  if (lines !== null) {
    shown.push(await lines());
    how.push(texts.EMBED_ELEMENT_HOW);
  }
  show(texts.EMBED_PAGE, how.join(" "), shown);
}

function showReport() {
  const version = document.querySelector("footer .version")?.textContent ?? "";
  show(texts.REPORT, texts.REPORT_HOW, [texts.reportOf(version, location.href, navigator.userAgent)]);
}

/** Shows texts that can be copied. @param {string} heading @param {string} how @param {readonly string[]} contents */
function show(heading, how, contents) {
  const dialog = /** @type {HTMLDialogElement} */ (document.querySelector("dialog.copied-text"));
  const [title, told, list, status] = ["h2", "p", ".texts", "[role=status]"].map((name) => /** @type {HTMLElement} */ (dialog.querySelector(name)));
  title.textContent = heading;
  told.textContent = how;
  status.textContent = "";
  list.replaceChildren(...contents.map((content) => {
    const area = Object.assign(document.createElement("textarea"), { value: content, rows: Math.min(8, content.split("\n").length + 2), spellcheck: false });
    area.setAttribute("aria-label", heading);
    const copy = Object.assign(document.createElement("button"), { type: "button", textContent: texts.COPY });
    copy.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(area.value);
        status.textContent = texts.TEXT_COPIED;
      } catch {
        area.select();
        status.textContent = texts.TEXT_NOT_COPIED;
      }
    });
    const row = document.createElement("div");
    row.append(area, copy);
    return row;
  }));
  dialog.showModal();
}

/** @param {string} text @returns {string} for an attribute in HTML */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
