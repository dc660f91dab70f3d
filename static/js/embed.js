// Starts the widget that the address of embed.html names, as in embed.html?page=robot#v=1&…

const USUAL = "quadratic";

const wanted = new URLSearchParams(location.search).get("page") ?? USUAL;
const widgets = /** @type {HTMLTemplateElement[]} */ ([...document.querySelectorAll("template[data-page]")]);
const widget = widgets.find(({ dataset }) => dataset.page === wanted) ?? widgets.find(({ dataset }) => dataset.page === USUAL);
if (widget !== undefined) start(widget);

/** @param {HTMLTemplateElement} template */
async function start({ dataset, content }) {
  const main = /** @type {HTMLElement} */ (document.querySelector("main"));
  const whole = /** @type {HTMLAnchorElement} */ (document.querySelector(".whole"));
  document.title = `${dataset.title} · ${document.title}`;
  main.className = dataset.class ?? "";
  await Promise.all((dataset.styles ?? "").split(" ").filter((name) => name !== "").map(addStyle));
  const rows = content.querySelector(".rows-of-keys");
  document.querySelector("dialog.keys table")?.replaceWith(rows ?? "");
  main.append(content);
  whole.addEventListener("click", () => (whole.href = new URL(`../${dataset.page}.html${location.hash}`, import.meta.url).href));
  await import(new URL(`../${dataset.script}`, import.meta.url).href);
}

/** @param {string} address @returns {Promise<void>} settles once the style sheet is there */
function addStyle(address) {
  return new Promise((resolve) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: new URL(`../${address}`, import.meta.url).href, onload: () => resolve(), onerror: () => resolve() });
    document.head.append(link);
  });
}
