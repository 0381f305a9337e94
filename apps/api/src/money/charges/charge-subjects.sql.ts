import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

export type ChargeSubject = {
  title: string;
  job_id: string;
  time_zone: string;
  /** The offer of a hold, and its application, which an unpaid direct offer does not have. */
  offer_id: string | null;
  application_id: string | null;
  pay_by: Date | null;
};

/** The job of a charge and the deadline of its hold; undefined for a top-up. */
export async function findSubject(
  db: Db,
  { purpose, subjectId }: { purpose: string; subjectId: string | null },
): Promise<ChargeSubject | undefined> {
  if (subjectId === null) return undefined;
  const { rows } =
    purpose === 'tip'
      ? await sql<ChargeSubject>`select job.title, job.id as job_id, job.time_zone, null::uuid as offer_id, null::uuid as application_id, null::timestamptz as pay_by
          from tips tip join engagements engagement on engagement.id = tip.engagement_id join jobs job on job.id = engagement.job_id
          where tip.id = ${subjectId}`.execute(db)
      : await sql<ChargeSubject>`select job.title, job.id as job_id, job.time_zone, offer.id as offer_id, offer.application_id,
            case when hold.status in ('created', 'authorising') then hold.pay_by end as pay_by
          from holds hold join jobs job on job.id = hold.job_id left join offers offer on offer.id = hold.offer_id
          where hold.id = ${subjectId}`.execute(db);
  return rows[0];
}
