import { AppError } from '../app-error.ts';

/**
 * Runs work a few at a time, with a rest after each, and refuses what would wait too long: crawlers and large uploads must not take the processor,
 * the threads and the database from everyone else.
 */
export function createGate(
  atOnce: number,
  mostWaiting: number,
  restMs = 0,
): <Value>(work: () => Promise<Value>) => Promise<Value> {
  let running = 0;
  const waiting: (() => void)[] = [];
  const release = () => {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  };
  return async (work) => {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw new AppError('request/unavailable');
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
