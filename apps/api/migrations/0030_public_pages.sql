-- What public addresses are made of (ADR 153): the last 50 bits of an id as ten digits, as `shortIdOf` makes them.
create function short_id(id uuid) returns text language sql immutable strict parallel safe
  return (select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz',
      ((('x' || right(replace(id::text, '-', ''), 13))::bit(52)::bigint >> shift) & 31)::integer + 1, 1), '' order by shift desc)
    from generate_series(0, 45, 5) as shift);

-- A name in an address: lower case, without accents, words joined by hyphens; letters of other scripts stay.
create function slug_of(name text) returns text language sql immutable strict parallel safe
  return trim(both '-' from regexp_replace(lower(unaccent('unaccent', name)), '[\x01-\x2f\x3a-\x60\x7b-\x7f]+', '-', 'g'));

alter table jobs
  add column short_id text not null generated always as (short_id(id)) stored,
  -- The town is the last part of the area: "Jordaan, Amsterdam" is in Amsterdam.
  add column town text not null generated always as (btrim(regexp_replace(area, '^.*,', ''))) stored,
  add column town_slug text not null generated always as (slug_of(regexp_replace(area, '^.*,', ''))) stored;
create unique index jobs_short_id on jobs (short_id);
create index jobs_open_town on jobs (town_slug, published_at desc, id desc) where status = 'open';
create index jobs_open_town_category on jobs (town_slug, category, published_at desc, id desc) where status = 'open';
-- Sitemaps list open jobs by id, so that a new one changes only the last file.
create index jobs_open_id on jobs (id) where status = 'open';

alter table businesses add column short_id text not null generated always as (short_id(id)) stored;
create unique index businesses_short_id on businesses (short_id);
create index businesses_verified_id on businesses (id) where status = 'verified';
