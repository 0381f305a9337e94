/** The longest time that the event loop was blocked, as a share of the work's duration. */
export async function standstill(work: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(tick, 5);
  const start = last;
  await work();
  tick();
  clearInterval(timer);
  return longest / (performance.now() - start);
}
