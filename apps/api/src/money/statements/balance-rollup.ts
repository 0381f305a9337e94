import { addMs } from '@nearhand/contract/durations';
import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import { recordAudit } from '../../platform/audits.ts';
import { type Db, type Tx, withoutTimeLimits } from '../../platform/db.ts';
import { defineTask, enqueue, type TaskScope } from '../../platform/tasks/tasks.ts';
import { feeIsOpen, isSelfEmployed, payIsOpen, statementFacts } from './changed-statements.sql.ts';
import { earnedKinds, tipKinds, withdrawnKinds } from './statements.rules.ts';

const everyMs = 60_000;
/** The number of entries that one transaction sums up. */
const partSize = 5_000;
const maxLogged = 100;

const nothing = z.object({}).loose();

export const carryTask = defineTask({
  name: 'statements.carry',
  payload: nothing,
  queue: 'housekeeping',
  run: carryBalances,
});
export const checkRollupTask = defineTask({
  name: 'statements.check',
  payload: nothing,
  daily: true,
  run: checkCarried,
});

const planCarry = (tx: Tx, runAt?: Date): Promise<void> =>
  enqueue(tx, carryTask, {}, { runAt: runAt || undefined, key: carryTask.name });

/** Materializes entries at server start, then every minute. */
export const startCarrying = (db: Db): Promise<void> =>
  withoutTimeLimits(db, (connection) =>
    connection.transaction().execute(async (tx) => {
      await deleteForeignMark(tx);
      await planCarry(tx);
    }),
  );

/** Schedules the next run first, so that a failure is retried. */
export async function carryBalances({ db, clock }: Pick<TaskScope, 'db' | 'clock'>): Promise<void> {
  const next = addMs(clock.now(), everyMs);
  await db.transaction().execute((tx) => planCarry(tx, next));
  await withoutTimeLimits(db, async (connection) => {
    await connection.transaction().execute(deleteForeignMark);
    await carryOn(connection);
  });
}

/**
 * Materializes the lines of entries that have none (ADR 64).
 * @param size about how many entries per transaction
 */
export async function carryOn(db: Db, size = partSize): Promise<void> {
  for (;;) {
    const more = await db.transaction().execute(async (tx) => {
      const from = await lockMark(tx);
      const before = await nextMark(tx, from, size);
      if (before === from) return false;
      await carryLines(tx, from, before);
      await upsertMark(tx, before);
      return true;
    });
    if (!more) return;
  }
}

/**
 * Logs lines that differ from the ledger as errors, daily; docs/operations.md explains how to rebuild them.
 */
export async function checkCarried({
  db,
  log,
  clock,
}: Pick<TaskScope, 'db' | 'log' | 'clock'>): Promise<void> {
  const faults = await withoutTimeLimits(db, (connection) => findCarryingFaults(connection, maxLogged));
  for (const fault of faults)
    log.error(fault, `statements: a line of ${fault.holder} differs from the ledger`);
  await recordAudit(db, {
    name: 'statements',
    at: clock.now(),
    checked: null,
    findings: faults.length,
    first: faults.map(({ holder }) => `line_differs ${holder}`),
  });
}

/** Locks the materialized mark, so that one task runs at a time. */
async function lockMark(tx: Tx): Promise<string> {
  const { rows } = await sql<{ upto: string }>`
    select upto::text from statement_carried for update`.execute(tx);
  return rows[0]?.upto ?? '0';
}

/** The new mark, before the oldest open transaction, which may still write. Unchanged when nothing is left. */
async function nextMark(tx: Tx, mark: string, limit: number): Promise<string> {
  const { rows } = await sql<{ upto: string }>`
    select coalesce((
      select (part.xact::text::bigint + 1)::text from (
        select xact from ledger_entries
        where xact >= ${mark}::xid8 and xact < pg_snapshot_xmin(pg_current_snapshot())
        order by xact limit ${limit}) part
      order by xact desc limit 1), ${mark}) as upto`.execute(tx);
  return rows[0]?.upto ?? mark;
}

/**
 * Deletes a mark from another cluster: after loading a dump it is ahead of this one's counter, and new
 * entries would be skipped.
 */
async function deleteForeignMark(tx: Tx): Promise<void> {
  const { rows } = await sql<{ foreign: boolean }>`
    select upto > pg_snapshot_xmax(pg_current_snapshot()) as foreign from statement_carried for update`.execute(
    tx,
  );
  if (!rows[0]?.foreign) return;
  await sql`delete from statement_lines`.execute(tx);
  await upsertMark(tx, '0');
}

async function upsertMark(tx: Tx, upto: string): Promise<void> {
  await sql`update statement_carried set upto = ${upto}::xid8`.execute(tx);
}

const isRolledUp = sql`(fact.moved <> 0 or fact.holder ^@ 'business')`;

