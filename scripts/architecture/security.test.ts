import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const text = readFileSync(path.join(root, 'docs/security.md'), 'utf8');

/** The number of requirements of levels 1 and 2 in each chapter of ASVS 5.0.0. */
const chapters = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];
const states = ['met', 'does not apply', 'open'];

type Row = { id: string; state: string; how: string };
const rowsOf = (document: string): Row[] =>
  [...document.matchAll(/^\| (V\d+\.\d+\.\d+) \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, id = '', state = '', how = '']) => ({ id, state, how }),
  );

/** Files that a document names and that do not exist; a met requirement without any name; unknown states. */
function faultsIn(document: string): string[] {
  const files = [...document.matchAll(/`((?:apps|packages|e2e|scripts|docs)\/[^`]+|[\w-]+\.json)`/g)];
  const gone = files.flatMap(([, file = '']) =>
    existsSync(path.join(root, file)) ? [] : [`${file} is gone`],
  );
  const rows = rowsOf(document);
  const empty = rows.flatMap(({ id, state, how }) =>
    state === 'met' && how.trim() === '' ? [`${id} names nothing`] : [],
  );
  const odd = rows.flatMap(({ id, state }) => (states.includes(state) ? [] : [`${id} is ${state}`]));
  return [...gone, ...empty, ...odd];
}

describe('docs/security.md', () => {
  const rows = rowsOf(text);

  it('names existing files', () => {
    expect(text.match(/`apps\/api\/[^`]+\.test\.ts`/g)?.length).toBeGreaterThan(100);
    expect(faultsIn(text)).toEqual([]);
  });

  it('fails with a deleted file, an empty line or another state', () => {
    expect(faultsIn('`apps/api/test/gone.test.ts`')).toEqual(['apps/api/test/gone.test.ts is gone']);
    expect(faultsIn('| V1.1.1 | x | met |   |')).toEqual(['V1.1.1 names nothing']);
    expect(faultsIn('| V1.1.1 | x | done | y |')).toEqual(['V1.1.1 is done']);
  });

  it('has one line for each requirement', () => {
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
    const counts = chapters.map(
      (_, index) => rows.filter(({ id }) => id.startsWith(`V${index + 1}.`)).length,
    );
    expect(counts).toEqual(chapters);
  });

  it('counts its states correctly', () => {
    const [met, none, open] = states.map((state) => rows.filter((row) => row.state === state).length);
    expect(text).toContain(`${met} are met, ${none} do not apply, ${open} are open.`);
  });
});

const sources = path.join(root, 'apps/api/src');
const filesWith = (pattern: RegExp) =>
  readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|fixtures)\.ts$/.test(name))
    .filter((name) => pattern.test(readFileSync(path.join(sources, name), 'utf8')))
    .sort();

describe('answers that caches may keep', () => {
  it('come only from these files, which are for anyone; all others send no-store', () => {
    expect(filesWith(/max-age=|cache-control.{0,40}(public|no-cache)/)).toEqual([
      'hiring/job-shares/job-shares.ts',
      'hiring/public-pages/public-pages.routes.ts',
      // Pictures of profiles and jobs; documents have `no-store`.
      'people/files/files.ts',
      'platform/api-document/api-pages.ts',
      'platform/http/inline-initial-data.ts',
      'platform/http/server.ts',
      'platform/http/web-app.ts',
      'platform/native-apps/native-apps.ts',
      // Reads the age of a cookie.
      'platform/native-apps/native-sessions.ts',
      // Its script is cached, the page itself is not.
      'talk/notification-settings/unsubscribe.routes.ts',
      'work/referrals/referrals.ts',
    ]);
  });
});

describe('the SDK of Stripe', () => {
  it('is used by its adapter alone, which is loaded only where it is configured', () => {
    const users = filesWith(/from 'stripe'/);
    expect(users).toContain('money/stripe/stripe.ts');
    expect(users.filter((file) => !file.startsWith('money/stripe/'))).toEqual([]);
    const importers = filesWith(/from '[^']*\/stripe\//);
    expect(importers.filter((file) => !file.startsWith('money/stripe/'))).toEqual([]);
  });
});

describe('a verified address', () => {
  it("is set in one place, after a stranger's additions were removed", () => {
    expect(filesWith(/prove_mailbox/)).toEqual(['people/accounts/accounts.ts']);
    expect(filesWith(/\bproveMailbox\b/)).toEqual(['people/accounts/accounts.ts']);
    expect(filesWith(/\bconfirmAccountEmail\b/)).toEqual([
      'people/accounts/accounts.ts',
      'people/sign-in/credentials.ts',
    ]);
    expect(filesWith(/\bchangeAccountEmail\b/)).toEqual([
      'people/accounts/accounts.ts',
      'people/email-change/email-change.ts',
    ]);
  });
});
