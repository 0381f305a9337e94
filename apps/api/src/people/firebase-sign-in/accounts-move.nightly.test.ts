import { createCipheriv, randomBytes, scryptSync } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { ownHashing } from '../../platform/passwords/password-hashes.ts';
import { TestBrowser } from '../sign-in/browser.fixtures.ts';
import { disableAccount } from '../sign-in/credentials.ts';
import { type AccountInFile, exportAccounts } from './accounts-export.ts';
import { importAccounts } from './accounts-import.ts';
import { FakeFirebase } from './fake-firebase.fixtures.ts';

const signerKey = randomBytes(64);
const separator = Buffer.from('Bw==', 'base64');
const hashConfig = `algorithm: SCRYPT, base64_signer_key: ${signerKey.toString('base64')}, base64_salt_separator: Bw==, rounds: 8, mem_cost: 14`;

// The built-in provider and Firebase on one database, as before and after a migration.
const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000', FIREBASE_HASH_CONFIG: hashConfig });
let firebase: FakeFirebase;
let moved: Awaited<ReturnType<typeof app.another>>;
beforeAll(async () => {
  firebase = await FakeFirebase.start(app.clock);
  moved = await app.another(firebase.settings());
});
afterAll(() => firebase.close());

const password = 'a quiet harbour 7';
let count = 0;
const here = () => new TestBrowser(app.server, app.config.PUBLIC_URL);
const there = () => new TestBrowser(moved.server, app.config.PUBLIC_URL);
const signIn = async (page: TestBrowser, email: string, typed = password) => {
  const response = await page.post('/sign-in/email', { email, password: typed });
  return { status: response.statusCode, code: response.json().code, id: response.json().user?.id };
};

async function member() {
  const email = `moving${++count}@example.test`;
  const response = await here().post('/sign-up/email', { email, password });
  return { email, id: response.json().user.id as string };
}

/** The exported account with this id. */
async function exported(id: string) {
  for await (const page of exportAccounts(app.db, app))
    for (const entry of page) if (entry.account.localId === id) return entry;
  throw new Error('not exported');
}

/** Firebase's own hash of a password, as documented. */
function firebaseHash(typed: string, key = signerKey) {
  const salt = randomBytes(8);
  const derived = scryptSync(typed, Buffer.concat([salt, separator]), 32, { N: 16_384, r: 8, p: 1 });
  const cipher = createCipheriv('aes-256-ctr', derived, Buffer.alloc(16));
  return { passwordHash: cipher.update(key).toString('base64'), salt: salt.toString('base64') };
}
const bringBack = (account: AccountInFile) => importAccounts(app.db, app, [account]);
const none = { passwords: 0, unchanged: 0, unreadable: 0, disabled: 0, unknown: 0, taken: 0 };
const hashOf = async (id: string) =>
  (
    await app.db
      .selectFrom('credentials')
      .select('password')
      .where('accountId', '=', id)
      .where('providerId', '=', 'credential')
      .executeTakeFirst()
  )?.password;

describe('an exported account', () => {
  it('contains a hash that plain scrypt produces from its password with the printed parameters', async () => {
    const { email, id } = await member();
    const { kind, account } = await exported(id);
    expect(kind).toBe('own');
    expect(account).toMatchObject({ localId: id, email, emailVerified: false, disabled: false });
    const { memoryCost: N, blockSize: r, parallelization: p, keyBytes } = ownHashing;
    const derive = (typed: string) =>
      scryptSync(typed, Buffer.from(account.salt ?? '', 'base64'), keyBytes, {
        N,
        r,
        p,
        maxmem: 64 * 1_048_576,
      }).toString('base64');
    expect(derive(password)).toBe(account.passwordHash);
    expect(derive(`${password}!`)).not.toBe(account.passwordHash);
  });

  it('contains who is disabled, and who signs in with Google', async () => {
    const { id } = await member();
    const at = app.clock.now();
    await app.db
      .insertInto('credentials')
      .values({
        id: crypto.randomUUID(),
        accountId: id,
        providerId: 'google',
        subject: `g-${id}`,
        createdAt: at,
      })
      .execute();
    await app.db.transaction().execute((tx) => disableAccount(tx, app, id));
    expect((await exported(id)).account).toMatchObject({
      disabled: true,
      providerUserInfo: [{ providerId: 'google.com', rawId: `g-${id}` }],
    });
  });

  it('opens through its sign-in at Firebase, even unverified, and through no other id', async () => {
    const { email, id } = await member();
    const stranger = firebase.add({ email, password, localId: `stranger-${id}` });
    expect(await signIn(there(), email)).toMatchObject({
      code: 'auth/account-exists-with-different-credential',
    });
    firebase.accounts.delete(stranger.localId);
    const { account } = await exported(id);
    firebase.add({ email, password, localId: account.localId });
    expect(await hashOf(id)).toBeDefined();
    expect(await signIn(there(), email)).toMatchObject({ status: 200, id });
    // From now on Firebase can export its own hash; a second copy here would become outdated.
    expect(await hashOf(id)).toBeUndefined();
  });

  it('keeps its id at Firebase over repeated exports', async () => {
    const { id } = await member();
    const first = await exported(id);
    expect(await exported(id)).toEqual(first);
    const links = await app.db
      .selectFrom('firebase_identities')
      .where('accountId', '=', id)
      .selectAll()
      .execute();
    expect(links).toMatchObject([{ uid: id, hasPassword: true }]);
  });
});

