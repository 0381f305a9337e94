-- A refused business corrects its details and asks again, hidden until it is checked (product.md, States: Business).
alter table businesses drop constraint businesses_status_check;
alter table businesses add constraint businesses_status_check
  check (status in ('draft', 'submitted', 'verified', 'needs_info', 'rejected', 'resubmitted', 'suspended', 'closed'));
drop index businesses_pending;
create index businesses_pending on businesses (submitted_at, id) where status in ('submitted', 'resubmitted');

-- Refusing a business is a decision with its statement of reasons (ADR 179).
alter table sanctions drop constraint sanctions_measure_check;
alter table sanctions add constraint sanctions_measure_check check (measure in (
  'warning', 'hidden', 'suspension', 'removed', 'redacted', 'frozen', 'refused', 'payout_refused', 'verification_refused'));
alter table sanctions add constraint sanctions_verification check (measure <> 'verification_refused' or business_id is not null);
-- The statement replaces the notice of its own.
update notifications set topic = 'sanction-imposed', data = data || '{"what": "verification_refused", "mode": "business"}'
  where topic = 'business-rejected';
delete from notification_choices where topic = 'business-rejected';
