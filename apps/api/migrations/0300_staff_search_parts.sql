-- Operators find records by what people say or paste (ADR 175): part of an email, a phone number in national form (its last eight
-- digits), registration and VAT numbers however they are spaced, and requests of people with and without an account.
create index accounts_email_part on accounts using gin (email gin_trgm_ops);
create index businesses_email_part on businesses using gin (lower(email) gin_trgm_ops) where email is not null;

create function phone_end(phone text) returns text language sql immutable strict parallel safe
begin atomic
  select right(regexp_replace(phone, '\D', '', 'g'), 8);
end;
create index profiles_phone_end on profiles (phone_end(phone)) where phone is not null;
create index businesses_phone_end on businesses (phone_end(phone)) where phone is not null;

create function bare_number(typed text) returns text language sql immutable strict parallel safe
begin atomic
  select upper(regexp_replace(typed, '[^[:alnum:]]', '', 'g'));
end;
drop index businesses_registration;
create index businesses_registration on businesses (bare_number(registration_number)) where registration_number <> '';
create index businesses_bare_vat_id on businesses (bare_number(vat_id)) where vat_id <> '';

create index tickets_words on tickets using gin (folded_name(name || ' ' || coalesce(email, '') || ' ' || subject) gin_trgm_ops);
create index tickets_case_number on tickets (right(id::text, 6));
