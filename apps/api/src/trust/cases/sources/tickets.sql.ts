import { sql } from 'kysely';
import type { CaseSource } from './source.sql.ts';

/** Requests that need an answer; safety comes first. Index: `tickets_queue`. */
export const ticketSource: CaseSource = {
  kind: 'ticket',
  open: sql`
    select id, open_since, null::timestamptz, subject, category, case when category = 'safety' then 1 end, null::uuid,
      array_remove(array[account_id], null)
    from tickets where status = 'open'`,
};