/** Commit order is nearly id order: a line that falls before others of its holder rewrites their totals. */
async function carryLines(tx: Tx, from: string, before: string): Promise<void> {
  await sql`
    with fresh as materialized (
      select * from (${statementFacts(sql`select * from ledger_entries where xact >= ${from}::xid8 and xact < ${before}::xid8`)}) fact
      where ${isRolledUp}
    ),
    edge as (select holder, min(entry_id::text)::uuid as entry_id from fresh group by holder),
    line as (
      select holder, entry_id, kind, with_fee, hold_id, moved, held, paid, fees from fresh
      union all
      select later.holder, later.entry_id, later.kind, later.with_fee, later.hold_id, later.moved, later.held, later.paid, later.fees
      from edge join statement_lines later on later.holder = edge.holder and later.entry_id > edge.entry_id
    )
    insert into statement_lines (holder, entry_id, kind, with_fee, hold_id, moved, held, paid, fees,
      balance, came, went, holding, earned, tips, charged, withdrawn, fee_open, pay_open)
    select line.holder, line.entry_id, line.kind, line.with_fee, line.hold_id, line.moved, line.held, line.paid, line.fees,
      coalesce(base.balance, 0) + sum(line.moved) over upto,
      coalesce(base.came, 0) + coalesce(sum(line.moved) filter (where line.moved > 0) over upto, 0),
      coalesce(base.went, 0) - coalesce(sum(line.moved) filter (where line.moved < 0) over upto, 0),
      coalesce(base.holding, 0) + sum(line.held) over upto,
      coalesce(base.earned, 0) + coalesce(sum(line.paid) filter (where line.kind = any(${earnedKinds}::text[])) over upto, 0),
      coalesce(base.tips, 0) + coalesce(sum(line.paid) filter (where line.kind = any(${tipKinds}::text[])) over upto, 0),
      coalesce(base.charged, 0) + sum(line.fees) over upto,
      coalesce(base.withdrawn, 0) - coalesce(sum(line.moved) filter (where line.kind = any(${withdrawnKinds}::text[])) over upto, 0),
      ${feeIsOpen}, ${payIsOpen}
    from line
    join edge on edge.holder = line.holder
    left join lateral (
      select * from statement_lines earlier where earlier.holder = edge.holder and earlier.entry_id < edge.entry_id
      order by earlier.entry_id desc limit 1) base on true
    window upto as (partition by line.holder order by line.entry_id)
    on conflict (holder, entry_id) do update set balance = excluded.balance, came = excluded.came, went = excluded.went,
      holding = excluded.holding, earned = excluded.earned, tips = excluded.tips, charged = excluded.charged,
      withdrawn = excluded.withdrawn`.execute(tx);
}

/**
 * Closes lines that are on an invoice or were reversed before it. Lines written at the same time stay open,
 * since the invoice checks again.
 * @param open the flag of open lines
 * @param invoiced the table of entries on invoices
 * @param needsNone closes lines that need no invoice
 */
async function closeLines(
  db: Db,
  holders: string,
  { open, invoiced, needsNone }: { open: string; invoiced: string; needsNone?: RawBuilder<unknown> },
): Promise<void> {
  await sql`
    update statement_lines set ${sql.ref(open)} = false where (holder, entry_id) in (
      select line.holder, line.entry_id from statement_lines line
      join ledger_entries entry on entry.id = line.entry_id
      where line.holder ^@ ${holders} and line.${sql.ref(open)} and (
        exists (select from ${sql.table(invoiced)} invoiced where invoiced.entry_id = entry.id)
        or exists (select from ledger_entries reversal where reversal.reverses = entry.id)
        or (entry.reverses is not null
          and not exists (select from ${sql.table(invoiced)} original where original.entry_id = entry.reverses))
        ${needsNone ? sql`or ${needsNone}` : sql``})
      for update of line skip locked)`.execute(db);
}

/** Closes lines of a business whose fee is on an invoice. */
export const closeFeeLines = (tx: Tx, holders: string): Promise<void> =>
  closeLines(tx, holders, { open: 'fee_open', invoiced: 'invoiced_entries' });

/** Closes workers' lines that are on an invoice in their name or need none. */
export const closePayLines = (db: Db, holders: string): Promise<void> =>
  closeLines(db, holders, {
    open: 'pay_open',
    invoiced: 'worker_invoiced_entries',
    needsNone: sql`not ${isSelfEmployed}`,
  });

/** Finds at most `limit` missing lines, lines without an entry, wrong facts and wrong totals. */
export async function findCarryingFaults(
  db: Db,
  limit: number,
): Promise<{ holder: string; entryId: string }[]> {
  const facts = statementFacts(
    sql`select * from ledger_entries where xact < (select upto from statement_carried)`,
  );
  const { rows } = await sql<{ holder: string; entryId: string }>`
    with fact as (select * from (${facts}) fact where ${isRolledUp}),
    line as (
      select *, balance - lag(balance, 1, 0::bigint) over upto as d_balance, came - lag(came, 1, 0::bigint) over upto as d_came,
        went - lag(went, 1, 0::bigint) over upto as d_went, holding - lag(holding, 1, 0::bigint) over upto as d_holding,
        earned - lag(earned, 1, 0::bigint) over upto as d_earned, tips - lag(tips, 1, 0::bigint) over upto as d_tips,
        charged - lag(charged, 1, 0::bigint) over upto as d_charged, withdrawn - lag(withdrawn, 1, 0::bigint) over upto as d_withdrawn
      from statement_lines window upto as (partition by holder order by entry_id)
    )
    select coalesce(fact.holder, line.holder) as holder, coalesce(fact.entry_id, line.entry_id) as entry_id
    from fact full join line on line.holder = fact.holder and line.entry_id = fact.entry_id
    where (fact.holder, fact.kind, fact.with_fee, fact.hold_id, fact.moved, fact.held, fact.paid, fact.fees)
        is distinct from (line.holder, line.kind, line.with_fee, line.hold_id, line.moved, line.held, line.paid, line.fees)
      or (d_balance, d_came, d_went, d_holding, d_charged)
        <> (line.moved, greatest(line.moved, 0), greatest(-line.moved, 0), line.held, line.fees)
      or d_earned <> case when line.kind = any(${earnedKinds}::text[]) then line.paid else 0 end
      or d_tips <> case when line.kind = any(${tipKinds}::text[]) then line.paid else 0 end
      or d_withdrawn <> case when line.kind = any(${withdrawnKinds}::text[]) then -line.moved else 0 end
    order by holder, entry_id limit ${limit}`.execute(db);
  return rows;
}
