-- Names for searching: without case and accents, matching any part (ADR 135).
create extension if not exists pg_trgm;

-- Letters that people write in more than one way: Arabic alef and its seats, and names with or without their apostrophe. Immutable as long as unaccent's rules don't change; schema-qualified, so that it works under any search path.
create function folded_name(name text) returns text language sql immutable strict parallel safe
begin atomic
  select translate(unaccent(lower(name)), 'أإآٱىة''’‘ʼ`´', 'اااايه');
end;
create index accounts_name on accounts using gin (folded_name(name) gin_trgm_ops);
