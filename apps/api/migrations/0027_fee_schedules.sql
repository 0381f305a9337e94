-- Every fee schedule ever in force, numbered by first use (ADR 141). Never changed or deleted: offers reference it forever.
create table fee_schedules (
  version integer primary key,
  merchant_fee_basis_points integer not null,
  worker_fee_basis_points integer not null,
  since timestamptz not null,
  unique (merchant_fee_basis_points, worker_fee_basis_points)
);

create function fee_schedules_stay() returns trigger language plpgsql as $$
begin
  raise exception 'a fee schedule is never changed: other fees are the next version';
end $$;
create trigger fee_schedules_stay before update or delete on fee_schedules for each row execute function fee_schedules_stay();

-- The version of a fee schedule; the next one for a new schedule. Of two concurrent calls with the same new one, one numbers it and the
-- other waits.
create function fee_version(merchant_fee integer, worker_fee integer, at timestamptz) returns integer language plpgsql as $$
declare
  known integer;
begin
  select version into known from fee_schedules where merchant_fee_basis_points = merchant_fee and worker_fee_basis_points = worker_fee;
  if found then return known; end if;
  lock table fee_schedules in share row exclusive mode;
  insert into fee_schedules (version, merchant_fee_basis_points, worker_fee_basis_points, since)
    select coalesce(max(version), 0) + 1, merchant_fee, worker_fee, at from fee_schedules
    on conflict (merchant_fee_basis_points, worker_fee_basis_points) do nothing;
  select version into known from fee_schedules where merchant_fee_basis_points = merchant_fee and worker_fee_basis_points = worker_fee;
  return known;
end $$;
