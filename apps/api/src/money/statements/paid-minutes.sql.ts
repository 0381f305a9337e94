import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';

/**
 * The minutes of work that release `release` of engagement `engagement` paid, in a query with these aliases; 0 for a task or a
 * compensation. Hours are agreed per engagement and paid in parts, so a part gets its share, rounded so that the parts add up (product.md, Charts of a business).
 */
export const paidMinutes = sql<number>`coalesce((
  select round(claim.paid_minutes * so_far.amount / nullif(claim.amount_minor, 0))
    - round(claim.paid_minutes * (so_far.amount - release.amount_minor) / nullif(claim.amount_minor, 0))
  from (select paid_minutes, amount_minor from hours_claims
      where engagement_id = engagement.id order by at desc, id desc limit 1) claim,
    (select sum(amount_minor) as amount from releases part
      where part.engagement_id = engagement.id and part.state = 'released' and part.kind <> 'compensation'
        and (part.at, part.id) <= (release.at, release.id)) so_far
  where engagement.kind = 'shift' and release.kind <> 'compensation'), 0)::int`;

/** The same for one release. */
export async function findPaidMinutes(db: Db, releaseId: string): Promise<number> {
  const { rows } = await sql<{ minutes: number }>`
    select ${paidMinutes} as minutes from releases release
    join engagements engagement on engagement.id = release.engagement_id where release.id = ${releaseId}`.execute(
    db,
  );
  const [row] = rows;
  if (!row) throw new Error(`there is no release ${releaseId}`);
  return row.minutes;
}
