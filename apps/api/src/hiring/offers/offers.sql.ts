import type { ApplicationStatus } from '@nearhand/contract/hiring/applications.rules';
import { hiringJobStatuses } from '@nearhand/contract/hiring/jobs.rules';
import { liveOfferStatuses, type OfferStatus } from '@nearhand/contract/hiring/offers';
import type { MemberRole } from '@nearhand/contract/member-roles';
import type { Funding } from '@nearhand/contract/money/funding';
import type { Terms } from '@nearhand/contract/work/terms';
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { HoldOwner } from '../../money/hooks.ts';
import { type FormerMember, withoutWords } from '../../platform/anonymise.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Db, ReadDb, Tx } from '../../platform/db.ts';
import { recruiters } from '../../platform/members/job-members.ts';
import { literals } from '../../platform/prepared-statements.ts';
import { emitRecord } from '../../platform/realtime/publish-records.ts';
import type { Offers } from '../../platform/tables.gen.ts';
import type { JobRow } from '../jobs/jobs.columns.ts';

/** Assigns a version to new configured fees at server start, so that no offer has to wait for it (ADR 141). */
export const recordFees = (
  db: Db,
  config: Pick<Config, 'BUSINESS_FEE_BASIS_POINTS' | 'WORKER_FEE_BASIS_POINTS'>,
  clock: Clock,
): Promise<void> =>
  numberFees(db, config.BUSINESS_FEE_BASIS_POINTS, config.WORKER_FEE_BASIS_POINTS, clock.now());

export type OfferRow = Omit<Selectable<Offers>, 'terms'> & { terms: Terms };

/** Returns null only for an unpaid direct offer, which has no application (ADR 165). */
export function applicationIdOf({ id, applicationId }: Pick<OfferRow, 'id' | 'applicationId'>): string {
  if (applicationId === null) throw new Error(`offer ${id} was sent without an application`);
  return applicationId;
}

/** Reads without a lock, because the job is locked first (ADR 38). */
export async function findOfferPlace(db: Db, offerId: string, accountId: string | null) {
  const { rows } = await sql<{
    jobId: string;
    workerId: string;
    status: OfferStatus;
    role: MemberRole | null;
  }>`
    select offer.job_id, offer.worker_id, offer.status, (select role from job_members member
      where member.job_id = offer.job_id and member.account_id = ${accountId}::uuid) as role
    from offers offer where offer.id = ${offerId}`.execute(db);
  return rows[0];
}

export async function lockOffer(tx: Tx, offerId: string): Promise<OfferRow | undefined> {
  const row = await tx
    .selectFrom('offers')
    .selectAll()
    .where('id', '=', offerId)
    .forUpdate()
    .executeTakeFirst();
  return row as OfferRow | undefined;
}

/** Returns the unpaid and open offers of these applications. */
export async function findLiveOffers(
  db: Db,
  applicationIds: readonly string[],
): Promise<{ id: string; jobId: string }[]> {
  if (applicationIds.length === 0) return [];
  return db
    .selectFrom('offers')
    .select(['id', 'jobId'])
    .where('applicationId', 'in', applicationIds)
    .where('status', 'in', liveOfferStatuses)
    .orderBy('jobId')
    .orderBy('id')
    .execute();
}

/** The other open offers to the same workers for the blocks of these offers, which are answered with them (ADR 414). */
export async function findRestOfOffers(
  db: Db,
  offerIds: readonly string[],
): Promise<{ offerId: string; version: number }[]> {
  const { rows } = await sql<{ offerId: string; version: number }>`
    select distinct other.id as offer_id, other.version from offers offer
      join jobs job on job.id = offer.job_id and job.as_block
      join jobs date on date.series_id = job.series_id and date.as_block and date.id <> job.id
      join offers other on other.job_id = date.id and other.worker_id = offer.worker_id
        and other.status = 'sent'
    where offer.id = any(${[...offerIds]}::uuid[])`.execute(db);
  return rows.filter(({ offerId }) => !offerIds.includes(offerId));
}

