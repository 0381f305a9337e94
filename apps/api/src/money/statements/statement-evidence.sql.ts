import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { paidMinutes } from './paid-minutes.sql.ts';

export type EvidenceRow = {
  starts_at: Date | null;
  ends_at: Date | null;
  checked_in_at: Date | null;
  checked_out_at: Date | null;
  /** What the entry paid for; for an entry that pays no hours, what was agreed so far; null for a task. */
  paid_minutes: number | null;
  approved_at: Date | null;
  approved_by: string | null;
  time_zone: string;
  document_id: string | null;
};

/** The evidence of an engagement's entry, and its document. */
export async function findEvidence(
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
