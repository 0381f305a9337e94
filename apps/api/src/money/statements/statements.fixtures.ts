import { setTimeout } from 'node:timers/promises';
import type { Currency } from '@nearhand/contract/currencies';
import { addMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { Sign } from '../../platform/sign.ts';
import { makeEntry } from '../ledger/ledger.fixtures.ts';
import type { EntryLine, LedgerAccount } from '../ledger/ledger.rules.ts';
import type { NewEntry } from '../ledger/ledger.ts';
import { carryOn } from './balance-rollup.ts';

export type Books = { db: Db; sign: Sign; businessId: string; jobId: string; currency?: Currency };

const clearing: LedgerAccount = { kind: 'provider_clearing' };
const fees: LedgerAccount = { kind: 'platform_fees' };
const line = (account: LedgerAccount, amountMinor: number): EntryLine => ({ account, amountMinor });

/** Materializes all entries, waiting for older transactions of the cluster, which other test files share (ADR 64). */
export async function carryAll(db: Db, size?: number): Promise<void> {
  for (;;) {
    await carryOn(db, size);
    const { rows } = await sql<{ some: boolean }>`
      select exists (select from statement_uncarried()) as some`.execute(db);
    if (!rows[0]?.some) return;
    await setTimeout(50);
  }
}

async function entryAt(
  { db, sign, currency = 'EUR' }: Omit<Books, 'businessId' | 'jobId'>,
  at: Date,
  entry: Pick<NewEntry, 'kind'> & Partial<NewEntry> & { lines: EntryLine[] },
): Promise<string> {
  const scope = { clock: { now: () => at }, sign };
  const { lines, ...options } = { currency, ...entry };
  const posted = await makeEntry(
    db,
    scope,
    lines.filter(({ amountMinor }) => amountMinor !== 0),
    options,
  );
  return posted.entryId;
}

export async function makeTopUp(
  books: Books,
  at: Date,
  amountMinor: number,
  cardName = 'Visa',
): Promise<string> {
  const { db, businessId, currency = 'EUR' } = books;
  const cardId = newId(at);
  const chargeId = newId(at);
  const owner = sql`(select account_id from business_members where business_id = ${businessId} and role = 'owner' limit 1)`;
  await sql`insert into cards (id, business_id, provider_ref, brand, last4, expires_month, expires_year, added_by, added_at)
    values (${cardId}, ${businessId}, ${cardId}, ${cardName}, '8820', 12, 2030, ${owner}, ${at})`.execute(db);
  await sql`insert into charges (id, business_id, card_id, purpose, status, amount_minor, currency, description, return_path, landed, created_at, updated_at)
    values (${chargeId}, ${businessId}, ${cardId}, 'top_up', 'succeeded', ${amountMinor}, ${currency}, 'Top-up', '/', 'balance', ${at}, ${at})`.execute(
    db,
  );
  const lines = [
    line(clearing, -amountMinor),
    line({ kind: 'business_balance', ownerId: businessId }, amountMinor),
  ];
  return entryAt(books, at, { kind: 'top_up', key: `top-up/${chargeId}`, about: chargeId, lines });
}

export type Work = {
  engagementId: string;
  holdId: string;
  workerId: string;
  payMinor: number;
  feeMinor: number;
};

export async function makeHeldWork(
  books: Books,
  at: Date,
  request: {
    workerId: string;
    payMinor: number;
    feeMinor?: number;
    minutes?: number;
    kind?: 'shift' | 'task';
    title?: string;
    by?: 'balance' | 'card';
    zone?: string;
  },
): Promise<Work> {
  const { db, businessId, jobId, currency = 'EUR' } = books;
  const { workerId, payMinor, kind = 'shift', by = 'balance', zone = 'Europe/Amsterdam' } = request;
  const { feeMinor = Math.round(payMinor / 10), minutes = 480, title = 'Weekend barista' } = request;
  const applicationId = newId(at);
  const offerId = newId(at);
  const engagementId = newId(at);
  const holdId = newId(at);
  const fees = { businessFeeBasisPoints: 1_000, feeVersion: 3 };
  const terms = JSON.stringify({ title, kind, currency, timeZone: zone, ...fees });
  const ends = kind === 'shift' ? addMs(at, 60_000) : null;
  const start = kind === 'shift' ? at : null;
  await sql`insert into applications (id, job_id, business_id, worker_id, status, submitted_at, decide_by, updated_at)
    values (${applicationId}, ${jobId}, ${businessId}, ${workerId}, 'withdrawn', ${at}, ${at}, ${at})`.execute(
    db,
  );
  await sql`insert into offers (id, application_id, job_id, business_id, worker_id, status, source, terms, funding, expires_at, created_at, updated_at)
    values (${offerId}, ${applicationId}, ${jobId}, ${businessId}, ${workerId}, 'accepted', 'business', ${terms}::jsonb, 'funded', ${at}, ${at}, ${at})`.execute(
    db,
  );
  await sql`insert into engagements (id, offer_id, application_id, job_id, business_id, worker_id, kind, status, terms, funding, starts_at, ends_at,
      checked_in_at, checked_out_at, amount_minor, approved_at, created_at, updated_at)
    values (${engagementId}, ${offerId}, ${applicationId}, ${jobId}, ${businessId}, ${workerId}, ${kind}, 'completed', ${terms}::jsonb, 'funded',
      ${start}, ${ends}, ${start}, ${ends}, ${payMinor}, ${at}, ${at}, ${at})`.execute(db);
  if (kind === 'shift')
    await sql`insert into hours_claims (id, engagement_id, round, by_side, starts_at, ends_at, break_minutes, paid_minutes, amount_minor, at)
      values (${newId(at)}, ${engagementId}, 1, 'worker', ${start}, ${ends}, 0, ${minutes}, ${payMinor}, ${at})`.execute(
      db,
    );
  await sql`insert into holds (id, business_id, job_id, offer_id, engagement_id, status, currency, pay_minor, fee_minor, business_fee_basis_points,
      worker_fee_basis_points, source, work_on, created_at, updated_at)
    values (${holdId}, ${businessId}, ${jobId}, ${offerId}, ${engagementId}, 'held', ${currency}, ${payMinor}, ${feeMinor}, 1000, 0, ${by}, ${at}::timestamptz::date, ${at}, ${at})`.execute(
    db,
  );
  const from: LedgerAccount = by === 'card' ? clearing : { kind: 'business_balance', ownerId: businessId };
  const totalMinor = payMinor + feeMinor;
  const lines = [line(from, -totalMinor), line({ kind: 'hold', ownerId: holdId }, totalMinor)];
  await entryAt(books, at, { kind: 'fund', key: `fund/${holdId}`, about: holdId, lines });
  return { engagementId, holdId, workerId, payMinor, feeMinor };
}

export async function makeRelease(
  books: Books,
  at: Date,
  work: Work,
  request: {
    amountMinor?: number;
    feeMinor?: number;
    workerFeeMinor?: number;
    kind?: 'rest' | 'undisputed' | 'compensation';
    clearsAt?: Date;
  } = {},
): Promise<string> {
  const { db, currency = 'EUR' } = books;
  const {
    amountMinor = work.payMinor,
    feeMinor = work.feeMinor,
    workerFeeMinor = 0,
    kind = 'rest',
  } = request;
  const id = newId(at);
  await sql`insert into releases (id, engagement_id, kind, amount_minor, fee_minor, worker_fee_minor, currency, state, at, released_at)
    values (${id}, ${work.engagementId}, ${kind}, ${amountMinor}, ${feeMinor}, ${workerFeeMinor}, ${currency}, 'released', ${at}, ${at})`.execute(
    db,
  );
  if (request.clearsAt)
    await sql`insert into clearings (id, account_id, amount_minor, currency, clears_at)
      values (${id}, ${work.workerId}, ${amountMinor - workerFeeMinor}, ${currency}, ${request.clearsAt})`.execute(
      db,
    );
  const into = request.clearsAt ? 'worker_pending' : 'worker_available';
  return entryAt(books, at, {
    kind: kind === 'compensation' ? 'compensation' : 'release',
    key: `release/${id}`,
    about: id,
    lines: [
      line({ kind: 'hold', ownerId: work.holdId }, -(amountMinor + feeMinor)),
      line({ kind: into, ownerId: work.workerId }, amountMinor - workerFeeMinor),
      line(fees, feeMinor + workerFeeMinor),
    ],
  });
}

export async function makeReturn(books: Books, at: Date, work: Work, amountMinor: number): Promise<string> {
  const lines = [
    line({ kind: 'hold', ownerId: work.holdId }, -amountMinor),
    line({ kind: 'business_balance', ownerId: books.businessId }, amountMinor),
  ];
  await sql`update holds set status = 'released' where id = ${work.holdId}`.execute(books.db);
  return entryAt(books, at, { kind: 'hold_returned', about: work.holdId, lines });
}

export async function makeTip(
  books: Books,
  at: Date,
  work: Work,
  amountMinor: number,
  { by = 'balance', kind = 'tip' }: { by?: 'balance' | 'card'; kind?: 'tip' | 'bonus' } = {},
): Promise<string> {
  const { db, businessId, currency = 'EUR' } = books;
  const id = newId(at);
  await sql`insert into tips (id, engagement_id, business_id, worker_id, kind, amount_minor, currency, status, given_by, at)
    values (${id}, ${work.engagementId}, ${businessId}, ${work.workerId}, ${kind}, ${amountMinor}, ${currency}, 'paid',
      (select account_id from business_members where business_id = ${businessId} limit 1), ${at})`.execute(
    db,
  );
  const from: LedgerAccount = by === 'card' ? clearing : { kind: 'business_balance', ownerId: businessId };
  const lines = [
    line(from, -amountMinor),
    line({ kind: 'worker_available', ownerId: work.workerId }, amountMinor),
  ];
  return entryAt(books, at, { kind, key: `tip/${id}`, about: id, lines });
}

export async function makeWithdrawal(
  books: Omit<Books, 'businessId' | 'jobId'>,
  at: Date,
  request: {
    workerId: string;
    amountMinor: number;
    feeMinor?: number;
    status?: 'requested' | 'in_transit' | 'paid';
  },
): Promise<{ withdrawalId: string; reserve: string; paid: string | null }> {
  const { db, currency = 'EUR' } = books;
  const { workerId, amountMinor, feeMinor = 0, status = 'paid' } = request;
  const methodId = newId(at);
  const withdrawalId = newId(at);
  const reserved: LedgerAccount = { kind: 'worker_reserved', ownerId: workerId };
  const reserve = await entryAt(books, at, {
    kind: 'reserve',
    key: `reserve/${withdrawalId}`,
    about: withdrawalId,
    lines: [line({ kind: 'worker_available', ownerId: workerId }, -amountMinor), line(reserved, amountMinor)],
  });
  const paid =
    status === 'paid'
      ? await entryAt(books, addMs(at, 1_000), {
          kind: 'paid_out',
          key: `paid/${withdrawalId}`,
          about: withdrawalId,
          lines: [line(reserved, -amountMinor), line(clearing, amountMinor - feeMinor), line(fees, feeMinor)],
        })
      : null;
  await sql`insert into payout_methods (id, account_id, provider_ref, bank_name, last4, holder_name, country, currency, instant, usable_from, added_at)
    values (${methodId}, ${workerId}, ${methodId}, 'bunq', '4417', 'L Haddad', 'NL', ${currency}, true, ${at}, ${at})`.execute(
    db,
  );
  await sql`insert into withdrawals (id, account_id, method_id, status, amount_minor, fee_minor, currency, speed, requested_at, updated_at, reserve_entry, paid_entry)
    values (${withdrawalId}, ${workerId}, ${methodId}, ${status}, ${amountMinor}, ${feeMinor}, ${currency}, 'standard', ${at}, ${at}, ${reserve}, ${paid})`.execute(
    db,
  );
  return { withdrawalId, reserve, paid };
}
