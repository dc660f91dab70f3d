// Tells whether the visitor has used this page.

/** True if the visitor has pressed a key or a button on this page. Another site can open a page by a link and close it again.
 * Such a visit must not replace what the visitor left on this device. @returns {boolean} */
export function isUsed() {
  return navigator.userActivation?.hasBeenActive ?? true;
}
