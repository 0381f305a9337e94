import { execFile } from 'node:child_process';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FakeFirebase } from '../people/firebase-sign-in/fake-firebase.fixtures.ts';
import { systemClock } from '../platform/clock.ts';

let firebase: FakeFirebase;
/** An address where no server responds. */
let gone: string;
beforeAll(async () => {
  firebase = await FakeFirebase.start(systemClock);
  const closed = await FakeFirebase.start(systemClock);
  gone = closed.url;
  await closed.close();
});
afterAll(() => firebase.close());
beforeEach(() => Object.assign(firebase, { down: false, keysDown: false }));

/** Runs `npm run providers` as users run it, with only these settings. */
function run(args: string[], settings: Record<string, string>) {
  const file = path.join(import.meta.dirname, 'providers.ts');
  const env = { PATH: process.env.PATH ?? '', ...settings };
  return new Promise<{ code: unknown; out: string; error: string }>((resolve) => {
    execFile(process.execPath, [file, ...args], { env }, (failed, out, error) =>
      resolve({ code: failed?.code ?? 0, out, error }),
    );
  });
}
const check = (settings: Record<string, string> = {}) =>
  run(['check', 'identity'], { ...firebase.settings(), ...settings });

describe('npm run providers -- check identity', () => {
  it('reports that sign-in works, and changes nothing', async () => {
    firebase.calls.length = 0;
    expect(await check()).toEqual({
      code: 0,
      error: '',
      out: 'People can sign in with the accounts of nearhand-test.\n',
    });
    expect(firebase.calls.map((call) => call.split(':')[1] ?? call)).toEqual([
      '/keys',
      '/token',
      'lookup',
      'signInWithPassword',
    ]);
    expect(firebase.accounts.size).toBe(0);
  });

  it.each<[string, () => Record<string, string>, RegExp]>([
    [
      'keys that cannot be fetched',
      () => {
        firebase.keysDown = true;
        return {};
      },
      /^The keys of ID tokens can’t be read from http\S+\/keys \(status 503\), so nobody can sign in\.\n$/,
    ],
    [
      'a key of another project',
      () => ({ FIREBASE_API_KEY: 'of-another-project' }),
      /^FIREBASE_API_KEY is not a key of this project\./,
    ],
    [
      'a Firebase that is down',
      () => {
        firebase.down = true;
        return {};
      },
      /^Google refuses FIREBASE_SERVICE_ACCOUNT, or can’t be reached\.[^\n]*\nFirebase can’t be reached: status 503\.\n$/,
    ],
    [
      'an address where nobody answers',
      () => ({ FIREBASE_KEYS_URL: `${gone}/keys` }),
      /^The keys of ID tokens can’t be read from \S+ \(ECONNREFUSED\), so nobody can sign in\.\n$/,
    ],
    [
      'a setting that is missing',
      () => ({ FIREBASE_API_KEY: '' }),
      /FIREBASE_API_KEY: must be set with IDENTITY_PROVIDER=firebase/,
    ],
    [
      'a service account of another project',
      () => ({ FIREBASE_PROJECT_ID: 'another-project' }),
      /FIREBASE_SERVICE_ACCOUNT: belongs to another project than FIREBASE_PROJECT_ID\./,
    ],
    [
      'an emulator in production',
      () => ({ NODE_ENV: 'production', FIREBASE_AUTH_EMULATOR: 'http://127.0.0.1:9099' }),
      /FIREBASE_AUTH_EMULATOR: not in production/,
    ],
  ])('says in a sentence that it has %s, and fails', async (_name, settings, sentence) => {
    const { code, out, error } = await check(settings());
    expect([code, out]).toEqual([1, '']);
    expect(error).toMatch(sentence);
    expect(error).not.toMatch(/PRIVATE KEY|\n\s+at /);
  });

  it('reports who signs users in without Firebase, and its name', async () => {
    expect(await run(['check', 'identity'], {})).toMatchObject({
      code: 0,
      out: 'This server signs people in itself.\n',
    });
    for (const args of [[], ['check'], ['check', 'money']])
      expect(await run(args, {})).toMatchObject({
        code: 1,
        error: expect.stringContaining('npm run providers -- check identity'),
      });
  });
});
