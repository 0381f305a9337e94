import { taxOfficePath } from '@nearhand/contract/app-paths';
import { addMs, dayIn, dayMs, subtractMs } from '@nearhand/contract/durations';
import type {
  SellerDetails,
  SellerRequest,
  SellerView,
  SellerYear,
} from '@nearhand/contract/money/seller-reports';
import {
  sellerProblems,
  sellerReminderDays,
  sellerWaitDays,
} from '@nearhand/contract/money/seller-reports.rules';
import { withoutSeparators } from '@nearhand/contract/people/company-facts.rules';
import { sql } from 'kysely';
import { isLeavingOrGone } from '../../people/account-deletion/account-deletion.sql.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import type { ClockConfigScope, ClockScope, ConfigScope, Scope } from '../../platform/http/scope.ts';
import type { TaskScope } from '../../platform/tasks/tasks.ts';
import { notify } from '../../talk/notifications/notifications.ts';
import {
  findSentRows,
  findYears,
  newestFirst,
  payBetween,
  type Reporter,
  reportablePay,
  reporterOf,
} from './reportable-pay.ts';

type RequestRow = { askedAt: Date; remindedAt: Date | null; reminders: number };

const findRequest = (db: Db, accountId: string): Promise<RequestRow | undefined> =>
  db
    .selectFrom('seller_requests')
    .select(['askedAt', 'remindedAt', 'reminders'])
    .where('accountId', '=', accountId)
    .where('answeredAt', 'is', null)
    .executeTakeFirst();

/** The day of each step, counted from the request: the request, two reminders, and the block on withdrawals. */
const requestDays = [0, ...sellerReminderDays, sellerWaitDays];

/** Days between a step and the one before. A late reminder moves what follows, so nobody has less time. */
export const daysBefore = (step: number): number => (requestDays[step] ?? 0) - (requestDays[step - 1] ?? 0);

/** The day from which withdrawals wait, if each reminder that is due is sent on its day. */
const waitsFrom = ({ askedAt, remindedAt, reminders }: RequestRow): Date => {
  const day = sellerReminderDays.slice(0, reminders).at(-1) ?? 0;
  return addMs(remindedAt ?? askedAt, (sellerWaitDays - day) * dayMs);
};

/** True once withdrawals wait: after both reminders, and not before the day that they named. */
const isWaiting = (request: RequestRow, now: Date): boolean =>
  request.reminders >= sellerReminderDays.length && waitsFrom(request) <= now;

/**
 * Requires the details that the law has us collect before a worker's money is paid out, once they were asked
 * and reminded twice (annex V, IV.A.2). The money stays on the balance.
 * @throws payout/details-missing
 */
export async function requireSellerDetails(
  db: Db,
  scope: ClockConfigScope,
  accountId: string,
): Promise<void> {
  if ((await findSellerRequest(db, scope, accountId))?.isWaiting)
    throw new AppError('payout/details-missing');
}

/** The open request for a worker's details; null if none is missing, or no law asks for them any more. */
export async function findSellerRequest(
  db: Db,
  { clock, config }: ClockConfigScope,
  accountId: string,
): Promise<SellerRequest | null> {
  const row = reporterOf({ config }) ? await findRequest(db, accountId) : undefined;
  return row
    ? {
        askedAt: row.askedAt.toISOString(),
        waitsFrom: waitsFrom(row).toISOString(),
        isWaiting: isWaiting(row, clock.now()),
      }
    : null;
}

/** Returns the caller's details, the open request for them, and their pay by quarter. */
export async function viewMine(db: Db, scope: Scope): Promise<SellerView> {
  const { accountId } = scope.actor;
  const { rows } = await sql<SellerDetails>`
    select first_name, last_name, born_on::text, street, postcode, town, country_code, tax_number
    from seller_details where account_id = ${accountId}`.execute(db);
  const reporter = reporterOf(scope);
  const years = reporter ? await findYears(db, accountId, reporter.company.timeZone) : [];
  return {
    law: reporter && {
      storedYears: reporter.law.storedYears,
      countryCode: reporter.company.countryCode,
      reportBy: reporter.law.reportBy,
    },
    details: rows[0] ?? null,
    request: await findSellerRequest(db, scope, accountId),
    years: await withSent(db, accountId, years),
  };
}

