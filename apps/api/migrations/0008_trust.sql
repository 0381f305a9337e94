-- Trust: operators, cases, reports, decisions, reviews, tickets.

-- Platform staff (ADR 86). Appointed and removed on the command line only; a removal stays as a row, and a later appointment is a new
-- one.
create table operators (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  -- Who did it, by the machine's user name.
  added_by text not null,
  added_at timestamptz not null,
  removed_by text,
  removed_at timestamptz,
  -- What operators may do (ADR 176). Those appointed before there were roles keep everything.
  roles text[] not null
    check (cardinality(roles) > 0 and roles <@ '{support,trust,finance,owner}'::text[])
);
create unique index operators_one on operators (account_id) where removed_at is null;

-- Help: what readers think of articles, requests to Nearhand's staff, and staff's messages about the service.
-- One answer per article and reader: an account, or a guest's device by the hash of its id.
create table help_votes (
  article text not null,
  account_id uuid references accounts (id) on delete cascade,
  device text,
  -- Hashes of a guest's network and the wider ones around it, to limit how many answers each gives.
  networks text[],
  helpful boolean not null,
  voted_at timestamptz not null,
  check ((account_id is null) = (device is not null)),
  check ((device is null) = (networks is null))
);
create unique index help_votes_account on help_votes (account_id, article) where account_id is not null;
create unique index help_votes_device on help_votes (device, article) where device is not null;
create index help_votes_networks on help_votes using gin (networks);

create table tickets (
  id uuid primary key,
  account_id uuid references accounts (id),
  -- Of someone without an account; they confirm it before staff sees the ticket.
  email text,
  name text not null,
  -- Hashes of a guest's network and the wider ones around it, to limit how many requests each makes.
  networks text[],
  category text not null check (category in ('account', 'finding_work', 'on_the_job', 'hiring', 'payments', 'safety', 'problem', 'other')),
  subject text not null,
  -- Where in the app it was written, and the records that the person agreed to send: [{"kind", "id"}].
  page text not null,
  refs jsonb not null,
  status text not null check (status in ('unconfirmed', 'open', 'waiting', 'solved')),
  -- Since when it is pending with staff.
  open_since timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A question that an operator asks one side of a case is a request that staff begins (docs/architecture.md, Cases). The case waits until it is
  -- answered or overdue.
  case_kind text,
  case_subject uuid,
  due_at timestamptz,
  -- What the requester said about a closed request, once it is closed, and again once a reply has opened it and it closed again.
  helpful boolean,
  -- A guest opens their request with a link in our mails (ADR 379). A higher version ends the links before it.
  link_version integer not null default 0,
  -- When the guest last asked for a new link.
  link_renewed_at timestamptz,
  -- A request that became part of another one of the same person. Its messages are shown in that one.
  merged_into uuid references tickets (id) on delete set null,
  -- The language of the page on which a guest wrote a request; mails to them and shared answers use it (ADR 379).
  language text check (language in ('en', 'nl', 'de', 'fr', 'es', 'ar')),
  check ((account_id is null) = (email is not null)),
  check ((account_id is null) = (networks is not null)),
  check (status <> 'unconfirmed' or account_id is null),
  constraint tickets_case check (num_nonnulls(case_kind, case_subject, due_at) in (0, 3)),
  constraint tickets_case_of_account check (case_kind is null or account_id is not null),
  constraint tickets_rated check (helpful is null or status = 'solved'),
  constraint tickets_merged check (merged_into is null or status = 'solved' and merged_into <> id)
);
create index tickets_account on tickets (account_id, updated_at desc, id desc) where account_id is not null;
create index tickets_written on tickets (account_id, created_at) where account_id is not null;
create index tickets_queue on tickets (open_since, id) where status = 'open';
create index tickets_email on tickets (email, created_at) where email is not null;
create index tickets_networks on tickets using gin (networks) where networks is not null;
create index tickets_unconfirmed on tickets (created_at) where status = 'unconfirmed';
create unique index tickets_of_case on tickets (case_kind, case_subject, account_id) where case_subject is not null;
create index tickets_merged on tickets (merged_into) where merged_into is not null;
-- Requests that wait for their author, for the operators' list (ADR 175).
create index tickets_waiting on tickets (updated_at) where status = 'waiting' and case_kind is null;
create index tickets_words on tickets using gin (folded_name(name || ' ' || coalesce(email, '') || ' ' || subject) gin_trgm_ops);
create index tickets_case_number on tickets (right(id::text, 6));

