import type { Log } from '../log.ts';

/** Each stop step gets half of the remaining time, so one that hangs leaves time for others. */
export function stopInTime(seconds: number, log: Log) {
  const steps: { what: string; work: () => Promise<unknown> }[] = [];
  let stopping: Promise<void> | null = null;

  async function stopAll(): Promise<void> {
    const until = performance.now() + seconds * 1_000;
    setTimeout(() => {
      log.error('stopping took too long, the process ends');
      process.exit(1);
    }, seconds * 1_000).unref();
    for (const [left, { what, work }] of [...steps.entries()].reverse()) {
      const remainingMs = until - performance.now();
      let timer: NodeJS.Timeout | undefined;
      const overdue = new Promise<void>((resolve) => {
        timer = setTimeout(
          () => {
            log.warn(`${what} did not stop in time and are left`);
            resolve();
          },
          left === 0 ? remainingMs : remainingMs / 2,
        );
      });
      const failed = (error: unknown) => log.warn({ err: error }, `stopping ${what} failed`);
      await Promise.race([work().catch(failed), overdue]);
      clearTimeout(timer);
    }
  }

  return {
    undo(label: string, work: () => Promise<unknown>): void {
      steps.push({ what: label, work });
    },
    stop(): Promise<void> {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
