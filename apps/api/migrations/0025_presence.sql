-- Who is online, and which conversation they see (ADR 90). Updated every minute by the process with their sockets, so it is unlogged:
-- after a database crash it is empty, and correct again a minute later.
create unlogged table presence (
  account_id uuid primary key references accounts (id) on delete cascade,
  last_seen_at timestamptz not null,
  -- Online until then, unless renewed.
  online_until timestamptz not null,
  -- The open conversation, until then.
  looking uuid,
  looking_until timestamptz,
  -- The server process that wrote last: another process's disconnect does not end this one's presence.
  process uuid not null
) with (fillfactor = 60);
