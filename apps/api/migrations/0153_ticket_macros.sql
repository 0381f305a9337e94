-- Answers that operators share, in the languages of the people who read them; `texts` is {"en": "…", "nl": "…"}.
create table ticket_macros (
  id uuid primary key,
  name text not null,
  texts jsonb not null,
  updated_by uuid not null references accounts (id),
  updated_at timestamptz not null
);
create unique index ticket_macros_name on ticket_macros (lower(name));
create index ticket_macros_account on ticket_macros (updated_by);
