-- Everything that happened to a sign-in, for investigations (ADR 12). Written by triggers, so no code path can leave it out, and never
-- changed: rows can only be deleted once they are a year old. Accounts are named by a hash, which says nothing once they are gone.
create table sign_in_log (
  no bigint generated always as identity primary key,
  at timestamptz(3) not null default clock_timestamp(),
  subject bytea not null check (octet_length(subject) = 32),
  kind text not null,
  device text not null
);
create index sign_in_log_subject on sign_in_log (subject, no desc);
create index sign_in_log_age on sign_in_log (at);

create function sign_in_subject(account uuid) returns bytea language sql immutable as $$
  select sha256(convert_to('sign-in ' || account::text, 'UTF8'))
$$;

create function sign_in_log_refuse() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and tg_level = 'ROW' then
    if old.at < clock_timestamp() - interval '1 year' then
      return old;
    end if;
  end if;
  raise exception 'the sign-in log refuses % on %', lower(tg_op), tg_table_name
    using errcode = 'LG005', constraint = 'sign_in_log_immutable';
end $$;
create trigger immutable before update or delete on sign_in_log for each row execute function sign_in_log_refuse();
create trigger kept before truncate on sign_in_log execute function sign_in_log_refuse();

create function sign_in_log_event() returns trigger language plpgsql as $$
begin
  insert into sign_in_log (subject, kind, device) values (sign_in_subject(new.account_id), new.kind, new.device);
  return null;
end $$;
create trigger logged after insert on sign_in_events for each row execute function sign_in_log_event();
-- Failures within an hour are counted in one event.
create trigger logged_again after update of tries on sign_in_events for each row execute function sign_in_log_event();

create function sign_in_log_session() returns trigger language plpgsql as $$
begin
  insert into sign_in_log (subject, kind, device) values
    (sign_in_subject(coalesce(new.account_id, old.account_id)), case tg_op when 'INSERT' then 'session-opened' else 'session-ended' end, '');
  return null;
end $$;
create trigger logged after insert or delete on sessions for each row execute function sign_in_log_session();