/**
 * The years of a worker. Where the tax office got a report, it has what that says, also if nothing is left of it; or
 * that it is without them.
 */
async function withSent(db: Db, accountId: string, years: readonly SellerYear[]): Promise<SellerYear[]> {
  const reports = await db
    .selectFrom('seller_reports')
    .select((eb) => ['year', eb.fn.max('sentAt').as('sentAt')])
    .where('sentAt', 'is not', null)
    .groupBy('year')
    .execute();
  const sentYears = (await findSentRows(db, { accountId })).map(({ year, sentAt, currency, content }) => ({
    year,
    currency,
    quarters: content.quarters,
    sentAt: sentAt?.toISOString() ?? null,
    isOmitted: false,
  }));
  const unsentYears = years
    .filter(
      (open) => !sentYears.some(({ year, currency }) => year === open.year && currency === open.currency),
    )
    .map((open) => {
      const sentAt = reports.find(({ year }) => year === open.year)?.sentAt?.toISOString() ?? null;
      return { ...open, sentAt, isOmitted: sentAt !== null };
    });
  return newestFirst([...sentYears, ...unsentYears]);
}

/**
 * Saves the caller's details, which ends the request for them. A report that was made keeps the older ones.
 * @throws invoice/nothing-to-report where no law asks for them
 */
export async function saveSellerDetails(tx: Tx, scope: Scope, input: SellerDetails): Promise<SellerView> {
  if (!reporterOf(scope)) throw new AppError('invoice/nothing-to-report');
  const { accountId } = scope.actor;
  const now = scope.clock.now();
  const issues = sellerProblems(input, now);
  if (issues.length > 0) throw new AppError('request/invalid', { issues });
  const row = {
    ...input,
    postcode: input.postcode.toUpperCase(),
    taxNumber: withoutSeparators(input.taxNumber),
    updatedAt: now,
  };
  await tx
    .insertInto('seller_details')
    .values({ accountId, ...row })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
  await tx
    .updateTable('seller_requests')
    .set({ answeredAt: now })
    .where('accountId', '=', accountId)
    .where('answeredAt', 'is', null)
    .execute();
  return viewMine(tx, scope);
}

/** The start of last year, or of this year once last year's report was sent. */
async function unreportedSince(db: Db, { company }: Reporter, now: Date): Promise<Date> {
  const year = Number(dayIn(company.timeZone, now).slice(0, 4));
  const sentReports = await db
    .selectFrom('seller_reports')
    .select('id')
    .where('year', '=', year - 1)
    .where('sentAt', 'is not', null)
    .executeTakeFirst();
  // A zone is at most a day from UTC.
  return new Date(Date.UTC(sentReports ? year - 1 : year - 2, 11, 31));
}

export type DailyScope = Pick<TaskScope, 'db' | 'clock' | 'config' | 'log'>;

/**
 * Asks workers with reportable pay for missing details, reminds them twice, and notifies them when
 * withdrawals wait. Each worker has a separate transaction.
 */
