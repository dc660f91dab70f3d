// Long work in a worker, done in slices of some milliseconds, so that the worker can hear messages in between.

/** @param {() => boolean} slice works for a while and returns whether there is more to do
 * @returns {() => void} starts the work; call it when there may be some */
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
