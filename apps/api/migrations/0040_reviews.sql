-- Reviews of ended work, one of each side (ADR 171). An author writes their own row only: nothing that the other side reads changes before publication.
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

-- How many published reviews gave one star, two stars, and so on; written on publication and removal only.
alter table businesses add column review_stars integer[] not null default '{0,0,0,0,0}'
  check (array_length(review_stars, 1) = 5 and 0 <= all (review_stars));
alter table profiles add column review_stars integer[] not null default '{0,0,0,0,0}'
  check (array_length(review_stars, 1) = 5 and 0 <= all (review_stars));