create table ticket_messages (
  id uuid primary key,
  ticket_id uuid not null references tickets (id) on delete cascade,
  author text not null check (author in ('requester', 'staff')),
  account_id uuid references accounts (id),
  body text not null,
  -- The Message-ID of a reply by mail: received again, it is stored once.
  mail_id text,
  -- Attachments of a mail that could not be accepted.
  files_refused integer not null default 0,
  at timestamptz not null
);
create index ticket_messages_of on ticket_messages (ticket_id, at, id);
create index ticket_messages_words on ticket_messages using gin (folded_name(body) gin_trgm_ops) where author = 'requester';
create index ticket_messages_numbers on ticket_messages using gin (numbers_in(body) gin_trgm_ops) where author = 'requester';
create unique index ticket_messages_mail on ticket_messages (ticket_id, mail_id) where mail_id is not null;
create index ticket_messages_account on ticket_messages (account_id, at) where account_id is not null;

create table ticket_files (
  file_id uuid primary key references files (id),
  message_id uuid not null references ticket_messages (id) on delete cascade,
  place smallint not null
);
create index ticket_files_of on ticket_files (message_id, place);

create table ticket_moves (
  id uuid primary key,
  ticket_id uuid not null references tickets (id) on delete cascade,
  action text not null,
  from_status text not null,
  to_status text not null,
  side text not null check (side in ('requester', 'staff', 'timer')),
  -- Null for a guest and a timer.
  account_id uuid references accounts (id),
  at timestamptz not null,
  -- The requester's rating of this closing. It stays when a reply opens the request again.
  helpful boolean,
  constraint ticket_moves_rated check (helpful is null or to_status = 'solved')
);
create index ticket_moves_of on ticket_moves (ticket_id, at);
-- Requests that their authors closed before an operator answered.
create index ticket_moves_ended on ticket_moves (at desc) where to_status = 'solved' and from_status = 'open' and side = 'requester';
create index ticket_moves_account on ticket_moves (account_id) where account_id is not null;

create table service_messages (
  id uuid primary key,
  text text not null,
  starts_at timestamptz not null,
  ends_at timestamptz,
  posted_by uuid not null references accounts (id),
  created_at timestamptz not null,
  check (ends_at is null or ends_at >= starts_at)
);
create index service_messages_newest on service_messages (starts_at desc, id desc);
create index service_messages_account on service_messages (posted_by);

-- Reviews of ended work, one of each side (ADR 171). An author writes their own row only: nothing that the other side reads changes
-- before publication.
create table reviews (
  id uuid primary key,
  engagement_id uuid not null references engagements (id),
  author_side text not null check (author_side in ('worker', 'business')),
  worker_id uuid not null references accounts (id),
  business_id uuid not null references businesses (id),
  job_id uuid not null references jobs (id),
  version integer not null default 1,
  state text not null check (state in ('open', 'submitted', 'published', 'expired', 'removed')),
  stars smallint check (stars between 1 and 5),
  tags text[] not null default '{}',
  body text not null default '',
  again boolean,
  -- Who wrote it last; of a business, one of its recruiters.
  author_id uuid references accounts (id),
  ended_at timestamptz not null,
  closes_at timestamptz not null,
  written_at timestamptz,
  published_at timestamptz,
  reply text,
  replied_by uuid references accounts (id),
  replied_at timestamptz,
  -- Words that staff should look at, until they decided.
  flagged_words text[] not null default '{}',
  flagged_at timestamptz,
  removed_at timestamptz,
  removed_by uuid references accounts (id),
  removed_reason text,
  unique (engagement_id, author_side),
  check ((stars is null) = (state in ('open', 'expired'))),
  check ((stars is null) = (author_id is null) and (stars is null) = (written_at is null)),
  check (state <> 'published' or published_at is not null),
  check (published_at is null or state in ('published', 'removed')),
  check ((reply is null) = (replied_at is null) and (reply is null) = (replied_by is null)),
  check ((state = 'removed') = (removed_at is not null) and (removed_at is null) = (removed_reason is null)
    and (removed_at is null) = (removed_by is null))
);
-- What others wrote about a business or a worker, in each order.
create index reviews_of_business on reviews (business_id, published_at desc, id desc) where author_side = 'worker' and state = 'published';
create index reviews_of_business_lowest on reviews (business_id, stars, published_at desc, id desc)
  where author_side = 'worker' and state = 'published';
