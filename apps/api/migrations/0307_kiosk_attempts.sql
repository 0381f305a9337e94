-- Wrong PINs at a tablet count apart from wrong codes on a phone, so that one doesn't block the other (ADR 42).
alter table site_code_attempts add column on_kiosk boolean not null default false;
