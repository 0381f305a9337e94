-- A guest opens their request with a link in our mails (ADR 379). A higher version ends the links before it.
alter table tickets add column link_version integer not null default 0;
-- When the guest last asked for a new link.
alter table tickets add column link_renewed_at timestamptz;
