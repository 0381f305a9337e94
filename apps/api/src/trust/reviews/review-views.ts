import { fileContentPath } from '@nearhand/contract/people/files.rules';
import { shownName } from '@nearhand/contract/people/names.rules';
import type { Side } from '@nearhand/contract/sides';
import type {
  FlaggedReview,
  OwnReview,
  PublishedReview,
  ReviewToWrite,
} from '@nearhand/contract/trust/reviews';
import {
  type ReviewSort,
  type ReviewState,
  type ReviewTag,
  tagsFor,
} from '@nearhand/contract/trust/reviews.rules';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { isoText } from '../../platform/db.ts';
import { andBefore } from '../../platform/http/paging.ts';
import { type BranchLimit, inBranches } from '../../platform/members/job-members.ts';

const pathOf = (fileId: string | null) => (fileId === null ? null : fileContentPath(fileId));

export const toReviewToWrite = (row: OwnReviewRow): ReviewToWrite => ({
  ...row,
  side: row.authorSide,
  worker: { id: row.workerId, name: row.workerName, photoPath: pathOf(row.workerPhoto) },
  business: { id: row.businessId, name: row.businessName, logoPath: pathOf(row.businessLogo) },
  endedAt: row.endedAt.toISOString(),
  closesAt: row.closesAt.toISOString(),
});

/**
 * A review for its author.
 * @throws Error if it was not written
 */
export function toOwnReview(row: OwnReviewRow): OwnReview {
  const { state, stars, writtenAt } = row;
  if (state === 'open' || state === 'expired' || stars === null || writtenAt === null)
    throw new Error(`review ${row.id} was not written`);
  return {
    ...toReviewToWrite(row),
    id: row.id,
    version: row.version,
    state,
    stars,
    tags: row.tags,
    body: row.body,
    again: row.again,
    writtenAt: writtenAt.toISOString(),
    publishedAt: row.publishedAt?.toISOString() ?? null,
    reply: replyOf(row),
    removed:
      row.removedAt === null ? null : { reason: row.removedReason ?? '', at: row.removedAt.toISOString() },
  };
}

export const toPublishedReview = (row: PublishedRow, mayReply: boolean): PublishedReview => ({
  ...row,
  author: row.authorSide === 'worker' ? shownName(row.authorName) : row.authorName,
  publishedAt: row.publishedAt.toISOString(),
  reply: replyOf(row),
  canReply: mayReply && row.reply === null,
});

const replyOf = ({ reply, repliedAt: at }: { reply: string | null; repliedAt: Date | null }) =>
  reply === null || at === null ? null : { body: reply, at: at.toISOString() };

/** Words for which a review is held until an operator has read it. */
export const wordsToCheck = (...texts: (string | null)[]): string[] => [
  ...new Set(texts.flatMap((text) => (text === null ? [] : findProfanity(text)))),
];

/** Returns whether the tags are distinct and among those that this side may give. */
export const areTagsOf = (author: Side, tags: readonly ReviewTag[]): boolean =>
  new Set(tags).size === tags.length && tags.every((tag) => tagsFor(author).includes(tag));

/** Words and word starts (with *) that staff review, by language; small on purpose: a flag is only a hint. */
const lists: Record<string, readonly string[]> = {
  en: [
    'arsehole*',
    'asshole*',
    'bastard*',
    'bitch*',
    'bullshit',
    'cunt*',
    'dickhead*',
    'dumbass*',
    'faggot*',
    'fuck*',
    'motherfuck*',
    'nigger*',
    'nigga*',
    'paki',
    'pakis',
    'piss off',
    'prick',
    'pricks',
    'retard',
    'retards',
    'retarded',
    'shit',
    'shits',
    'shitty',
    'shithead*',
    'slut*',
    'spastic',
    'tranny',
    'twat*',
    'wanker*',
    'whore*',
  ],
};

const patterns = Object.values(lists)
  .flat()
  .map((word) => ({
    word: word.replace('*', ''),
    shape: new RegExp(`(?<![\\p{L}\\p{N}])${word.replace('*', '\\p{L}*')}(?![\\p{L}\\p{N}])`, 'u'),
  }));

/** Digits and signs that stand for letters. */
const standIns: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  $: 's',
  '@': 'a',
  '!': 'i',
};

/** Finds profanity, including words with signs for letters (`$` for s) or repeated letters. */
export function findProfanity(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  const spelled = plain.replace(/(?<=\p{L})[01345$@!](?=\p{L})/gu, (sign) => standIns[sign] ?? sign);
  const short = spelled.replace(/(\p{L})\1{2,}/gu, '$1');
  return patterns.flatMap(({ word, shape }) =>
    [plain, spelled, short].some((spelling) => shape.test(spelling)) ? [word] : [],
  );
}

