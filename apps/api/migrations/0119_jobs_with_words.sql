-- Open jobs with words in squares, by the index of both and in no other way (ADR 356). With many spellings and squares PostgreSQL expects half of all
-- jobs, and would rather call words_by_square for every one of them.
create function jobs_with_words(asked tsquery) returns setof tid language sql stable parallel safe rows 200
  set enable_seqscan = off set enable_indexscan = off set max_parallel_workers_per_gather = 0
as $$
  select ctid from jobs where status = 'open' and words_by_square(words) @@ asked
$$;
