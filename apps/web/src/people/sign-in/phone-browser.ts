import { AuthError } from '../../lib/api/auth-provider.ts';
import { plugin } from '../../lib/native/plugins.ts';

/** Where to go after a sign-in in the phone's browser. In local storage: the phone may end the app in the meantime. */
const returnKey = 'nearhand-return-to';
/** A closed browser and the link that closes it are told at the same moment. */
const linkComesMs = 1_500;

/** Ends the wait of the sign-in that is under way. */
let over: () => void = () => {};

/**
 * Opens a provider's page in the phone's browser: providers refuse web views, and only there are people signed in already. The answer comes back as a link
 * (`app/native/deep-links.tsx`), so this never resolves.
 * @throws AuthError auth/user-cancelled when the browser is closed
 */
export async function openProvider(url: string, returnTo: string): Promise<never> {
  const browser = plugin('Browser');
  if (!browser) throw new AuthError('auth/operation-not-supported-in-this-environment');
  try {
    localStorage.setItem(returnKey, returnTo);
  } catch {
    // Storage is blocked: it ends on the first screen.
  }
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

/** The app's address for a provider's answer, with the return path of the sign-in. Closes the phone's browser. */
export function answerPath(answer: string): string {
  over();
  // Android has closed it already, and refuses.
  void plugin('Browser')
    ?.close()
    .catch(() => {});
  let returnTo: string | null = null;
  try {
    returnTo = localStorage.getItem(returnKey);
    localStorage.removeItem(returnKey);
  } catch {
    // As above.
  }
  const next = returnTo === null ? '' : `next=${encodeURIComponent(returnTo)}&`;
  return `/loading?${next}answer=${encodeURIComponent(answer)}`;
}
