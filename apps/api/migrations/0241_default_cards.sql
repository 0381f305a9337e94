-- The default is charged without a person, so a bank method or a debit never is (ADR 371).
update cards set is_default = false where is_default and brand in ('iDEAL', 'Bancontact', 'SEPA');
alter table cards add constraint cards_default_is_card
  check (not is_default or brand not in ('iDEAL', 'Bancontact', 'SEPA'));
