// The mode of a formula: with polar coordinates, its text ends with the comment "# polar", after which the readers know r and theta.

const POLAR = "\n# polar";

/** @param {string} text @returns {boolean} */
export function isPolar(text) {
  return text.endsWith(POLAR);
}

/** @param {string} text @param {boolean} polar @returns {string} the formula in one of the modes */
export function inMode(text, polar) {
  return `${typedPart(text)}${polar ? POLAR : ""}`;
}

/** @param {string} text @returns {string} the formula as it was typed */
export function typedPart(text) {
  return isPolar(text) ? text.slice(0, -POLAR.length) : text;
}

/** @param {string} text @returns {string} the formula in one line, for titles */
export function inOneLine(text) {
  const lines = typedPart(text).split("\n").map((line) => line.trim()).filter((line) => line !== "");
  return `${lines.join("; ")}${isPolar(text) ? " (polar)" : ""}`;
}
