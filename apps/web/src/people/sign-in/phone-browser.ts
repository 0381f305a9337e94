import { AuthError } from '../../lib/api/auth-provider.ts';
import { readStored, writeStored } from '../../lib/device/stored.ts';
import { nativePlugin } from '../../lib/native/plugins.ts';

/**
 * The return path of a sign-in in the phone's browser. In local storage: the phone may end the app in the
 * meantime.
 */
const returnKey = 'nearhand-return-to';
/** The browser's close event and the link that closes it arrive at the same moment. */
const linkComesMs = 1_500;

let over: () => void = () => {};

/** Opens a provider's page in the phone's browser, since providers refuse web views. Never resolves. */
export async function openProvider(url: string, returnTo: string): Promise<never> {
  const browser = nativePlugin('Browser');
  if (!browser) throw new AuthError('auth/operation-not-supported-in-this-environment');
  // If storage is blocked, the sign-in ends on the first screen.
  writeStored(returnKey, returnTo);
  await browser.open({ url });
  return new Promise((_, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const closed = browser.addListener('browserFinished', () => {
      timer = setTimeout(() => {
        over();
        reject(new AuthError('auth/user-cancelled'));
      }, linkComesMs);
    });
    over = () => {
      clearTimeout(timer);
      over = () => {};
      void closed.then((listener) => listener.remove());
    };
  });
}

/** The app's path for a provider's answer, with the return path of the sign-in. Closes the phone's browser. */
export function answerPath(answer: string): string {
  over();
  void nativePlugin('Browser')
    ?.close()
    .catch(() => {});
  const returnTo = readStored(returnKey);
  writeStored(returnKey, null);
  const next = returnTo === null ? '' : `next=${encodeURIComponent(returnTo)}&`;
  return `/loading?${next}answer=${encodeURIComponent(answer)}`;
}
