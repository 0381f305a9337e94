import { roughDistanceM } from '@nearhand/contract/hiring/home-distance.rules';
import { cleanTags } from '@nearhand/contract/hiring/jobs.rules';
import type { ApplicantNote } from '@nearhand/contract/hiring/pipeline';
import type { SavedState, SavedWorker } from '@nearhand/contract/hiring/pools';
import type { Page, PageInput } from '@nearhand/contract/operation';
import { sql } from 'kysely';
import { nameWordsOf } from '../../people/accounts/accounts.columns.ts';
import { requireWholeRecruiter } from '../../people/businesses/businesses.ts';
import { workersById } from '../../people/profiles/profiles.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { andBefore, cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { newId } from '../../platform/ids.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { emitOfBusiness } from '../../platform/realtime/publish-records.ts';
import { measureWorkers } from '../reliability/reliability.ts';
import { findPool, findSavedState, findSavedWorkers, replaceSavedTags, requireKnown } from './pools.ts';

type SavedNoteRow = { id: string; text: string; authorId: string; authorName: string; at: Date };
type SavedWorkerRef = { businessId: string; workerId: string };

async function findSavedNotes(
  db: Db,
  saved: SavedWorkerRef,
  after: readonly [string, string] | null,
  limit: number,
): Promise<SavedNoteRow[]> {
  const { rows } = await sql<SavedNoteRow>`
    select note.id, note.text, note.author_id, author.name as author_name, note.at
    from saved_worker_notes note join accounts author on author.id = note.author_id
    where note.business_id = ${saved.businessId} and note.worker_id = ${saved.workerId}
      ${andBefore(sql`note.at, note.id`, after)}
    order by note.at desc, note.id desc limit ${limit}`.execute(db);
  return rows;
}

async function insertSavedNote(
  tx: Tx,
  row: SavedWorkerRef & { id: string; authorId: string; text: string; at: Date },
): Promise<string> {
  const { rows } = await sql<{ businessId: string; name: string }>`
    with written as (insert into saved_worker_notes (id, business_id, worker_id, author_id, text, at)
      values (${row.id}, ${row.businessId}, ${row.workerId}, ${row.authorId}, ${row.text}, ${row.at})
      returning business_id, author_id)
    select written.business_id, account.name from written join accounts account on account.id = written.author_id`.execute(
    tx,
  );
  emitOfBusiness(tx, 'pool', rows[0]);
  return rows[0]?.name ?? '';
}

async function deleteSavedNote(tx: Tx, noteId: string, authorId: string): Promise<boolean> {
  const { rows } = await sql<{ businessId: string }>`
    delete from saved_worker_notes note using business_members member
    where note.id = ${noteId} and note.author_id = ${authorId} and member.business_id = note.business_id
      and member.account_id = note.author_id and member.role in ${recruiters} and member.branch_ids is null
    returning note.business_id`.execute(tx);
  emitOfBusiness(tx, 'pool', rows[0]);
  return rows.length === 1;
}

/** Part of account removal: the person leaves every pool, with tags and notes about them. */
export async function eraseSavedWorker(tx: Tx, member: FormerMember): Promise<void> {
  const { accountId } = member;
  const { rows } = await sql<{ businessId: string }>`with gone as (
      delete from pool_workers where worker_id = ${accountId} returning business_id)
    select distinct business_id from gone`.execute(tx);
  for (const table of ['saved_workers', 'saved_worker_tags', 'saved_worker_notes'] as const)
    await tx.deleteFrom(table).where('workerId', '=', accountId).execute();
  await sql`update saved_worker_notes set text = ${withoutWords('text', member)} where author_id = ${accountId}`.execute(
    tx,
  );
  for (const row of rows) emitOfBusiness(tx, 'pool', row);
}

async function requireWorker(db: Db, scope: Scope, { businessId, workerId }: SavedWorkerRef): Promise<void> {
  await requireWholeRecruiter(db, scope.actor, businessId);
  await requireKnown(db, businessId, [workerId]);
}

