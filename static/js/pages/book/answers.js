// Fields and lists for the answers of exercises. They are in the page, and hidden until this script listens to them.

/** The largest relative error of a reader's answer if the right answer is not a whole number. */
const NEAR = 0.01;

/** Shows the answer fields of a page's exercises, and checks what the reader types into them. @param {ParentNode} root */
export function listenToAnswers(root) {
  for (const form of root.querySelectorAll("form.check")) {
    const field = /** @type {HTMLInputElement | HTMLSelectElement} */ (form.querySelector("input, select"));
    const told = /** @type {HTMLOutputElement} */ (form.querySelector("output"));
    const { answer } = /** @type {HTMLFormElement} */ (form).dataset;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      told.textContent = (isRight(Number(field.value), Number(answer)) ? told.dataset.right : told.dataset.wrong) ?? "";
    });
    /** @type {HTMLFormElement} */ (form).hidden = false;
  }
}

/** @param {number} given @param {number} answer */
function isRight(given, answer) {
  return Math.abs(given - answer) <= (Number.isInteger(answer) ? 0 : NEAR * Math.abs(answer));
}
