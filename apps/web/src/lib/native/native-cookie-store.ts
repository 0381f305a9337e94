import { whenUnlocked } from './app-lock.ts';
import { plugin } from './plugins.ts';

/** Carries the session to the server's sign-in routes and back (ADR 218). */
const header = 'nearhand-session';
const item = { prefixedKey: 'nearhand-session', sync: false };
/** Readable once the phone was unlocked after a restart, and not copied to another one. */
const thisPhoneOnly = 3;

/** What is kept now; undefined until it was read. Lasts as long as the app where the phone has no secure storage. */
let cookieHeader: string | undefined;
/** Writes in their order, so that an older one never comes last. */
let writing: Promise<unknown> = Promise.resolve();

async function readKept(): Promise<string> {
  if (cookieHeader !== undefined) return cookieHeader;
  const read = await plugin('SecureStorage')
    ?.internalGetItem(item)
    .catch(() => null);
  cookieHeader ??= read?.data ?? '';
  return cookieHeader;
}

function write(value: string): Promise<unknown> {
  cookieHeader = value;
  const storage = plugin('SecureStorage');
  writing = writing
    .then(() =>
      value === ''
        ? storage?.internalRemoveItem(item)
        : storage?.internalSetItem({ ...item, data: value, access: thisPhoneOnly }),
    )
    // Without it the session ends with the app: sign-in must work all the same.
    .catch(() => null);
  return writing;
}

/** The headers of a sign-in call: the session on this phone, if there is one. Not while the app is locked. */
export async function sessionHeaders(): Promise<Record<string, string>> {
  await whenUnlocked();
  const value = await readKept();
  return value === '' ? {} : { [header]: value };
}

/** Keeps the session of an answer, in the phone's secure storage; an answer without one changes nothing. */
export async function keepSessionOf(headers: Headers): Promise<void> {
  const value = headers.get(header);
  if (value !== null && value !== (await readKept())) await write(value);
}

/** What ends with a session; that the server knows this phone stays, as in a browser. */
const ofSession = /(session_\w+|two_factor)=/;

export async function forgetKeptSession(): Promise<void> {
  const cookies = (await readKept()).split('; ').filter((cookie) => !ofSession.test(cookie));
  await write(cookies.join('; '));
}