export type OwnReviewRow = {
  id: string;
  engagementId: string;
  jobId: string;
  authorSide: Side;
  version: number;
  state: ReviewState;
  stars: number | null;
  tags: ReviewTag[];
  body: string;
  again: boolean | null;
  endedAt: Date;
  closesAt: Date;
  writtenAt: Date | null;
  publishedAt: Date | null;
  reply: string | null;
  repliedAt: Date | null;
  removedAt: Date | null;
  removedReason: string | null;
  jobTitle: string;
  cancelled: boolean;
  noShowOverturned: boolean;
  hasBreak: boolean;
  workerId: string;
  workerName: string;
  workerPhoto: string | null;
  businessId: string;
  businessName: string;
  businessLogo: string | null;
};

const noShowOverturned = sql`review.author_side = 'business' and exists (select from engagement_moves move
  where move.engagement_id = review.engagement_id and move.action = 'overturn') as no_show_overturned`;

const ownColumns = sql`review.id, review.engagement_id, review.job_id, review.author_side, review.version, review.state, review.stars,
  review.tags, review.body, review.again, review.ended_at, review.closes_at, review.written_at, review.published_at, review.reply,
  review.replied_at, review.removed_at, review.removed_reason, coalesce(engagement.terms->>'title', '') as job_title,
  engagement.status <> 'completed' as cancelled, ${noShowOverturned},
  coalesce((engagement.terms->>'breakMinutes')::integer, 0) > 0 as has_break, review.worker_id, worker.name as worker_name,
    profile.photo_file_id as worker_photo,
  review.business_id, business.name as business_name, business.logo_file_id as business_logo`;

const ownJoins = sql`join engagements engagement on engagement.id = review.engagement_id
  join accounts worker on worker.id = review.worker_id left join profiles profile on profile.account_id = review.worker_id
  join businesses business on business.id = review.business_id`;

type Page = { after: readonly [string, string] | null; limit: number };

/** A worker's own reviews, or a business's in the caller's branches. */
export type Author = { workerId: string } | { businessId: string; branches: BranchLimit };

const writtenBy = (author: Author) =>
  'workerId' in author
    ? sql`review.worker_id = ${author.workerId} and review.author_side = 'worker'`
    : sql`review.business_id = ${author.businessId} and review.author_side = 'business'
        ${inBranches(sql`review.job_id`, author.branches)}`;

export async function findReviewsOf(db: Db, engagementId: string): Promise<OwnReviewRow[]> {
  const { rows } = await sql<OwnReviewRow>`select ${ownColumns} from reviews review ${ownJoins}
    where review.engagement_id = ${engagementId}`.execute(db);
  return rows;
}

export async function findToWrite(
  db: Db,
  author: Author,
  { now, jobId, after, limit }: Page & { now: Date; jobId: string | null },
): Promise<OwnReviewRow[]> {
  const { rows } = await sql<OwnReviewRow>`select ${ownColumns} from (
      select * from reviews review where ${writtenBy(author)} and review.state = 'open' and review.closes_at > ${now}
        ${jobId === null ? sql`` : sql`and review.job_id = ${jobId}`}
        ${after === null ? sql`` : sql`and (review.closes_at, review.id) > (${after[0]}::timestamptz, ${after[1]}::uuid)`}
      order by review.closes_at, review.id limit ${limit}) review ${ownJoins}
    order by review.closes_at, review.id`.execute(db);
  return rows;
}

export async function findGiven(db: Db, author: Author, { after, limit }: Page): Promise<OwnReviewRow[]> {
  const { rows } = await sql<OwnReviewRow>`select ${ownColumns} from (
      select * from reviews review where ${writtenBy(author)} and review.written_at is not null
        ${andBefore(sql`review.written_at, review.id`, after)}
      order by review.written_at desc, review.id desc limit ${limit}) review ${ownJoins}
    order by review.written_at desc, review.id desc`.execute(db);
  return rows;
}

type PublishedRow = {
  id: string;
  authorSide: Side;
  authorName: string;
  stars: number;
  tags: ReviewTag[];
  body: string;
  again: boolean | null;
  jobTitle: string;
  noShowOverturned: boolean;
  publishedAt: Date;
  reply: string | null;
  repliedAt: Date | null;
};

const publishedColumns = sql`review.id, review.author_side,
  case review.author_side when 'worker' then worker.name else business.name end as author_name,
  review.stars, review.tags, review.body, review.again, coalesce(engagement.terms->>'title', '') as job_title,
  ${noShowOverturned}, review.published_at, review.reply, review.replied_at`;

