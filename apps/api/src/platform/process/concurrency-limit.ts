import { AppError } from '../app-error.ts';

/** Limits concurrent work with pauses, so that crawlers and uploads can't starve others. */
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
