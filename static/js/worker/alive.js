// Tells the page that this worker runs. The worker also takes a lock, which it holds until it ends. The system may end the
// worker without a message. Then the page gets the lock, and so it knows that the worker has ended.

if (navigator.locks === undefined) {
  self.postMessage({ kind: "alive" });
} else {
  navigator.locks.request(self.name, () => {
    self.postMessage({ kind: "alive" });
    return new Promise(() => {});
  });
}