export type ReviewSubject = { businessId: string } | { workerId: string };

type PublishedList = {
  sort: ReviewSort;
  stars: number | null;
  after: readonly [stars: number, publishedAt: string, id: string] | null;
  limit: number;
};

export async function findPublished(
  db: Db,
  subject: ReviewSubject,
  list: PublishedList,
): Promise<PublishedRow[]> {
  const { sort, stars, after, limit } = list;
  const about =
    'businessId' in subject
      ? sql`review.business_id = ${subject.businessId} and review.author_side = 'worker'`
      : sql`review.worker_id = ${subject.workerId} and review.author_side = 'business'`;
  const order = {
    newest: sql`review.published_at desc, review.id desc`,
    highest: sql`review.stars desc, review.published_at desc, review.id desc`,
    lowest: sql`review.stars, review.published_at desc, review.id desc`,
  }[sort];
  const part = (condition: RawBuilder<unknown>) => sql`(select * from reviews review
    where ${about} and review.state = 'published' ${stars === null ? sql`` : sql`and review.stars = ${stars}`} and ${condition}
    order by ${order} limit ${limit})`;
  const parts = after === null ? [sql`true`] : pastCursor(sort, after);
  const { rows } = await sql<PublishedRow>`select ${publishedColumns} from (
      select * from (${sql.join(parts.map(part), sql` union all `)}) review order by ${order} limit ${limit}) review
    join engagements engagement on engagement.id = review.engagement_id
    join accounts worker on worker.id = review.worker_id join businesses business on business.id = review.business_id
    where review.published_at is not null and review.stars is not null
    order by ${order}`.execute(db);
  return rows;
}

/** The conditions after a cursor, each a range of the index. */
function pastCursor(
  sort: ReviewSort,
  [stars, at, id]: readonly [number, string, string],
): RawBuilder<unknown>[] {
  const older = sql`(review.published_at, review.id) < (${at}::timestamptz, ${id}::uuid)`;
  if (sort === 'newest') return [older];
  const next = sort === 'highest' ? sql`review.stars < ${stars}` : sql`review.stars > ${stars}`;
  return [sql`review.stars = ${stars} and ${older}`, next];
}

export async function findPublishedReview(db: Db, reviewId: string): Promise<PublishedRow | undefined> {
  const { rows } = await sql<PublishedRow>`select ${publishedColumns} from reviews review
    join engagements engagement on engagement.id = review.engagement_id
    join accounts worker on worker.id = review.worker_id join businesses business on business.id = review.business_id
    where review.id = ${reviewId} and review.state = 'published'
      and review.published_at is not null and review.stars is not null`.execute(db);
  return rows[0];
}

export async function findPublishedSides(
  db: Db,
  reviewId: string,
): Promise<{ authorSide: Side; workerId: string; businessId: string; jobId: string } | undefined> {
  const { rows } = await sql<{ authorSide: Side; workerId: string; businessId: string; jobId: string }>`
    select author_side, worker_id, business_id, job_id from reviews where id = ${reviewId} and state = 'published'`.execute(
    db,
  );
  return rows[0];
}

type FlaggedRow = {
  id: string;
  authorSide: Side;
  state: ReviewState;
  authorName: string;
  workerId: string;
  workerName: string;
  businessId: string;
  businessName: string;
  stars: number;
  body: string;
  reply: string | null;
  flaggedWords: string[];
  flaggedAt: Date;
  work: FlaggedReview['work'];
};

/** Returns a reported review with its author and subject, for operators. */
export async function findFlagged(db: Db, reviewId: string): Promise<FlaggedRow | undefined> {
  const { rows } = await sql<FlaggedRow>`
    select review.id, review.author_side, review.state, author.name as author_name, review.worker_id, worker.name as worker_name,
      review.business_id, business.name as business_name, review.stars, review.body, review.reply, review.flagged_words, review.flagged_at,
      jsonb_build_object('title', engagement.terms ->> 'title', 'timeZone', engagement.terms ->> 'timeZone',
        'startsAt', ${isoText(sql`engagement.starts_at`)}, 'endsAt', ${isoText(sql`engagement.ends_at`)}) as work
    from reviews review join engagements engagement on engagement.id = review.engagement_id join accounts author on author.id = review.author_id join accounts worker on worker.id = review.worker_id
      join businesses business on business.id = review.business_id
    where review.id = ${reviewId} and review.stars is not null and review.flagged_at is not null`.execute(db);
  return rows[0];
}