create index reviews_of_business_highest on reviews (business_id, stars desc, published_at desc, id desc)
  where author_side = 'worker' and state = 'published';
create index reviews_of_worker on reviews (worker_id, published_at desc, id desc) where author_side = 'business' and state = 'published';
-- What a side has to write, and what it wrote.
create index reviews_open_worker on reviews (worker_id, closes_at, id) where author_side = 'worker' and state = 'open';
create index reviews_open_business on reviews (business_id, closes_at, id) where author_side = 'business' and state = 'open';
-- The people of one shift; also for a job that is deleted.
create index reviews_job on reviews (job_id, closes_at, id);
create index reviews_by_worker on reviews (worker_id, written_at desc, id desc) where author_side = 'worker' and written_at is not null;
create index reviews_by_business on reviews (business_id, written_at desc, id desc) where author_side = 'business' and written_at is not null;
create index reviews_flagged on reviews (flagged_at, id) where flagged_at is not null;
-- For someone who deletes their account, and their export.
create index reviews_author on reviews (author_id) where author_id is not null;
create index reviews_replied_by on reviews (replied_by) where replied_by is not null;
create index reviews_removed_by on reviews (removed_by) where removed_by is not null;
create index reviews_worker on reviews (worker_id);

-- Each move of a review: who, what, when, why (product.md, States).
create table review_moves (
  id uuid primary key,
  review_id uuid not null references reviews (id) on delete cascade,
  actor text not null,
  action text not null,
  from_state text not null,
  to_state text not null,
  reason text,
  at timestamptz not null
);
create index review_moves_of on review_moves (review_id, at);

-- The work on cases. The cases themselves are read from the tables of their owners (ADR 175), so a subject is a row of another slice.
create table case_work (
  kind text not null,
  subject_id uuid not null,
  claimed_by uuid references accounts (id),
  claimed_at timestamptz,
  -- Instead of the priority of its kind: 1 urgent to 4 low.
  priority smallint check (priority between 1 and 4),
  primary key (kind, subject_id),
  check ((claimed_by is null) = (claimed_at is null))
);
create index case_work_claimed on case_work (claimed_by) where claimed_by is not null;

-- Operators' notes and what they did with a case.
create table case_notes (
  id uuid primary key,
  kind text not null,
  subject_id uuid not null,
  what text not null check (what in ('note', 'claim', 'release', 'hand-over', 'priority')),
  author_id uuid not null references accounts (id),
  to_id uuid references accounts (id),
  body text not null,
  at timestamptz not null
);
create index case_notes_case on case_notes (kind, subject_id, at desc, id desc);

-- The open case that each operator looked at last, for the colleagues who open it too (ADR 416).
create table case_viewers (
  account_id uuid primary key references accounts (id),
  kind text not null,
  subject_id uuid not null,
  seen_at timestamptz not null
);
create index case_viewers_case on case_viewers (subject_id);

-- Every call of an operator, with its case or reason (ADR 176). Each digest covers its row and the one before; the head signs how many there are.
create table operator_log (
  no bigint primary key check (no > 0),
  at timestamptz(3) not null,
  account_id uuid not null references accounts (id),
  operation text not null,
  -- The records that it named, and the people and the business of its case.
  subject_ids uuid[] not null,
  case_kind text,
  case_subject uuid,
  reason text,
  digest bytea not null,
  check ((case_kind is null) = (case_subject is null))
);
create index operator_log_account on operator_log (account_id, no desc);
create index operator_log_subjects on operator_log using gin (subject_ids);

create table operator_log_head (
  single boolean primary key default true check (single),
  no bigint not null,
  digest bytea not null
);

create function operator_log_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'the operators'' log refuses % on %', lower(tg_op), tg_table_name
    using errcode = 'LG004', constraint = 'operator_log_immutable';
end $$;

create trigger immutable before update or delete or truncate on operator_log execute function operator_log_refuse();
create trigger kept before delete or truncate on operator_log_head execute function operator_log_refuse();

