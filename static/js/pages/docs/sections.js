// Finds the sections that have all words of a query, best first.

/** A section of the documentation. `page`: the title of the page that contains the section. `title`: the section's own title,
 * or "" for the beginning of a page.
 * @typedef {[address: string, page: string, title: string, text: string]} Section */

/** The points that a section can get. `whole`: once, if the whole query is the section's title or a word of the title. Each
 * word of the query also gives one of the other numbers. `begins`: a word of the title begins with the query's word. `title`,
 * `page` and `text`: the query's word occurs elsewhere in the title, or only in the page's title, or only in the text. */
const SCORES = { whole: 100, begins: 20, title: 8, page: 4, text: 1 };
/** The search shows this many characters of the text around a match. */
const CUT = 160;

/** @param {readonly Section[]} index @param {string} query @returns {Section[]} */
export function found(index, query) {
  const words = wordsOf(query);
  const scored = index.map((section, order) => ({ section, order, score: scoreOf(section, words, query.trim().toLowerCase()) }));
  return scored.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.order - b.order).map(({ section }) => section);
}

/** @param {Section} section @param {readonly string[]} words @param {string} query @returns {number} 0 if a word is missing */
function scoreOf([, page, title, text], words, query) {
  const [pageText, titleText, body] = [page.toLowerCase(), (title || page).toLowerCase(), text.toLowerCase()];
  let score = titleText === query || titleText.split(/[.,\s]+/).includes(query) ? SCORES.whole : 0;
  for (const word of words) {
    if (titleText.split(/[\s.,_]+/).some((one) => one.startsWith(word))) score += SCORES.begins;
    else if (titleText.includes(word)) score += SCORES.title;
    else if (pageText.includes(word)) score += SCORES.page;
    else if (body.includes(word)) score += SCORES.text;
    else return 0;
  }
  return score;
}

/** @param {string} query @returns {string[]} */
function wordsOf(query) {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

/** Divides a text into the parts that match a word of the query, and the parts between them. @param {string} text
 * @param {string} query
 * @param {boolean} isCut true to keep only the part around the first match
 * @returns {{text: string, isMatch: boolean}[]} */
export function pieces(text, query, isCut) {
  const words = wordsOf(query);
  const lower = text.toLowerCase();
  const firsts = words.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const start = isCut && firsts.length > 0 ? Math.max(0, Math.min(...firsts) - CUT / 3) : 0;
  const end = isCut ? start + CUT : text.length;
  const shown = `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  const parts = shown.split(new RegExp(`(${escaped.join("|")})`, "i"));
  return parts.map((part, k) => ({ text: part, isMatch: k % 2 === 1 })).filter(({ text: part }) => part !== "");
}
