// Tells the page that the worker runs, and holds a lock while it does. The system may end the worker without a message, but
// it then frees the lock.

if (navigator.locks === undefined) {
  self.postMessage({ kind: "alive" });
} else {
  navigator.locks.request(self.name, () => {
    self.postMessage({ kind: "alive" });
    return new Promise(() => {});
  });
}
