import type { Currency } from '@nearhand/contract/currencies';
import type { businessGroups, workerGroups } from '@nearhand/contract/money/statement-groups.rules';
import { type StatementDetail, type StatementLine, statements } from '@nearhand/contract/money/statements';
import { sql } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { entryLines } from '../ledger/ledger-history.ts';
import { carryTask, checkCarried, checkTask, runCarrying } from './balance-rollup.ts';
import { paidMinutes } from './spend.ts';
import { findLine, findLines } from './statement-export.ts';
import {
  type Account,
  businessAccount,
  type Days,
  spanOf,
  sumTotals,
  workerAccount,
} from './statement-span.ts';
import { myYear } from './statement-year.ts';
import { kindsOf, lineOf, partsOf } from './statements.rules.ts';

type Group = (typeof workerGroups)[number] | (typeof businessGroups)[number];
type Filter = Days & { group: Group; currency?: Currency | undefined };
type Paging = { cursor?: string | undefined; limit: number };

/** Ids sort by time, and no two lines share one. */
const lineCursor = z.tuple([z.uuid()]);

async function pageOf(db: Db, account: Account, filter: Filter & Paging) {
  const { holder, currency } = account;
  const span = spanOf(account.timeZone, filter);
  const after = decodeCursor(filter.cursor, lineCursor)?.[0];
  const rows = await findLines(db, holder, {
    currency,
    span: after !== undefined && after < span.before ? { ...span, before: after } : span,
    kinds: kindsOf(filter.group),
    withFee: filter.group === 'fees',
    order: 'newest',
    limit: filter.limit + 1,
  });
  const { items, nextCursor } = cutPage(rows, filter.limit, (row) => [row.entryId]);
  const sums = await sumTotals(db, holder, currency, span);
  return {
    page: {
      items: items.map((row): StatementLine => lineOf(row, holder.side, currency)),
      nextCursor,
      currency,
      currencies: account.currencies,
      timeZone: account.timeZone,
    },
    sums,
    totals: {
      openingMinor: sums.opening,
      inMinor: sums.came,
      outMinor: sums.went,
      closingMinor: sums.closing,
    },
  };
}

/**
 * The caller's own statement: pending, available and reserved money as one balance, newest first, with the period's totals over all
 * groups. Minor units.
 * @throws request/bad-cursor, request/invalid for a period that ends before it begins
 */
export async function myStatement(
  db: Db,
  { actor }: Scope,
  input: Filter & Paging & { group: (typeof workerGroups)[number] },
) {
  const account = await workerAccount(db, actor.accountId, input.currency);
  const { page, totals, sums } = await pageOf(db, account, input);
  return {
    ...page,
    totals: {
      ...totals,
      earnedMinor: sums.earned,
      tipsMinor: sums.tips,
      feesMinor: sums.fees,
      withdrawnMinor: sums.withdrawn,
    },
  };
}

/**
 * A business's statement, for its owners, managers and finance: its balance line by line, and what its holds paid. `heldMinor` and
 * `balanceMinor` are as of the period's end; minor units.
 * @throws business/not-found, business/not-allowed, request/bad-cursor, request/invalid
 */
async function businessStatement(
  db: Db,
  { actor }: Scope,
  input: Filter & Paging & { businessId: string; group: (typeof businessGroups)[number] },
) {
  const account = await businessAccount(db, input.businessId, actor.accountId, input.currency);
  const { page, totals, sums } = await pageOf(db, account, input);
  return {
    ...page,
    totals: {
      ...totals,
      balanceMinor: sums.closing,
      heldMinor: sums.held,
      paidMinor: sums.earned + sums.tips,
      feesMinor: sums.fees,
    },
  };
}

/** One line of the caller's own statement. @throws statement/not-found */
async function myLine(db: Db, { actor }: Scope, { entryId }: { entryId: string }): Promise<StatementDetail> {
  return detail(db, await workerAccount(db, actor.accountId), entryId);
}

/** One line of a business's statement. @throws business/not-found, business/not-allowed, statement/not-found */
async function businessLine(
  db: Db,
  { actor }: Scope,
  { businessId, entryId }: { businessId: string; entryId: string },
): Promise<StatementDetail> {
  return detail(db, await businessAccount(db, businessId, actor.accountId), entryId);
}

async function detail(db: Db, { holder }: Account, entryId: string): Promise<StatementDetail> {
  const entry = await entryLines(db, entryId);
  const row = entry && (await findLine(db, holder, { currency: entry.currency, entryId }));
  if (!row) throw new AppError('statement/not-found');
  const evidence = await findEvidence(db, row.engagementId, entryId);
  const lines = entry.lines.map(({ account, amountMinor }) => ({ kind: account.kind, amountMinor }));
  return {
    ...lineOf(row, holder.side, entry.currency),
    parts: partsOf(row, lines, holder.side),
    evidence: {
      startsAt: evidence?.startsAt?.toISOString() ?? null,
      endsAt: evidence?.endsAt?.toISOString() ?? null,
      checkedInAt: evidence?.checkedInAt?.toISOString() ?? null,
      checkedOutAt: evidence?.checkedOutAt?.toISOString() ?? null,
      paidMinutes: evidence?.paidMinutes ?? null,
      approvedAt: evidence?.approvedAt?.toISOString() ?? null,
      approvedBy: evidence?.approvedBy ?? null,
      timeZone: evidence?.timeZone ?? null,
    },
    // Documents belong to the business; nobody else can open one.
    documentId: holder.side === 'business' ? (evidence?.documentId ?? null) : null,
  };
}

type EvidenceRow = {
  startsAt: Date | null;
  endsAt: Date | null;
  checkedInAt: Date | null;
  checkedOutAt: Date | null;
  /** What the entry paid for; for an entry that pays no hours, what was agreed so far; null for a task. */
  paidMinutes: number | null;
  approvedAt: Date | null;
  approvedBy: string | null;
  timeZone: string;
  documentId: string | null;
};

/** The evidence of an engagement's entry, and its document. */
async function findEvidence(
  db: Db,
  engagementId: string | null,
  entryId: string,
): Promise<EvidenceRow | undefined> {
  if (engagementId === null) return undefined;
  const { rows } = await sql<EvidenceRow>`
    select engagement.starts_at, engagement.ends_at, engagement.checked_in_at, engagement.checked_out_at,
      case when engagement.kind <> 'shift' then null
        when release.id is not null then ${paidMinutes}
        else (select paid_minutes from hours_claims where engagement_id = engagement.id order by at desc, id desc limit 1)
      end as paid_minutes,
      engagement.approved_at, approver.name as approved_by, engagement.terms ->> 'timeZone' as time_zone,
      document.id as document_id
    from engagements engagement
    left join ledger_entries entry on entry.id = ${entryId}
    left join releases release on release.id = entry.about
    left join invoices document on document.entry_id = ${entryId}
    left join lateral (
      select actor from engagement_moves where engagement_id = engagement.id and to_status = 'approved'
      order by at desc, id desc limit 1) move on true
    left join accounts approver
      on approver.id = case when move.actor ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then move.actor::uuid end
    where engagement.id = ${engagementId}`.execute(db);
  return rows[0];
}

export const statementsTasks = [
  defineTask({ ...carryTask, queue: 'housekeeping', run: runCarrying }),
  defineTask({ ...checkTask, daily: true, run: checkCarried }),
];

export const statementsRoutes = {
  mine: read(statements.mine, myStatement),
  line: read(statements.line, myLine),
  forBusiness: read(statements.forBusiness, businessStatement),
  businessLine: read(statements.businessLine, businessLine),
  year: read(statements.year, myYear),
};
