import { sql } from 'kysely';
import type { CaseSource } from './source.sql.ts';

/** Decisions about much money, for operators who did not make them. Index: `second_approvals_queue`. */
export const secondApprovalSource: CaseSource = {
  kind: 'second_approval',
  open: sql`
    select id, requested_at, expires_at, case kind when 'dispute' then 'Pay dispute' when 'no_show' then 'Contested no-show'
      when 'payout_held' then 'Held withdrawal' else 'Referral' end,
      null::text, null::int, business_id, account_ids || requested_by
    from second_approvals where state = 'waiting' and kind <> 'correction'
      and (kind <> 'payout_held' or exists (select from withdrawals where withdrawals.id = subject_id and status = 'in_review'))`,
};

/** Payments to reverse, for operators who did not ask for it. Index: `second_approvals_queue`. */
export const correctionSource: CaseSource = {
  kind: 'correction',
  open: sql`
    select id, requested_at, expires_at, 'Reverse a payment', null::text, null::int, business_id, account_ids || requested_by
    from second_approvals where state = 'waiting' and kind = 'correction'`,
};
