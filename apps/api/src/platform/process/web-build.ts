import { StartRefusedError } from '../start-refused.ts';

/** Passed by `npm start`, which sends a message once the web app is built (ADR 254). */
const flag = '--awaits-web-build';

/** Resolves at once unless `npm start` is building. Call it first, as the message comes only once. */
export function listenForWebBuild(
  stopped: AbortSignal,
  args: readonly string[] = process.argv,
): Promise<void> {
  if (!args.includes(flag)) return Promise.resolve();
  const built = new Promise<void>((resolve, reject) => {
    process.once('message', () => resolve());
    process.once('disconnect', () =>
      reject(new StartRefusedError('The web app was not built: start again.')),
    );
    stopped.addEventListener('abort', () => reject(stopped.reason), { once: true });
  });
  // The caller gets the error when it awaits this; until then it must not count as an unhandled rejection.
  built.catch(() => {});
  return built.finally(() => {
    if (process.connected) process.disconnect();
  });
}
