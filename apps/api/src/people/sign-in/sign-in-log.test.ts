import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Person, useTestApp } from '../../../test/harness.ts';
import { enqueue } from '../../platform/tasks/tasks.ts';
import { purgeHistoryTask, recordSignIn } from '../sessions/sessions.ts';
import { sendLockoutTask } from './sign-in-calls.ts';

const app = useTestApp();
let leila: Person;
beforeAll(async () => {
  leila = await app.person();
});

type Row = { kind: string; device: string };
const logOf = async ({ accountId }: Person): Promise<Row[]> =>
  (
    await sql<Row>`select kind, device from sign_in_log
      where subject = sha256(convert_to('sign-in ' || ${accountId}::text, 'UTF8')) order by no`.execute(
      app.db,
    )
  ).rows;
const kindsOf = async (person: Person) => (await logOf(person)).map(({ kind }) => kind);
const record = (person: Person, kind: 'signed-in' | 'failed' | 'password-changed' | 'second-step-on') =>
  app.db.transaction().execute((tx) =>
    recordSignIn(tx, app, {
      accountId: person.accountId,
      kind,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0',
    }),
  );
const sqlState = async (statement: string) =>
  app.pool.query(statement).then(
    () => null,
    (error) => error.code,
  );

describe('the sign-in log', () => {
  it("records each outcome and failure of a sign-in, and each session's start and end", async () => {
    for (const kind of [
      'signed-in',
      'failed',
      'failed',
      'failed',
      'password-changed',
      'second-step-on',
    ] as const)
      await record(leila, kind);
    expect(await kindsOf(leila)).toEqual([
      'session-opened',
      'signed-in',
      'failed',
      'failed',
      'failed',
      'password-changed',
      'second-step-on',
    ]);
    expect((await logOf(leila)).at(-1)?.device).toMatch(/Firefox/);
    await app.pool.query('delete from sessions where account_id = $1', [leila.accountId]);
    expect((await kindsOf(leila)).at(-1)).toBe('session-ended');
  });

  it('records lockouts, but none for an address without an account', async () => {
    const nadia = await app.person();
    const before = await app.pool.query('select count(*)::int as n from sign_in_log');
    await app.db.transaction().execute(async (tx) => {
      await enqueue(tx, sendLockoutTask, { email: nadia.email, key: 'lockout-1' });
      await enqueue(tx, sendLockoutTask, { email: 'nobody@example.test', key: 'lockout-2' });
    });
    await app.runDue();
    expect(await kindsOf(nadia)).toEqual(['session-opened', 'locked-out']);
    const after = await app.pool.query('select count(*)::int as n from sign_in_log');
    expect(after.rows[0].n - before.rows[0].n).toBe(1);
  });

  it("can't be changed, even by SQL", async () => {
    const rows = await logOf(leila);
    expect(rows.length).toBeGreaterThan(0);
    for (const statement of [
      `update sign_in_log set kind = 'signed-in'`,
      'delete from sign_in_log',
      'truncate sign_in_log',
    ])
      expect(await sqlState(statement)).toBe('LG005');
    expect(await logOf(leila)).toEqual(rows);
    // The control: a permitted statement succeeds.
    expect(await sqlState('delete from sign_in_log where false')).toBeNull();
  });

  it('outlives the history and the account, as a hash', async () => {
    const sam = await app.person();
    await record(sam, 'signed-in');
    await app.pool.query('delete from sign_in_events where account_id = $1', [sam.accountId]);
    expect(await kindsOf(sam)).toContain('signed-in');
    const { rows } = await app.pool.query(
      `select count(*)::int as n from sign_in_log it where to_jsonb(it)::text like '%' || $1 || '%'`,
      [sam.accountId],
    );
    expect(rows[0].n).toBe(0);
  });

  it('loses only entries older than a year', async () => {
    const mia = await app.person();
    await app.pool.query(
      `insert into sign_in_log (at, subject, kind, device)
       values (now() - interval '366 days', sign_in_subject($1), 'signed-in', 'old'),
              (now() - interval '364 days', sign_in_subject($1), 'signed-in', 'young')`,
      [mia.accountId],
    );
    await app.db.transaction().execute((tx) => enqueue(tx, purgeHistoryTask, {}));
    await app.runDue();
    expect((await logOf(mia)).map(({ device }) => device)).toEqual(['', 'young']);
  });
});
