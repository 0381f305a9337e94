-- Withdrawals to a bank account whose holder has another name than the verified one: an operator decides before they are sent (ADR 77).
alter table withdrawals drop constraint withdrawals_status_check;
alter table withdrawals add constraint withdrawals_status_check
  check (status in ('requested', 'in_review', 'processing', 'in_transit', 'paid', 'cancelled', 'failed', 'refused', 'returned'));
-- The operator's reason, as its worker reads it.
alter table withdrawals add column refused_because text;
alter table withdrawals add constraint withdrawals_refused check ((status = 'refused') = (refused_because is not null));
drop index withdrawals_under_way;
create index withdrawals_under_way on withdrawals (account_id)
  where status in ('requested', 'in_review', 'processing', 'in_transit');
create index withdrawals_in_review on withdrawals (requested_at, id) where status = 'in_review';

-- The verified name for which an operator accepted the holder of this account.
alter table payout_methods add column accepted_for text;

alter table second_approvals drop constraint second_approvals_kind_check;
alter table second_approvals add constraint second_approvals_kind_check
  check (kind in ('dispute', 'no_show', 'referral', 'payout_held', 'correction'));

-- A withdrawal that was not paid out, with its statement of reasons.
alter table sanctions drop constraint sanctions_measure_check;
alter table sanctions add constraint sanctions_measure_check
  check (measure in ('warning', 'hidden', 'suspension', 'removed', 'redacted', 'frozen', 'refused', 'payout_refused'));
alter table sanctions add column withdrawal_id uuid references withdrawals (id);
alter table sanctions add constraint sanctions_withdrawal check ((measure = 'payout_refused') = (withdrawal_id is not null));
create unique index sanctions_withdrawals on sanctions (withdrawal_id) where withdrawal_id is not null;
