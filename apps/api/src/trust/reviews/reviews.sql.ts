import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Mover } from '@nearhand/contract/moves';
import type { Side } from '@nearhand/contract/sides';
import { nextReviewState, type ReviewAction, type ReviewTag } from '@nearhand/contract/trust/reviews.rules';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Reviews } from '../../platform/tables.gen.ts';

export type ReviewRow = Omit<Selectable<Reviews>, 'tags'> & { tags: ReviewTag[] };

export async function findSides(db: Db, engagementId: string, accountId: string) {
  const { rows } = await sql<{ workerId: string; businessId: string; role: MemberRole | null }>`
    select engagement.worker_id, engagement.business_id, (select role from job_members member
      where member.job_id = engagement.job_id and member.account_id = ${accountId}) as role
    from engagements engagement where engagement.id = ${engagementId}`.execute(db);
  return rows[0];
}

/** Locks both reviews in one order, to serialize both sides and the timer. */
export async function lockReviews(tx: Tx, engagementId: string): Promise<ReviewRow[]> {
  const rows = await tx
    .selectFrom('reviews')
    .selectAll()
    .where('engagementId', '=', engagementId)
    .orderBy('authorSide')
    .forNoKeyUpdate()
    .execute();
  return rows as ReviewRow[];
}

export async function findReview(db: Db, reviewId: string, accountId: string) {
  const { rows } = await sql<{
    engagementId: string;
    workerId: string;
    role: MemberRole | null;
    isMember: boolean;
  }>`
    select review.engagement_id, review.worker_id,
      (select role from job_members member where member.job_id = review.job_id and member.account_id = ${accountId}) as role,
      exists (select from business_members member
        where member.business_id = review.business_id and member.account_id = ${accountId}) as is_member
    from reviews review where review.id = ${reviewId}`.execute(db);
  return rows[0];
}

/** Creates the reviews that both sides may write. Returns false if they exist. */
export async function insertReviews(
  tx: Tx,
  rows: readonly (Insertable<Reviews> & { id: string; authorSide: Side })[],
): Promise<boolean> {
  const inserted = await tx
    .insertInto('reviews')
    .values([...rows])
    .onConflict((conflict) => conflict.columns(['engagementId', 'authorSide']).doNothing())
    .returning(['id', 'authorSide', 'workerId', 'businessId', 'publishedAt'])
    .execute();
  for (const row of inserted) emitReview(tx, row);
  return inserted.length > 0;
}

/**
 * Makes a move of the state table on a locked review, and logs it. Before publication only the author's side is
 * notified (ADR 171).
 * @param move.actor the account that made it, or `timer`
 * @throws if the move is illegal, or the review is no longer in the state it was read with
 */
export async function updateReview(
  tx: Tx,
  row: Pick<ReviewRow, 'id' | 'state' | 'version'>,
  move: { action: ReviewAction; mover: Mover; actor: string; reason?: string; at: Date },
  changes: Updateable<Reviews> = {},
): Promise<void> {
  const to = nextReviewState(row.state, move.action, move.mover);
  if (to === null) throw new Error(`review ${row.id} allows no ${move.action} when ${row.state}`);
  const updated = await tx
    .updateTable('reviews')
    .set({ ...changes, state: to, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .where('version', '=', row.version)
    .returning(['id', 'authorSide', 'workerId', 'businessId', 'publishedAt'])
    .executeTakeFirst();
  if (!updated) throw new Error(`review ${row.id} changed although it was locked`);
  emitReview(tx, updated);
  await tx
    .insertInto('review_moves')
    .values({
      id: newId(move.at),
      reviewId: row.id,
      actor: move.actor,
      action: move.action,
      fromState: row.state,
      toState: to,
      reason: move.reason ?? null,
      at: move.at,
    })
    .execute();
}

/** Ends the flag of a review that staff keeps; returns false if it had none. */
export async function clearFlag(tx: Tx, reviewId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('reviews')
    .set({ flaggedWords: [], flaggedAt: null })
    .where('id', '=', reviewId)
    .where('flaggedAt', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function emitReview(
  tx: Tx,
  row: { id: string; authorSide: string; workerId: string; businessId: string; publishedAt: Date | null },
): void {
  const isSeenByBoth = row.publishedAt !== null;
  emitRecord(tx, 'review', {
    id: row.id,
    workerId: isSeenByBoth || row.authorSide === 'worker' ? row.workerId : null,
    businessId: isSeenByBoth || row.authorSide === 'business' ? row.businessId : null,
  });
}

export async function findReviewFacts(db: Db, engagementId: string, recruiting: readonly MemberRole[]) {
  const { rows } = await sql<{
    workerId: string;
    workerName: string;
    businessId: string;
    businessName: string;
    jobId: string;
    jobTitle: string;
    recruiters: string[];
  }>`
    select engagement.worker_id, worker.name as worker_name, engagement.business_id, business.name as business_name,
      engagement.job_id, coalesce(engagement.terms->>'title', '') as job_title,
      array(select account_id from job_members member where member.job_id = engagement.job_id
        and member.role = any(${[...recruiting]}::text[]) order by account_id) as recruiters
    from engagements engagement join accounts worker on worker.id = engagement.worker_id
      join businesses business on business.id = engagement.business_id
    where engagement.id = ${engagementId}`.execute(db);
  return rows[0];
}

/** Replaces the account's name in its reviews by "Former member". */
export async function eraseReviews(tx: Tx, member: FormerMember): Promise<void> {
  const { accountId } = member;
  await sql`update review_moves set reason = ${withoutWords('reason', member)} where reason is not null and review_id in (
    select id from reviews where worker_id = ${accountId} or author_id = ${accountId} or replied_by = ${accountId})`.execute(
    tx,
  );
  await sql`update reviews set body = ${withoutWords('body', member)}, reply = ${withoutWords('reply', member)},
      removed_reason = ${withoutWords('removed_reason', member)}
    where worker_id = ${accountId} or author_id = ${accountId} or replied_by = ${accountId}`.execute(tx);
}
