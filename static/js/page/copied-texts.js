// Shows texts that the visitor can copy: the HTML that embeds the page in another site, and the beginning of a report about a
// problem. The buttons are in the page's footer. A press of one of them loads this module.

import * as texts from "../texts.js";

/** Widgets in a frame get this size at first, in pixels. */
const SIZE = { width: 960, height: 720 };

/** Shows the HTML that embeds the page in another site.
 * @param {string} fragment the page's state as in a link, without the #
 * @param {(() => Promise<string>) | null} lines makes the HTML of an element that shows the page's picture without Python. Null
 * if the page has no such element */
export async function showEmbedding(fragment, lines) {
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

export function showReport() {
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

/** @param {string} text @returns {string} the text, escaped for an attribute in HTML */
function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
}
