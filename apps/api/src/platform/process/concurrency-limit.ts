import { AppError } from '../app-error.ts';

/**
 * Limits concurrent work with pauses, so that crawlers and uploads can't starve others. Work that goes
 * `ahead` waits in a separate queue, which is served first.
 * @throws AppError request/unavailable at once when the queue is full
 */
export function createGate(
  atOnce: number,
  waitingMax: number,
  restMs = 0,
): <Value>(work: () => Promise<Value>, ahead?: boolean) => Promise<Value> {
  let running = 0;
  const first: (() => void)[] = [];
  const usual: (() => void)[] = [];
  const release = () => {
    const next = first.shift() ?? usual.shift();
    if (next) next();
    else running -= 1;
  };
  return async (work, ahead = false) => {
    if (running >= atOnce) {
      const waiting = ahead ? first : usual;
      if (waiting.length >= waitingMax) throw new AppError('request/unavailable');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      if (restMs === 0) release();
      else setTimeout(release, restMs);
    }
  };
}