describe('an account that comes back', () => {
  const atFirebase = async () => {
    const { email, id } = await member();
    const { account } = await exported(id);
    firebase.add({ email, password, localId: account.localId });
    await signIn(there(), email);
    return { email, id, account };
  };

  it('signs in with its password from Firebase, which is then hashed like ours', async () => {
    const { email, id, account } = await atFirebase();
    const typed = 'chosen at Firebase';
    const file = { ...account, ...firebaseHash(typed) };
    expect(await bringBack(file)).toEqual({ ...none, passwords: 1 });
    expect(await signIn(here(), email)).toMatchObject({ code: 'auth/invalid-credential' });
    expect(await hashOf(id)).toMatch(/^firebase:/);
    expect((await exported(id)).kind).toBe('firebase');
    expect(await signIn(here(), email, typed)).toMatchObject({ status: 200, id });
    expect(await hashOf(id)).not.toMatch(/^firebase:/);
    expect(await signIn(here(), email, typed)).toMatchObject({ status: 200, id });
    expect((await exported(id)).kind).toBe('own');
  });

  it('keeps our password if it never used one there', async () => {
    const { email, id } = await member();
    const { account } = await exported(id);
    expect(await bringBack({ ...account, passwordHash: undefined, salt: undefined })).toEqual({
      ...none,
      unchanged: 1,
    });
    expect(await signIn(here(), email)).toMatchObject({ status: 200, id });
  });

  it('loses its password if it lost it there', async () => {
    const { email, id, account } = await atFirebase();
    await app.db
      .updateTable('firebase_identities')
      .set({ hasPassword: false })
      .where('accountId', '=', id)
      .execute();
    await bringBack({ ...account, passwordHash: undefined });
    expect(await signIn(here(), email)).toMatchObject({ code: 'auth/invalid-credential' });
  });

  it('is disabled here if it was there', async () => {
    const { email, account } = await atFirebase();
    const file = { ...account, ...firebaseHash(password), disabled: true };
    expect(await bringBack(file)).toEqual({ ...none, passwords: 1, disabled: 1 });
    expect(await bringBack(file)).toEqual({ ...none, passwords: 1 });
    expect(await signIn(here(), email)).toMatchObject({ code: 'auth/user-disabled' });
  });

  it('is skipped when it is unknown here or has an unusable hash', async () => {
    const { email, account } = await atFirebase();
    const other = { ...account, localId: 'a-stranger', ...firebaseHash(password) };
    expect(await bringBack(other)).toEqual({ ...none, unknown: 1 });
    expect(await signIn(here(), email)).toMatchObject({ code: 'auth/invalid-credential' });
    const odd = { ...account, ...firebaseHash(password, randomBytes(32)) };
    expect(await bringBack(odd)).toEqual({ ...none, unreadable: 1 });
  });

  it('imports its Google sign-in, unless someone else has it here', async () => {
    const firstAccount = await atFirebase();
    const secondAccount = await atFirebase();
    const providerUserInfo = [
      { providerId: 'google.com', rawId: `subject-${firstAccount.id}` },
      { providerId: 'x.com', rawId: 'x' },
    ];
    const file = { ...firstAccount.account, ...firebaseHash(password), providerUserInfo };
    expect(await bringBack(file)).toEqual({ ...none, passwords: 1 });
    expect(await bringBack(file)).toEqual({ ...none, passwords: 1 });
    expect(
      await bringBack({ ...secondAccount.account, ...firebaseHash(password), providerUserInfo }),
    ).toEqual({
      ...none,
      passwords: 1,
      taken: 1,
    });
    const identities = await app.db
      .selectFrom('credentials')
      .select('accountId')
      .where('providerId', '=', 'google')
      .where('subject', '=', `subject-${firstAccount.id}`)
      .execute();
    expect(identities).toEqual([{ accountId: firstAccount.id }]);
  });
});
