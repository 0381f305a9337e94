-- Every string that is left of a word's first seven letters after up to two of them are removed (one in a short word): two words that
-- differ by as many typing errors share one (ADR 6).
create function near_spellings(word text) returns text[] language sql immutable strict parallel safe
begin atomic
  with whole as (select left(word, 7) as part),
    one_less as (select overlay(part placing '' from at for 1) as part from whole, generate_series(1, length(part)) as at),
    two_less as (select overlay(part placing '' from at for 1) as part from one_less, generate_series(1, length(part)) as at
      where length(word) >= 6)
  select array(select part from whole union select part from one_less union select part from two_less);
end;

-- The words of jobs that have opened, to correct misspelt searches. `jobs` is about how many: a task that runs twice counts twice.
create table search_words (
  word text collate "C" primary key,
  jobs integer not null,
  near text[] not null generated always as (near_spellings(word)) stored
);
create index search_words_near on search_words using gin (near);

-- A job's skills as words of its text: `kitchen-porter` becomes `skillkitchenporter`, which nobody types.
create function skill_words(skills text[]) returns text[] language sql immutable strict parallel safe
begin atomic
  select array(select 'skill' || replace(skill, '-', '') from unnest(skills) as skill);
end;
-- A text as it is searched: one form of each Arabic letter, and words with an apostrophe also without it, so that "oneill" finds O'Neill and
-- "hotel" still finds l'hôtel.
create function searchable(written text) returns text language sql immutable strict parallel safe
begin atomic
  select translate(written, 'أإآٱىة', 'اااايه') || coalesce(' ' || (
    select string_agg(regexp_replace(word[1], '[''’‘ʼ]', '', 'g'), ' ')
    from regexp_matches(written, '([[:alpha:]]+(?:[''’‘ʼ][[:alpha:]]+)+)', 'g') as word), '');
end;

alter table jobs alter column words set expression as (
  setweight(to_tsvector('nearhand', searchable(title)), 'A')
  || setweight(to_tsvector('nearhand', searchable(business_name || ' ' || area)), 'B')
  || setweight(to_tsvector('nearhand', searchable(description)), 'C')
  || array_to_tsvector(array['@' || geo_square(public_lat, public_lng)])
  || array_to_tsvector(skill_words(skills)));

-- Sorts the soonest first when descending: minutes before the epoch that work starts, or a task is due; last without either.
alter table jobs add column start_rank integer not null generated always as (coalesce(
  -(extract(epoch from (starts_at at time zone 'UTC')) / 60)::integer,
  -(extract(epoch from due_on + 1) / 60)::integer,
  -2147483648)) stored;
create index jobs_open_soonest on jobs (start_rank desc, id desc)
  include (pos, category, kind, pay_rank, start_day) where status = 'open';
create index jobs_open_near_instant on jobs using gist (pos)
  include (id, category, kind, pay_rank, start_day) where status = 'open' and instant_hire;

insert into search_words (word, jobs)
select word, ndoc from ts_stat('select words from jobs where status = ''open''')
where length(word) between 4 and 30 and word ~ '^[[:alpha:]]+$' and word !~ '^skill.';