-- Everything reported about one subject until it is decided.
create table report_cases (
  id uuid primary key,
  kind text not null check (kind in ('job', 'business', 'worker', 'review')),
  job_id uuid references jobs (id),
  business_id uuid references businesses (id),
  worker_id uuid references accounts (id),
  status text not null check (status in ('open', 'actioned', 'dismissed')),
  opened_at timestamptz not null,
  due_at timestamptz not null,
  -- What its reporters read.
  answer text,
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  review_id uuid references reviews (id),
  -- A reporter contests a dismissal once. Another operator decides the new case about the same subject.
  contested_id uuid unique,
  contested_by uuid,
  check ((status = 'open') = (decided_at is null)),
  check (num_nonnulls(answer, decided_by, decided_at) in (0, 3)),
  constraint report_cases_subject check (num_nonnulls(job_id, business_id, worker_id, review_id) = 1),
  constraint report_cases_decision unique (id, decided_by),
  constraint report_cases_contested foreign key (contested_id, contested_by) references report_cases (id, decided_by),
  constraint report_cases_by_another check (decided_by <> contested_by),
  check (num_nonnulls(contested_id, contested_by) in (0, 2))
);
create index report_cases_queue on report_cases (opened_at, id) where status = 'open';
create index report_cases_job on report_cases (job_id) where job_id is not null;
create index report_cases_business on report_cases (business_id) where business_id is not null;
create index report_cases_worker on report_cases (worker_id) where worker_id is not null;
create index report_cases_decider on report_cases (decided_by) where decided_by is not null;
create index report_cases_review on report_cases (review_id) where review_id is not null;
create unique index report_cases_open on report_cases (coalesce(job_id, business_id, worker_id, review_id))
  where status = 'open' and contested_id is null;

create table reports (
  id uuid primary key,
  case_id uuid not null references report_cases (id),
  account_id uuid not null references accounts (id),
  reason text not null,
  note text not null,
  at timestamptz not null,
  unique (case_id, account_id)
);
create index reports_account on reports (account_id, at desc, id desc);

create table report_files (
  file_id uuid primary key references files (id),
  report_id uuid not null references reports (id) on delete cascade,
  place smallint not null
);
create index report_files_of on report_files (report_id, place);

-- A decision with its statement of reasons, addressed to a person or a business (ADR 179).
create table sanctions (
  id uuid primary key,
  measure text not null check (measure in (
    'warning', 'hidden', 'suspension', 'removed', 'redacted', 'frozen', 'refused', 'payout_refused', 'verification_refused',
    'certificate_refused', 'identity_refused')),
  account_id uuid references accounts (id),
  business_id uuid references businesses (id),
  -- The job that it is about; its title stays when a draft is deleted.
  job_id uuid references jobs (id) on delete set null,
  job_title text,
  scope text check (scope in ('applying', 'hiring', 'chat', 'everything')),
  rule text not null,
  facts text not null,
  source text not null check (source in ('report', 'screening', 'staff')),
  case_id uuid references report_cases (id),
  decided_by uuid not null references accounts (id),
  decided_at timestamptz not null,
  ends_at timestamptz,
  ended_at timestamptz,
  ending text check (ending in ('expired', 'lifted', 'overturned')),
  end_reason text,
  review_id uuid references reviews (id),
  conversation_id uuid references conversations (id),
  -- Of the removed message.
  seq integer,
  withdrawal_id uuid references withdrawals (id),
  certificate_id uuid references certificates (id) on delete set null,
  identity_check_id uuid references identity_checks (id) on delete set null,
  check (num_nonnulls(account_id, business_id) = 1),
  check ((measure = 'suspension') = (scope is not null)),
  check (measure = 'suspension' or ends_at is null),
  check (business_id is null or scope is null or scope = 'hiring'),
  check ((ended_at is null) = (ending is null)),
  -- An appeal refers to both, to be decided by someone else.
  unique (id, decided_by),
  constraint sanctions_subject check (
    (measure = 'removed') = (review_id is not null) and (measure in ('redacted', 'frozen')) = (conversation_id is not null)
    and (measure = 'redacted') = (seq is not null)),
  constraint sanctions_withdrawal check ((measure = 'payout_refused') = (withdrawal_id is not null)),
  constraint sanctions_verification check (measure <> 'verification_refused' or business_id is not null),
  constraint sanctions_certificate check (certificate_id is null or measure = 'certificate_refused'),
  constraint sanctions_certificate_of_account check (measure <> 'certificate_refused' or account_id is not null),
  constraint sanctions_identity_check check (identity_check_id is null or measure = 'identity_refused'),
  constraint sanctions_identity_check_of_account check (measure <> 'identity_refused' or account_id is not null)
);
create index sanctions_account on sanctions (account_id, decided_at desc, id desc) where account_id is not null;
create index sanctions_business on sanctions (business_id, decided_at desc, id desc) where business_id is not null;
create index sanctions_job on sanctions (job_id) where job_id is not null;
create index sanctions_case on sanctions (case_id) where case_id is not null;
create index sanctions_decider on sanctions (decided_by);
create index sanctions_suspended on sanctions (account_id) where scope is not null and ended_at is null;
-- One running decision about the same review, message or side of a conversation.
create unique index sanctions_review on sanctions (review_id) where review_id is not null and ended_at is null;
create unique index sanctions_message on sanctions (conversation_id, seq) where seq is not null and ended_at is null;
create unique index sanctions_conversation on sanctions (conversation_id, coalesce(account_id, business_id))
  where conversation_id is not null and seq is null and ended_at is null;
