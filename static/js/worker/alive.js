// A worker tells that it is there, and holds a lock while it is: the system may end it without a word to the page, but
// frees its lock.

if (navigator.locks === undefined) {
  self.postMessage({ kind: "alive" });
} else {
  navigator.locks.request(self.name, () => {
    self.postMessage({ kind: "alive" });
    return new Promise(() => {});
  });
}
