-- Answers of VIES about VAT ids, which prove that a check was made; an id without a recent one is unknown.
create table vat_id_checks (
  id uuid primary key,
  vat_id text not null,
  valid boolean not null,
  consultation_number text not null,
  registered_name text not null,
  at timestamptz not null
);
create index vat_id_checks_latest on vat_id_checks (vat_id, at desc);
create index businesses_vat_id on businesses (vat_id) where vat_id <> '';
