-- The language of screens, mails and pushes. Null: never chosen, so each device has its own and mail is in English.
alter table account_settings add column language text check (language in ('en', 'nl', 'de', 'fr', 'es', 'ar'));
