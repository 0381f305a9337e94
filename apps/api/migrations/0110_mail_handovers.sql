-- Mails that were handed to the mail server, by their deduplication key: one that is accepted is not sent again, and one whose answer was
-- lost twice is given up (ADR 95).
create table mail_handovers (
  key text primary key check (length(key) between 1 and 300),
  -- How often the mail server got all of it and gave no answer.
  unanswered smallint not null check (unanswered between 0 and 2),
  accepted boolean not null default false,
  last_at timestamptz not null
);
create index mail_handovers_by_time on mail_handovers (last_at);
