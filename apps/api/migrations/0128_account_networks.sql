-- The networks and browsers that an account signed in from. They outlive its sessions, so that accounts of one person are found before a
-- reward is paid (ADR 155). Removed with the account, and half a year after they were last seen.
create table account_networks (
  account_id uuid not null references accounts (id) on delete cascade,
  ip_address text not null,
  -- A /24 or a /56.
  network text not null,
  user_agent text not null,
  last_seen_at timestamptz not null,
  primary key (account_id, ip_address, user_agent)
);
create index account_networks_network on account_networks (network);
create index account_networks_age on account_networks (last_seen_at);

create function network_of(address text) returns text language plpgsql immutable as $$
begin
  return network(set_masklen(address::inet, case family(address::inet) when 4 then 24 else 56 end))::text;
exception when invalid_text_representation then
  return address;
end $$;

-- A trigger, because sessions begin in several ways and each of them counts.
create function remember_network() returns trigger language plpgsql as $$
begin
  if coalesce(new.ip_address, '') <> '' then
    insert into account_networks (account_id, ip_address, network, user_agent, last_seen_at)
      values (new.account_id, new.ip_address, network_of(new.ip_address), coalesce(new.user_agent, ''), new.updated_at)
      on conflict (account_id, ip_address, user_agent) do update set last_seen_at = excluded.last_seen_at;
  end if;
  return null;
end $$;
create trigger remember_network after insert or update of ip_address, user_agent on sessions
  for each row execute function remember_network();