/** Lists saved workers. For recruiters. */
export async function listSavedWorkers(
  db: Db,
  scope: Scope,
  input: {
    businessId: string;
    poolId?: string;
    q?: string;
    tag?: string;
    cursor?: string;
    limit: number;
  },
): Promise<Page<SavedWorker>> {
  const { businessId, poolId = null } = input;
  await requireWholeRecruiter(db, scope.actor, businessId);
  if (poolId !== null && (await findPool(db, poolId, scope.actor.accountId))?.businessId !== businessId)
    throw new AppError('pool/not-found');
  const rows = await findSavedWorkers(db, businessId, {
    poolId,
    nameWords: nameWordsOf(input.q),
    tag: input.tag ?? null,
    after: decodeCursor(input.cursor, newestCursor),
    limit: input.limit + 1,
  });
  const page = cutPage(rows, input.limit, (row) => [row.savedAt.toISOString(), row.workerId]);
  const ids = page.items.map((row) => row.workerId);
  const cards = await workersById(db, ids);
  const reliability = await measureWorkers(db, ids, scope.clock.now(), scope.config);
  const items = page.items.flatMap((row) => {
    const profile = cards.get(row.workerId);
    const figures = reliability.get(row.workerId);
    if (!profile || !figures) return [];
    const { card: worker, home } = profile;
    return [
      {
        ...row,
        worker,
        savedAt: row.savedAt.toISOString(),
        timesWorked: row.timesWorked,
        lastWorkedAt: row.lastWorkedAt?.toISOString() ?? null,
        distanceM: home && roughDistanceM(home, { lat: row.businessLat, lng: row.businessLng }),
        reliability: figures,
      },
    ];
  });
  return { items, nextCursor: page.nextCursor };
}

/** Returns a worker's pools and tags. */
export async function savedStateOf(db: Db, scope: Scope, ref: SavedWorkerRef): Promise<SavedState> {
  await requireWorker(db, scope, ref);
  return findSavedState(db, ref.businessId, ref.workerId);
}

/** Replaces the tags of a saved worker. */
export async function setSavedTags(
  tx: Tx,
  scope: Scope,
  { tags, ...ref }: SavedWorkerRef & { tags: string[] },
): Promise<SavedState> {
  await requireWorker(tx, scope, ref);
  await replaceSavedTags(tx, ref, cleanTags(tags));
  return findSavedState(tx, ref.businessId, ref.workerId);
}

/** Lists notes about a worker, newest first. For recruiters. */
export async function listSavedNotes(
  db: Db,
  scope: Scope,
  { cursor, limit, ...ref }: SavedWorkerRef & PageInput,
): Promise<Page<ApplicantNote>> {
  await requireWorker(db, scope, ref);
  const rows = await findSavedNotes(db, ref, decodeCursor(cursor, newestCursor), limit + 1);
  const page = cutPage(rows, limit, (row) => [row.at.toISOString(), row.id]);
  return {
    items: page.items.map((row) => ({
      id: row.id,
      text: row.text,
      author: { id: row.authorId, name: row.authorName },
      at: row.at.toISOString(),
      own: row.authorId === scope.actor.accountId,
    })),
    nextCursor: page.nextCursor,
  };
}

/** Adds a note about a worker. For recruiters. */
export async function addSavedNote(
  tx: Tx,
  scope: Scope,
  { text, ...ref }: SavedWorkerRef & { text: string },
): Promise<ApplicantNote> {
  const { accountId } = scope.actor;
  await requireWorker(tx, scope, ref);
  const at = scope.clock.now();
  const id = newId(at);
  const name = await insertSavedNote(tx, { ...ref, id, authorId: accountId, text, at });
  return { id, text, author: { id: accountId, name }, at: at.toISOString(), own: true };
}

/** Deletes one of the caller's notes while they are a recruiter. */
export async function removeSavedNote(
  tx: Tx,
  { actor }: Scope,
  { noteId }: { noteId: string },
): Promise<{ deleted: true }> {
  if (!(await deleteSavedNote(tx, noteId, actor.accountId))) throw new AppError('note/not-found');
  return { deleted: true };
}
