-- A bank method, such as iDEAL, has no number.
alter table cards drop constraint cards_last4_check;
alter table cards add constraint cards_last4_check check (last4 ~ '^([0-9]{4})?$');
