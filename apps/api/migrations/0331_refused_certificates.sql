-- Refusing a certificate is a decision with its statement of reasons (ADR 179). Its owner may delete the certificate.
alter table sanctions drop constraint sanctions_measure_check;
alter table sanctions add constraint sanctions_measure_check check (measure in (
  'warning', 'hidden', 'suspension', 'removed', 'redacted', 'frozen', 'refused', 'payout_refused', 'verification_refused',
  'certificate_refused'));
alter table sanctions add column certificate_id uuid references certificates (id) on delete set null;
alter table sanctions add constraint sanctions_certificate check (certificate_id is null or measure = 'certificate_refused');
alter table sanctions add constraint sanctions_certificate_of_account check (measure <> 'certificate_refused' or account_id is not null);
create unique index sanctions_certificates on sanctions (certificate_id) where certificate_id is not null;
-- The statement replaces the notice of its own.
update notifications set topic = 'sanction-imposed', data = data || '{"variant": "certificate_refused", "mode": "account"}'
  where topic = 'certificate-refused';
delete from notification_choices where topic = 'certificate-refused';