export async function askSellers(scope: DailyScope): Promise<void> {
  const { db, clock } = scope;
  const reporter = reporterOf(scope);
  if (!reporter) return;
  const now = clock.now();
  const recent = payBetween(await unreportedSince(db, reporter, now), now);
  const { rows: unasked } = await sql<{ accountId: string }>`
    select distinct account_id from (${reportablePay(recent, reporter.company.timeZone)}) pay
    where not exists (select from seller_details details where details.account_id = pay.account_id)
      and not exists (select from seller_requests request where request.account_id = pay.account_id)
      and not ${isLeavingOrGone(sql`pay.account_id`)}`.execute(db);
  for (const { accountId } of unasked)
    await inTransaction(scope, accountId, async (tx) => {
      await tx
        .insertInto('seller_requests')
        .values({ accountId, askedAt: now, reminders: 0 })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await notifySeller(tx, scope, { accountId, request: { askedAt: now, remindedAt: null, reminders: 0 } });
    });
  for (const reminders of [2, 1, 0]) {
    const step = reminders + 1;
    const dueRequests = await db
      .selectFrom('seller_requests')
      .select(['accountId', 'askedAt', 'remindedAt'])
      .where('answeredAt', 'is', null)
      .where('reminders', '=', reminders)
      .where(sql<boolean>`coalesce(reminded_at, asked_at) <= ${subtractMs(now, daysBefore(step) * dayMs)}`)
      .execute();
    for (const row of dueRequests)
      await inTransaction(scope, row.accountId, async (tx) => {
        const remindedAt = step > sellerReminderDays.length ? row.remindedAt : now;
        const { numUpdatedRows } = await tx
          .updateTable('seller_requests')
          .set({ reminders: step, remindedAt })
          .where('accountId', '=', row.accountId)
          .where('answeredAt', 'is', null)
          .where('reminders', '=', reminders)
          .executeTakeFirst();
        if (numUpdatedRows === 1n)
          await notifySeller(tx, scope, {
            accountId: row.accountId,
            request: { askedAt: row.askedAt, remindedAt, reminders: step },
          });
      });
  }
}

const inTransaction = (
  { db, log }: Pick<DailyScope, 'db' | 'log'>,
  accountId: string,
  run: (tx: Tx) => Promise<void>,
): Promise<void> =>
  db
    .transaction()
    .execute(run)
    .catch((error: unknown) =>
      log.error({ err: error, accountId }, 'a worker was not asked for tax details'),
    );

const notifySeller = (
  tx: Tx,
  scope: ClockScope,
  { accountId, request }: { accountId: string; request: RequestRow },
): Promise<void> =>
  notify(tx, scope, {
    accountId,
    topic: 'seller-details-needed',
    path: taxOfficePath,
    dedupeKey: `seller-details-needed/${accountId}/${request.askedAt.getTime()}/${request.reminders}`,
    data: {
      variant: request.reminders > sellerReminderDays.length ? 'waiting' : 'asked',
      by: waitsFrom(request).toISOString().slice(0, 10),
      side: 'worker',
    },
  });

/**
 * Removes the details of an account that is being removed, unless it has reportable pay: then the law has us store
 * them for some years, and `purgeSellers` deletes them after that.
 */
export async function eraseSellerDetails(tx: Tx, scope: ConfigScope, accountId: string): Promise<void> {
  await tx.deleteFrom('seller_requests').where('accountId', '=', accountId).execute();
  const reporter = reporterOf(scope);
  const [last] = reporter ? await findYears(tx, accountId, reporter.company.timeZone) : [];
  if (!reporter || !last) {
    await tx.deleteFrom('seller_details').where('accountId', '=', accountId).execute();
    return;
  }
  await sql`update seller_details set stored_until = make_date(${last.year + reporter.law.storedYears}, 12, 31)
    where account_id = ${accountId}`.execute(tx);
}

/** Deletes details of removed accounts, and reports, that the law no longer has us store. */
export async function purgeSellers({
  db,
  clock,
  config,
}: Pick<TaskScope, 'db' | 'clock' | 'config'>): Promise<void> {
  const today = dayIn('UTC', clock.now());
  await sql`delete from seller_details where stored_until < ${today}::date`.execute(db);
  const reporter = reporterOf({ config });
  if (reporter)
    await db
      .deleteFrom('seller_reports')
      .where('year', '<', Number(today.slice(0, 4)) - reporter.law.storedYears)
      .execute();
}
