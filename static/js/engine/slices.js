// Does long work in a worker in slices of some milliseconds, so that the worker can receive messages in between.

/** @param {() => boolean} slice works for a while and returns whether there is more to do
 * @returns {() => void} a function that starts the work. Call it whenever there may be work to do */
export function inSlices(slice) {
  let scheduled = false;
  // Unlike a timer, a message to ourselves lets other messages in without a delay.
  const turn = new MessageChannel();
  const schedule = () => {
    if (scheduled) return;
    scheduled = true;
    turn.port2.postMessage(null);
  };
  turn.port1.onmessage = () => {
    scheduled = false;
    if (slice()) schedule();
  };
  return schedule;
}
