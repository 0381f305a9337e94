-- What the law has a platform collect about workers whose pay it reports to the tax office (DAC7).
create table seller_details (
  account_id uuid primary key references accounts (id),
  first_name text not null,
  last_name text not null,
  born_on date not null,
  street text not null,
  postcode text not null,
  town text not null,
  country_code text not null,
  tax_number text not null,
  updated_at timestamptz not null,
  -- The last day that the law has us store the details of a removed account; null for an account in use.
  stored_until date
);
create index seller_details_expired on seller_details (stored_until) where stored_until is not null;

-- Workers who were asked for these details. Without an answer, withdrawals wait after two reminders.
create table seller_requests (
  account_id uuid primary key references accounts (id),
  asked_at timestamptz not null,
  reminders smallint not null default 0 check (reminders between 0 and 3),
  answered_at timestamptz
);
create index seller_requests_open on seller_requests (reminders, asked_at) where answered_at is null;
