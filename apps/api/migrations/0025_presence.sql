-- Who is there, and what they look at (ADR 0091). Written every minute by whoever holds their sockets, so it is not logged: after a crash of the database it is empty, and right again a minute later.
create unlogged table presence (
  account_id uuid primary key references accounts (id) on delete cascade,
  last_seen_at timestamptz not null,
  -- There is a socket until then, unless it is written again.
  online_until timestamptz not null,
  -- The conversation on screen, until then.
  looking uuid,
  looking_until timestamptz,
  -- The server process that wrote last: another one's leaving does not end what this one holds.
  process uuid not null
) with (fillfactor = 60);
