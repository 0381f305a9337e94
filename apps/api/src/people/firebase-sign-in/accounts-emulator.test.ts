import { createRequire } from 'node:module';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { useTestApp } from '../../../test/harness.ts';
import { createFirebaseAccounts } from '../../platform/firebase/firebase-accounts.ts';
import { ownHashing } from '../../platform/passwords/password-hashes.ts';
import { TestBrowser } from '../sign-in/browser.fixtures.ts';
import { type AccountInFile, accountsFile, exportAccounts } from './accounts-export.ts';
import { importAccounts } from './accounts-import.ts';

/** Set by `npm run test:firebase`; other runs leave this file out. */
const emulator = process.env.FIREBASE_AUTH_EMULATOR ?? '';
const project = process.env.FIREBASE_PROJECT_ID ?? '';
const password = 'a quiet harbour 7';

/** The functions of Google's command line tool that we call. */
type Tool = {
  validateOptions: (options: Record<string, string>) => object;
  validateUserJson: (account: object) => { error?: string };
  serialImportUsers: (project: string, hashing: object, batches: object[][], from: number) => Promise<void>;
  serialExportUsers: (project: string, options: object) => Promise<void>;
};

function openTool(): Tool {
  // Set before the tool is loaded, because it is read then.
  process.env.FIREBASE_GOOGLE_URL = `${emulator}/www.googleapis.com`;
  const require = createRequire(import.meta.url);
  const part = (name: string) => require(path.join(process.env.FIREBASE_TOOLS ?? '', 'lib', name));
  part('apiv2').setAccessToken('owner');
  const { validateOptions, validateUserJson, serialImportUsers } = part('accountImporter');
  const { serialExportUsers } = part('accountExporter');
  return { validateOptions, validateUserJson, serialImportUsers, serialExportUsers };
}

describe.runIf(emulator !== '')('with the emulator and the tool of Firebase', () => {
  const app = useTestApp({ SIGN_INS_PER_MINUTE: '10000', FIREBASE_HASH_CONFIG: hashConfig() });
  let moved: Awaited<ReturnType<typeof app.another>>;
  let tool: Tool;
  beforeAll(async () => {
    const apiKey = process.env.FIREBASE_API_KEY ?? '';
    const settings = {
      FIREBASE_PROJECT_ID: project,
      FIREBASE_API_KEY: apiKey,
      FIREBASE_AUTH_EMULATOR: emulator,
    };
    moved = await app.another({ IDENTITY_PROVIDER: 'firebase', ...settings });
    tool = openTool();
    // The emulator's tokens have the real time.
    app.clock.set(new Date());
  });
  const there = () => new TestBrowser(moved.server, app.config.PUBLIC_URL);
  const signIn = async (email: string) =>
    (await there().post('/sign-in/email', { email, password })).json() as {
      user?: { id: string };
      code?: string;
    };
  const accounts = () =>
    createFirebaseAccounts(
      {
        ...app.config,
        FIREBASE_PROJECT_ID: project,
        FIREBASE_API_KEY: 'any',
        FIREBASE_AUTH_EMULATOR: emulator,
      },
      app.clock,
    );
  const own = async (id: string) => {
    for await (const page of exportAccounts(app.db, app))
      for (const { account } of page) if (account.localId === id) return account;
    throw new Error('not exported');
  };
  async function member() {
    const email = `moving-${crypto.randomUUID()}@example.test`;
    const page = new TestBrowser(app.server, app.config.PUBLIC_URL);
    const id = (await page.post('/sign-up/email', { email, password })).json().user.id as string;
    return { email, id, page };
  }
  async function send(account: AccountInFile): Promise<void> {
    expect(tool.validateUserJson({ ...account })).toEqual({});
    const { memoryCost, blockSize, parallelization, keyBytes } = ownHashing;
    const hashing = tool.validateOptions({
      hashAlgo: 'STANDARD_SCRYPT',
      memCost: String(memoryCost),
      blockSize: String(blockSize),
      parallelization: String(parallelization),
      dkLen: String(keyBytes),
    });
    await tool.serialImportUsers(project, hashing, [[{ ...account }]], 0);
  }

  it('imports an exported account, and its sign-ins there open it', async () => {
    const { email, id } = await member();
    await send(await own(id));
    const user = await accounts().find(id);
    expect(user).toMatchObject({ uid: id, email, disabled: false });
    // The emulator calculates no hashes: it stores what it gets, and refuses every password until one is set there.
    expect((await signIn(email)).code).toBe('auth/invalid-credential');
    await accounts().change(id, { password });
    expect((await signIn(email)).user?.id).toBe(id);
  });

  it('opens an account with Google through Google', async () => {
    const { email, id } = await member();
    await app.db
      .insertInto('credentials')
      .values({ id: crypto.randomUUID(), accountId: id, providerId: 'google', subject: `g-${id}` })
      .execute();
    await send({ ...(await own(id)), emailVerified: true });
    const claims = JSON.stringify({ sub: `g-${id}`, email, email_verified: true });
    const answer = await fetch(
      `${emulator}/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=any`,
      {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          requestUri: 'http://localhost',
          returnSecureToken: true,
          postBody: `providerId=google.com&id_token=${encodeURIComponent(claims)}`,
        }),
      },
    );
    const { idToken } = (await answer.json()) as { idToken: string };
    const opened = await there().post('/firebase/session', { idToken });
    expect(opened.json().user).toMatchObject({ id, emailVerified: true });
  });

  it('reads back a file that the tool exports', async () => {
    const { id } = await member();
    await send(await own(id));
    await accounts().change(id, { password });
    const out = new PassThrough();
    out.write('{"users": [\n');
    await tool.serialExportUsers(project, { format: 'json', writeStream: out, batchSize: 1_000 });
    out.end(']}');
    const { users } = accountsFile.parse(JSON.parse(await text(out)));
    const back = users.filter(({ localId }) => localId === id);
    expect(back).toHaveLength(1);
    // The export contains only hashes that the project computed itself, so the invented one is missing.
    const counted = await importAccounts(app.db, app, back);
    expect(counted).toMatchObject({ unchanged: 1, unknown: 0 });
  });
});

function hashConfig(): string {
  const key = Buffer.alloc(64, 'k').toString('base64');
  return `algorithm: SCRYPT, base64_signer_key: ${key}, base64_salt_separator: Bw==, rounds: 8, mem_cost: 14`;
}
