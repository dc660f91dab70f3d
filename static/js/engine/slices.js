// Work in a worker that goes on for some milliseconds at a time, between which messages are heard.

/** @param {() => boolean} slice works for a while; whether there is more to do
 * @returns {() => void} call it when there may be something to do */
export function inSlices(slice) {
  let scheduled = false;
  // A message to itself lets others in, without the delay of a timer.
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
