// Small pictures of diagrams that you can press.

/** @param {string} svg @param {string} words @param {() => void} choose @returns {HTMLLIElement} with a button in it */
export function cardOf(svg, words, choose) {
  const card = document.createElement("button");
  card.type = "button";
  card.className = "card";
  const picture = Object.assign(document.createElement("img"), { src: `data:image/svg+xml,${encodeURIComponent(svg)}`, alt: "", loading: "lazy" });
  card.append(picture, Object.assign(document.createElement("span"), { textContent: words }));
  card.addEventListener("click", choose);
  const item = document.createElement("li");
  item.append(card);
  return item;
}
