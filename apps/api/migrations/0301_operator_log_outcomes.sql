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