create index sanctions_about_review on sanctions (review_id) where review_id is not null;
create index sanctions_about_conversation on sanctions (conversation_id) where conversation_id is not null;
create unique index sanctions_withdrawals on sanctions (withdrawal_id) where withdrawal_id is not null;
-- The export of decisions reads them by time, across all people (DSA, articles 15 and 24).
create index sanctions_decided on sanctions (decided_at desc, id desc);
create index sanctions_unfrozen on sanctions (ended_at desc) where measure = 'frozen' and ended_at is not null;
create unique index sanctions_certificates on sanctions (certificate_id) where certificate_id is not null;
create unique index sanctions_identity_checks on sanctions (identity_check_id) where identity_check_id is not null;

create table appeals (
  id uuid primary key,
  sanction_id uuid not null unique,
  sanction_by uuid not null,
  account_id uuid not null references accounts (id),
  words text not null,
  at timestamptz not null,
  due_at timestamptz not null,
  escalated_at timestamptz,
  outcome text check (outcome in ('upheld', 'overturned')),
  reason text,
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  foreign key (sanction_id, sanction_by) references sanctions (id, decided_by),
  constraint appeals_by_another check (decided_by <> sanction_by),
  check (num_nonnulls(outcome, reason, decided_by, decided_at) in (0, 4))
);
create index appeals_queue on appeals (due_at, id) where outcome is null;
create index appeals_account on appeals (account_id);
create index appeals_decider on appeals (decided_by) where decided_by is not null;

-- Decisions that move much money and reversals of payments, which take effect once a second operator approves them (ADR 191, 192).
create table second_approvals (
  id uuid primary key,
  kind text not null,
  -- The dispute, engagement, referral or ledger entry; a row of another slice.
  subject_id uuid not null,
  -- The decision as it will be made, by its kind.
  decision jsonb not null,
  reason text not null,
  -- What moves, in minor units.
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  -- Whom it is about: they never see or approve it.
  account_ids uuid[] not null,
  business_id uuid references businesses (id),
  requested_by uuid not null references accounts (id),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  note text,
  check (num_nonnulls(decided_by) = case when state in ('approved', 'refused') then 1 else 0 end),
  check ((decided_at is null) = (state = 'waiting')),
  constraint second_approvals_by_another check (decided_by <> requested_by),
  constraint second_approvals_kind_check
    check (kind in ('dispute', 'no_show', 'referral', 'payout_held', 'correction', 'goodwill', 'credit_limit'))
);
create unique index second_approvals_waiting on second_approvals (kind, subject_id) where state = 'waiting';
create index second_approvals_queue on second_approvals (requested_at, id) where state = 'waiting';
create index second_approvals_subject on second_approvals (subject_id, requested_at desc);
create index second_approvals_ended on second_approvals (decided_at desc) where state in ('expired', 'withdrawn');
create index second_approvals_requester on second_approvals (requested_by);
create index second_approvals_decider on second_approvals (decided_by) where decided_by is not null;
create index second_approvals_business on second_approvals (business_id) where business_id is not null;

