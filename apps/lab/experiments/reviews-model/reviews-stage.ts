import { postEntry } from '@nearhand/api/src/money/ledger/ledger.ts';
import { moneyOf } from '@nearhand/api/src/money/payouts/balance.ts';
import { makeAccount } from '@nearhand/api/src/people/accounts/accounts.fixtures.ts';
import { makeBusiness } from '@nearhand/api/src/people/businesses/businesses.fixtures.ts';
import type { Db } from '@nearhand/api/src/platform/db.ts';
import type { Scope } from '@nearhand/api/src/platform/http/scope.ts';
import { newId } from '@nearhand/api/src/platform/ids.ts';
import type { TaskScope } from '@nearhand/api/src/platform/tasks/tasks.ts';
import { makeEndedWork } from '@nearhand/api/src/trust/reviews/reviews.fixtures.ts';
import { openReviews } from '@nearhand/api/src/trust/reviews/reviews.ts';
import { addMs, dayMs } from '@nearhand/contract/durations';
import type pg from 'pg';

export type Stage = {
  pool: pg.Pool;
  db: Db;
  setClock(at: number): void;
  scopeOf(accountId: string): Scope;
  taskScope: TaskScope;
};
type Work = { engagementId: string; jobId: string; workerId: string; businessId: string };
export type Cast = {
  owner: string;
  stranger: string;
  operator: string;
  businessId: string;
  workers: string[];
  works: Work[];
};

export const names = ['Leila Haddad', 'Sam Okafor'];
export const startOfTime = Date.parse('2027-01-04T09:00:00Z');

export async function makeCast(stage: Stage, secret: string): Promise<Cast> {
  const { db, scopeOf } = stage;
  const { clock } = stage.taskScope;
  const account = async (name: string) => (await makeAccount(db, clock, secret, { name })).accountId;
  const owner = await account('Nadia Brandt');
  const { id: businessId } = await makeBusiness(db, scopeOf(owner), { name: 'Kopi & Crumb' });
  const cast: Cast = { owner, businessId, workers: [], works: [], stranger: '', operator: '' };
  cast.stranger = await account('Rita Rossi');
  cast.operator = await account('Jonas Weber');
  for (const name of names) {
    const workerId = await account(name);
    cast.workers.push(workerId);
    const sides = { worker: scopeOf(workerId), recruiter: scopeOf(owner) };
    for (const days of [3, 5]) {
      const startsAt = addMs(clock.now(), (days + cast.works.length * 4) * dayMs);
      const { id, jobId } = await makeEndedWork(db, sides, businessId, startsAt);
      cast.works.push({ engagementId: id, jobId, workerId, businessId });
    }
    await emptyBalance(stage, workerId);
  }
  return cast;
}

/** Pays out, since an account with money can't be removed. */
async function emptyBalance({ db, taskScope }: Stage, workerId: string): Promise<void> {
  const { balances } = await moneyOf(db, workerId);
  for (const { currency, amountMinor } of balances)
    await db.transaction().execute((tx) =>
      postEntry(tx, taskScope, {
        key: `empty/${workerId}`,
        kind: 'paid_out',
        currency,
        about: workerId,
        lines: [
          { account: { kind: 'worker_pending', ownerId: workerId }, amountMinor: -amountMinor },
          { account: { kind: 'provider_clearing' }, amountMinor },
        ],
      }),
    );
}

/** Opens the reviews of both sides, as after all work ended. */
export async function startOver({ pool, db, taskScope, setClock }: Stage, cast: Cast): Promise<void> {
  setClock(startOfTime);
  for (const table of [
    'account_deletions',
    'reports',
    'report_cases',
    'review_moves',
    'reviews',
    'notifications',
  ])
    await pool.query(`delete from ${table}`);
  await pool.query('delete from graphile_worker._private_jobs');
  await pool.query(`update businesses set review_stars = '{0,0,0,0,0}'`);
  await pool.query('delete from profiles where account_id = any($1)', [cast.workers]);
  for (const [index, workerId] of cast.workers.entries()) {
    await pool.query('update accounts set name = $1, disabled_at = null where id = $2', [
      names[index],
      workerId,
    ]);
    await pool.query('select prove_mailbox($1, null, $2, now())', [workerId, `worker-${index}@example.test`]);
    await pool.query('insert into profiles (account_id, updated_at) values ($1, now())', [workerId]);
  }
  await db.transaction().execute(async (tx) => {
    for (const work of cast.works) await openReviews(tx, taskScope, work);
  });
}

export async function scheduleDeletion(
  { pool, taskScope }: Stage,
  accountId: string,
): Promise<{ id: string }> {
  const now = taskScope.clock.now();
  const deletions = await pool.query<{ id: string }>(
    'select id from account_deletions where account_id = $1',
    [accountId],
  );
  if (deletions.rows[0]) return deletions.rows[0];
  const { rows } = await pool.query<{ id: string }>(
    `insert into account_deletions (id, account_id, status, requested_at, delete_at)
     values ($1, $2, 'scheduled', $3, $3) returning id`,
    [newId(now), accountId, now],
  );
  return rows[0] as { id: string };
}