/** Returns whether a worker has an unpaid or open offer for a job. */
export async function hasLiveOffer(db: Db, jobId: string, workerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('offers')
    .select('id')
    .where('jobId', '=', jobId)
    .where('workerId', '=', workerId)
    .where('status', 'in', liveOfferStatuses)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findOfferedApplication(db: Db, applicationId: string, accountId: string) {
  const { rows } = await sql<{
    jobId: string;
    businessId: string;
    workerId: string;
    status: ApplicationStatus;
    role: MemberRole | null;
  }>`
    select application.job_id, application.business_id, application.worker_id, application.status,
      (select role from job_members member
        where member.job_id = application.job_id and member.account_id = ${accountId}::uuid) as role
    from applications application where application.id = ${applicationId}`.execute(db);
  return rows[0];
}

/** The status from which an application was last offered the job; null after a direct offer. */
export async function findStatusBeforeOffer(
  db: ReadDb,
  applicationId: string,
): Promise<ApplicationStatus | null> {
  const { rows } = await sql<{ before: ApplicationStatus | null }>`
    select from_status as before from application_moves
    where application_id = ${applicationId} and to_status = 'offered' order by at desc, id desc limit 1`.execute(
    db,
  );
  return rows[0]?.before ?? null;
}

async function numberFees(db: Db, businessFee: number, workerFee: number, at: Date): Promise<void> {
  await sql`select fee_version(${businessFee}, ${workerFee}, ${at}::timestamptz)`.execute(db);
}

/**
 * Inserts an offer.
 * @returns the stored terms, with their fee version (ADR 141)
 */
export async function insertOffer(
  tx: Tx,
  row: Omit<Insertable<Offers>, 'terms' | 'status'> & { terms: Terms; status: OfferStatus },
): Promise<Terms> {
  const { businessFeeBasisPoints, workerFeeBasisPoints } = row.terms;
  const { terms } = await tx
    .insertInto('offers')
    .values({
      ...row,
      terms: sql`${JSON.stringify(row.terms)}::jsonb || jsonb_build_object('feeVersion',
        fee_version(${businessFeeBasisPoints}, ${workerFeeBasisPoints}, ${row.createdAt}::timestamptz))`,
    })
    .returning('terms')
    .executeTakeFirstOrThrow();
  notifyOfOffer(tx, row);
  return terms as Terms;
}

function notifyOfOffer(
  tx: Tx,
  row:
    | { id: string; workerId: string; businessId: string; jobId: string; sentAt?: Date | string | null }
    | undefined,
): void {
  if (row) emitRecord(tx, 'offer', { ...row, workerId: row.sentAt ? row.workerId : null });
}

export async function updateOffer(
  tx: Tx,
  row: Pick<OfferRow, 'id' | 'version'>,
  changes: Pick<
    Updateable<Offers>,
    'funding' | 'sentAt' | 'expiresAt' | 'decidedAt' | 'reason' | 'applicationId'
  > & {
    status: OfferStatus;
    updatedAt: Date;
  },
): Promise<boolean> {
  const updated = await tx
    .updateTable('offers')
    .set({ ...changes, version: row.version + 1 })
    .where('id', '=', row.id)
    .where('version', '=', row.version)
    .returning(['id', 'workerId', 'businessId', 'jobId', 'sentAt'])
    .executeTakeFirst();
  notifyOfOffer(tx, updated);
  return updated !== undefined;
}

/** The end of the latest interview that a worker and a business agreed on for a job; null if there is none. */
export async function findAgreedInterviewEnd(
  db: ReadDb,
  { jobId, workerId }: { jobId: string; workerId: string },
): Promise<Date | null> {
  const { rows } = await sql<{ endsAt: Date | null }>`
    select max(interview.starts_at + make_interval(mins => interview.minutes)) as ends_at
    from applications application join interview_applications covered on covered.application_id = application.id
    join interviews interview on interview.id = covered.interview_id
    where application.job_id = ${jobId} and application.worker_id = ${workerId} and interview.status = 'scheduled'`.execute(
    db,
  );
  return rows[0]?.endsAt ?? null;
}

/**
 * The sent offers for the work that an interview covers, with the facts that limit their end. The offers of
 * a block keep the end that they share (ADR 414).
 */
export async function findOffersToMeet(tx: Tx, interviewId: string) {
  const { rows } = await sql<
    Pick<OfferRow, 'id' | 'jobId' | 'workerId' | 'expiresAt'> &
      Pick<JobRow, 'startsAt' | 'dueOn' | 'timeZone'>
  >`select offer.id, offer.job_id, offer.worker_id, offer.expires_at, job.starts_at, job.due_on, job.time_zone
    from offers offer join jobs job on job.id = offer.job_id
    where offer.application_id in (select application_id from interview_applications where interview_id = ${interviewId})
      and offer.status = 'sent' and not job.as_block order by offer.id`.execute(tx);
  return rows;
}

/** Does not change the version, because a later end is not a move. */
export async function extendOffer(tx: Tx, offerId: string, expiresAt: Date): Promise<boolean> {
  const updated = await tx
    .updateTable('offers')
    .set({ expiresAt })
    .where('id', '=', offerId)
    .where('status', '=', 'sent')
    .returning(['id', 'workerId', 'businessId', 'jobId', 'sentAt'])
    .executeTakeFirst();
  notifyOfOffer(tx, updated);
  return updated !== undefined;
}

/** Does not change the version, because funding is not a move. */
export async function updateOfferFunding(tx: Tx, { offerId }: HoldOwner, funding: Funding): Promise<void> {
  if (offerId === null) return;
  const updated = await tx
    .updateTable('offers')
    .set({ funding })
    .where('id', '=', offerId)
    .returning(['id', 'workerId', 'businessId', 'jobId', 'sentAt'])
    .executeTakeFirst();
  notifyOfOffer(tx, updated);
}

export async function insertOfferMove(
  tx: Tx,
  move: {
    id: string;
    offerId: string;
    actor: string;
    side: 'worker' | 'business' | 'timer';
    action: string;
    fromStatus: OfferStatus | null;
    toStatus: OfferStatus;
    reason: string | null;
    at: Date;
  },
): Promise<void> {
  await tx.insertInto('offer_moves').values(move).execute();
}

export async function findOfferPeople(db: Db, { jobId, workerId }: Pick<OfferRow, 'jobId' | 'workerId'>) {
  const { rows } = await sql<{ businessName: string; workerName: string; recruiters: string[] }>`
    select business.name as business_name, worker.name as worker_name,
      coalesce((select array_agg(member.account_id::text order by member.account_id) from job_members member
        where member.job_id = job.id and member.role in ${recruiters}), '{}') as recruiters
    from jobs job
    join businesses business on business.id = job.business_id
    join accounts worker on worker.id = ${workerId}
    where job.id = ${jobId}`.execute(db);
  return rows[0];
}

/** Erases what a removed account wrote in offers. */
export async function eraseOffers(tx: Tx, member: FormerMember): Promise<void> {
  await sql`update offers set message = ${withoutWords('message', member)}, reason = ${withoutWords('reason', member)}
    where worker_id = ${member.accountId}`.execute(tx);
  await sql`update offer_moves set reason = ${withoutWords('reason', member)}
    where reason is not null and offer_id in (select id from offers where worker_id = ${member.accountId})`.execute(
    tx,
  );
}

export type SentOffer = Pick<OfferRow, 'id' | 'version' | 'jobId' | 'workerId' | 'message'> & {
  applicationId: string;
  payMinor: number;
  jobPayMinor: number;
  /** True if the job can still hire. */
  hires: boolean;
  /** The series of a block (ADR 414); null for a job that is hired on its own. */
  blockId: string | null;
};

/** The sent offers of jobs, with the pay of offer and job in minor units. */
export async function findSentOffersOf(db: Db, jobIds: readonly string[]): Promise<SentOffer[]> {
  const { rows } = await sql<SentOffer>`
    select offer.id, offer.version, offer.job_id, offer.worker_id, offer.message, offer.application_id,
      (offer.terms->>'payMinor')::integer as pay_minor, coalesce(job.pay_minor, 0) as job_pay_minor,
      job.status in (${literals(hiringJobStatuses)}) as hires, case when job.as_block then job.series_id end as block_id
    from offers offer join jobs job on job.id = offer.job_id
    where offer.job_id = any(${[...jobIds]}::uuid[]) and offer.status = 'sent' and offer.application_id is not null
    order by job.starts_at, offer.id`.execute(db);
  return rows;
}
