-- Refusing an identity document is a decision with its statement of reasons, as for a certificate (ADR 179).
alter table sanctions drop constraint sanctions_measure_check;
alter table sanctions add constraint sanctions_measure_check check (measure in (
  'warning', 'hidden', 'suspension', 'removed', 'redacted', 'frozen', 'refused', 'payout_refused', 'verification_refused',
  'certificate_refused', 'identity_refused'));
alter table sanctions add column identity_check_id uuid references identity_checks (id) on delete set null;
alter table sanctions add constraint sanctions_identity_check check (identity_check_id is null or measure = 'identity_refused');
alter table sanctions add constraint sanctions_identity_check_of_account check (measure <> 'identity_refused' or account_id is not null);
create unique index sanctions_identity_checks on sanctions (identity_check_id) where identity_check_id is not null;
-- Refusals before this one have no decision to open.
delete from notifications where topic = 'identity-document-refused';
delete from notification_choices where topic = 'identity-document-refused';
-- The refusal was reversed after the copy was deleted: its owner sends another one.
alter table certificates drop constraint certificates_status_check;
alter table certificates add constraint certificates_status_check
  check (status in ('submitted', 'checked', 'refused', 'needs_copy', 'expired', 'replaced'));
