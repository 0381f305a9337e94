import { StartRefused } from '../start-refused.ts';

/** `npm start` passes this, and sends a message once the web app is built (ADR 254). */
const flag = '--awaits-web-build';

/**
 * What to wait for before the web app is served: `npm start` builds it while the server prepares its database. Call it first thing, as the
 * message comes only once. Any other start waits for nothing.
 * @returns rejects with the reason of `stopped`, or with StartRefused if the builder ends without a message
 */
export function listenForWebBuild(
  stopped: AbortSignal,
  args: readonly string[] = process.argv,
): Promise<void> {
  if (!args.includes(flag)) return Promise.resolve();
  const built = new Promise<void>((resolve, reject) => {
    process.once('message', () => resolve());
    process.once('disconnect', () => reject(new StartRefused('The web app was not built: start again.')));
    stopped.addEventListener('abort', () => reject(stopped.reason), { once: true });
  });
  // The caller gets the error when it awaits this; until then it must not end the process.
  built.catch(() => {});
  return built.finally(() => {
    if (process.connected) process.disconnect();
  });
}
