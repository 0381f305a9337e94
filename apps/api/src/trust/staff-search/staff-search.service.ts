import { currencies } from '@nearhand/contract/currencies';
import type { LedgerEntry } from '@nearhand/contract/money/corrections';
import type { Found, FoundRecord } from '@nearhand/contract/trust/staff-search';
import { type FoundKind, isRecordId, searchLimits } from '@nearhand/contract/trust/staff-search.rules';
import { z } from 'zod';
import { viewEntry } from '../../money/corrections/corrections.service.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import { cutPage, decodeCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { viewSanction } from '../sanctions/sanction-views.service.ts';
import { findEarlier } from '../sanctions/sanctions.service.ts';
import {
  type FoundRow,
  findDetails,
  findEntryIds,
  findRecord,
  findRecords,
  findRelated,
} from './staff-search.sql.ts';

const cursor = z.tuple([z.uuid()]);
type Paging = { cursor?: string | undefined; limit: number };

/** For operators: records by id, name or email, newest first. @throws request/bad-cursor */
export async function findForStaff(
  db: Db,
  _scope: Scope,
  input: { kind: FoundKind; words: string } & Paging,
): Promise<{ items: Found[]; nextCursor: string | null }> {
  const before = decodeCursor(input.cursor, cursor)?.[0] ?? null;
  const { kind, words, limit } = input;
  const recordId = isRecordId(words) ? words.toLowerCase() : null;
  const rows = await findRecords(db, kind, { words, recordId }, { before, limit: limit + 1 });
  const page = cutPage(rows, limit, ({ id }) => [id]);
  return { items: page.items.map(viewFound), nextCursor: page.nextCursor };
}

/** For operators: a record with what belongs to it, and decisions about it. @throws search/not-found */
export async function recordForStaff(
  db: Db,
  { clock }: Scope,
  { kind, id }: { kind: FoundKind; id: string },
): Promise<FoundRecord> {
  const row = await findRecord(db, kind, id);
  if (!row) throw new AppError('search/not-found');
  const target = kind === 'person' ? 'account' : kind;
  const decisions =
    target === 'engagement' ? [] : await findEarlier(db, { kind: target, id }, searchLimits.related);
  const related = await findRelated(db, kind, id, searchLimits.related);
  return {
    item: viewFound(row),
    details: await findDetails(db, kind, id),
    related: related.map(viewFound),
    sanctions: decisions.map((decision) => viewSanction(decision, clock.now())),
  };
}

/** For operators with the role: ledger entries of a record, newest first. @throws request/bad-cursor */
export async function entriesForStaff(
  db: Db,
  _scope: Scope,
  input: { recordId: string } & Paging,
): Promise<{ items: LedgerEntry[]; nextCursor: string | null }> {
  const before = decodeCursor(input.cursor, cursor)?.[0] ?? null;
  const ids = await findEntryIds(db, input.recordId, currencies, { before, limit: input.limit + 1 });
  const page = cutPage(ids, input.limit, (id) => [id]);
  const items: LedgerEntry[] = [];
  for (const id of page.items) {
    const entry = await viewEntry(db, id);
    if (entry) items.push(entry);
  }
  return { items, nextCursor: page.nextCursor };
}

const viewFound = ({ created_at, ...row }: FoundRow): Found => ({
  ...row,
  createdAt: created_at.toISOString(),
});
