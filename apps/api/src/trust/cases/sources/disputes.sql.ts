import { sql } from 'kysely';
import type { CaseSource } from './source.sql.ts';

/** Pay disputes out of time. Index: `disputes_with_operator`. */
export const disputeSource: CaseSource = {
  kind: 'dispute',
  open: sql`
    select dispute.id, coalesce((select max(at) from dispute_steps where dispute_id = dispute.id and action = 'escalate'),
        dispute.created_at),
      dispute.stop_at, work.terms ->> 'title', dispute.why, null::int, work.business_id, array[work.worker_id]
    from disputes dispute join engagements work on work.id = dispute.engagement_id
    where dispute.status = 'with_operator'`,
};

/** Contested no-shows. Index: `engagements_contested`. */
export const noShowSource: CaseSource = {
  kind: 'no_show',
  open: sql`
    select work.id, coalesce((select max(at) from engagement_moves where engagement_id = work.id and action = 'contest'),
        work.updated_at),
      null::timestamptz, work.terms ->> 'title', null::text, null::int, work.business_id, array[work.worker_id]
    from engagements work where work.status = 'contested'`,
};
