-- Names as they are searched for: without case and accents, any part of them (ADR 0135).
create extension if not exists pg_trgm;

-- Immutable as long as nobody changes the rules of unaccent; bound to it here, so that it is found under any search path.
create function folded_name(name text) returns text language sql immutable strict parallel safe
begin atomic
  select unaccent(lower(name));
end;
create index accounts_name on accounts using gin (folded_name(name) gin_trgm_ops);
