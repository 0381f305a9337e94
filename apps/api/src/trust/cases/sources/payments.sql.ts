import { sql } from 'kysely';
import type { CaseSource } from './source.sql.ts';

/** Referrals to check before their reward is paid. Index: `referrals_to_check`. */
export const referralSource: CaseSource = {
  kind: 'referral',
  open: sql`
    select id, coalesce(qualified_at, joined_at), null::timestamptz, 'Referral reward', flags[1], null::int, null::uuid,
      array[inviter_id, invited_id]
    from referrals where status = 'checking'`,
};

/** Card payments that the bank called back and has not decided. Index: `charges_called_back`. */
export const chargebackSource: CaseSource = {
  kind: 'chargeback',
  open: sql`
    select id, updated_at, null::timestamptz, description, purpose, null::int, business_id, '{}'::uuid[]
    from charges where chargeback = 'open'`,
};

/** Withdrawals to a bank account whose holder is not the verified person. Index: `withdrawals_in_review`. */
export const payoutHeldSource: CaseSource = {
  kind: 'payout_held',
  open: sql`
    select id, requested_at, null::timestamptz, 'Withdrawal to another name', speed, null::int, null::uuid, array[account_id]
    from withdrawals where status = 'in_review'`,
};