-- What operators decided, since a case is only a query of what is open (docs/architecture.md, Cases). Written with the decision.
create table closed_cases (
  id uuid primary key,
  kind text not null,
  subject_id uuid not null,
  title text not null,
  tag text,
  business_id uuid references businesses (id),
  account_ids uuid[] not null,
  opened_at timestamptz not null,
  decision text not null,
  reason text not null,
  decided_by uuid not null references accounts (id),
  decided_at timestamptz not null,
  -- How late a case was decided, for the figures of the queue. Not known for what was decided before.
  deadline timestamptz,
  -- The facts of a case as they were when it was decided, for a year or until someone in them removed their account.
  facts jsonb,
  facts_gone text check (facts_gone in ('expired', 'removed')),
  -- What a decision set: the pay with its effect, or the rule and statement of reasons. Null before this column.
  terms jsonb,
  constraint closed_cases_facts check (facts is null or facts_gone is null)
);
create index closed_cases_newest on closed_cases (decided_at desc, id desc);
create index closed_cases_subject on closed_cases (kind, subject_id, decided_at desc);
create index closed_cases_accounts on closed_cases using gin (account_ids);
create index closed_cases_business on closed_cases (business_id) where business_id is not null;
create index closed_cases_title on closed_cases using gin (folded_name(title) gin_trgm_ops);
create index closed_cases_number on closed_cases (right(subject_id::text, 6));
create index closed_cases_decider on closed_cases (decided_by, decided_at desc, id desc);
create index closed_cases_with_facts on closed_cases (decided_at) where facts is not null;

-- Filters of the queue that an operator saved under a name.
create table case_views (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  name text not null,
  filters jsonb not null,
  created_at timestamptz not null
);
create unique index case_views_name on case_views (account_id, lower(name));

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

-- Changes of operators asked for in the console, which take effect once another owner approves them (ADR 176).
create table operator_changes (
  id uuid primary key,
  account_id uuid not null references accounts (id),
  previous_roles text[] not null,
  -- Empty ends the appointment.
  roles text[] not null,
  reason text not null,
  requested_by uuid not null references accounts (id),
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'refused', 'withdrawn', 'expired')),
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  note text,
  check ((decided_by is not null) = (state in ('approved', 'refused'))),
  check ((decided_at is null) = (state = 'waiting')),
  constraint operator_changes_by_another check (decided_by <> requested_by)
);
create unique index operator_changes_waiting on operator_changes (account_id) where state = 'waiting';
create index operator_changes_latest on operator_changes (requested_at, id);
create index operator_changes_account on operator_changes (account_id);
create index operator_changes_requester on operator_changes (requested_by);
create index operator_changes_decider on operator_changes (decided_by) where decided_by is not null;

-- Who new cases of a kind, a language or both are for (ADR 175). The most exact rule counts, a kind before a language.
create table case_assignments (
  id uuid primary key,
  kind text,
  language text,
  account_id uuid not null references accounts (id),
  created_at timestamptz not null,
  check (num_nonnulls(kind, language) > 0),
  unique nulls not distinct (kind, language)
);
create index case_assignments_account on case_assignments (account_id);

-- Reports to an authority about a case, for a suspected crime against life or safety (ADR 178). Another operator confirms each.
create table authority_reports (
  id uuid primary key,
  case_kind text not null check (case_kind in ('report', 'chat_report', 'frozen_chat', 'flagged_review', 'job_review')),
  case_subject uuid not null,
  authority text not null,
  reported_at timestamptz not null,
  reference text,
  -- What was passed on.
  facts text[] not null check (cardinality(facts) > 0),
  reason text not null,
  account_ids uuid[] not null,
  business_id uuid references businesses (id),
  recorded_by uuid not null references accounts (id),
  recorded_at timestamptz not null,
  state text not null check (state in ('waiting', 'confirmed', 'refused')),
  decided_by uuid references accounts (id),
  decided_at timestamptz,
  note text,
  -- Word for word, what an operator passed on to an authority (ADR 178); null in reports recorded before.
  passed_on text,
  constraint authority_reports_by_another check (decided_by <> recorded_by),
  check ((state = 'waiting') = (decided_at is null)),
  check ((decided_by is null) = (decided_at is null))
);
create index authority_reports_queue on authority_reports (recorded_at, id) where state = 'waiting';
create index authority_reports_case on authority_reports (case_subject, recorded_at);
create index authority_reports_recorder on authority_reports (recorded_by);
create index authority_reports_decider on authority_reports (decided_by) where decided_by is not null;
create index authority_reports_business on authority_reports (business_id) where business_id is not null;
create index authority_reports_accounts on authority_reports using gin (account_ids);

-- How each logged call of an operator ended (ADR 176): its row is written before the call runs, this one after it. Signed, so
-- that a change is found; a call without a row ended with the server. No foreign key: a missing call is found, too.
create table operator_log_outcomes (
  no bigint primary key,
  at timestamptz(3) not null,
  -- 'done', or the code of the error that the operator got.
  result text not null,
  -- What was decided, such as 'upheld'; null for other calls.
  decision text,
  digest bytea not null
);

create trigger immutable before update or delete or truncate on operator_log_outcomes execute function operator_log_refuse();
