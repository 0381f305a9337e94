import { whenUnlocked } from './app-lock.ts';
import { nativePlugin } from './plugins.ts';

/** Carries the session to the server's sign-in routes and back (ADR 218). */
const header = 'nearhand-session';
const item = { prefixedKey: 'nearhand-session', sync: false };
/** Keychain access after the first unlock, on this device only. */
const thisPhoneOnly = 3;

/** The stored session; undefined until read. It lasts as long as the app if the phone has no secure storage. */
let cookieHeader: string | undefined;
/** Serializes writes, so that an older one never comes last. */
let writing: Promise<unknown> = Promise.resolve();

async function readStored(): Promise<string> {
  if (cookieHeader !== undefined) return cookieHeader;
  const read = await nativePlugin('SecureStorage')
    ?.internalGetItem(item)
    .catch(() => null);
  cookieHeader ??= read?.data ?? '';
  return cookieHeader;
}

function write(value: string): Promise<unknown> {
  cookieHeader = value;
  const storage = nativePlugin('SecureStorage');
  writing = writing
    .then(() =>
      value === ''
        ? storage?.internalRemoveItem(item)
        : storage?.internalSetItem({ ...item, data: value, access: thisPhoneOnly }),
    )
    // Sign-in must work without secure storage; the session then ends with the app.
    .catch(() => null);
  return writing;
}

export async function sessionHeaders(): Promise<Record<string, string>> {
  await whenUnlocked();
  const value = await readStored();
  return value === '' ? {} : { [header]: value };
}

export async function storeSessionOf(headers: Headers): Promise<void> {
  const value = headers.get(header);
  if (value !== null && value !== (await readStored())) await write(value);
}

/** The cookies that end with a session; the cookie that remembers this phone stays, as in a browser. */
const ofSession = /(session_\w+|two_factor)=/;

export async function deleteStoredSession(): Promise<void> {
  const cookies = (await readStored()).split('; ').filter((cookie) => !ofSession.test(cookie));
  await write(cookies.join('; '));
}
