// Keeps an embedded page from storing anything, before any other script runs. Scripts that would store something find a store
// that stays empty.

document.documentElement.dataset.embedded = "";
const emptyStore = Object.freeze({ length: 0, key: () => null, getItem: () => null, setItem() {}, removeItem() {}, clear() {} });
for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, { value: emptyStore });
for (const name of ["caches", "indexedDB"]) Object.defineProperty(window, name, { value: undefined });
