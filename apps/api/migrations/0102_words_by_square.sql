-- Words are looked up together with the square of their job, so that the beginning of a word reads what begins so around a place, not in
-- the whole world (ADR 256). `@104.371/barista` for each word of a job in that square.
create function words_by_square(words tsvector) returns tsvector language plpgsql immutable strict parallel safe as $$
declare
  lexemes constant text[] := tsvector_to_array(words);
  square text;
begin
  select lexeme into square from unnest(lexemes) as lexeme where lexeme ^@ '@';
  return array_to_tsvector(array(select square || '/' || lexeme from unnest(lexemes) as lexeme where not lexeme ^@ '@'));
end $$;

-- The same query for the words of jobs in any of these squares. Words in a row become words anywhere: the whole query decides.
create function query_by_square(query tsquery, squares text[]) returns tsquery language plpgsql immutable strict parallel safe as $$
declare
  anywhere constant text := regexp_replace(query::text, '<(-|\d+)>', '&', 'g');
begin
  return (select string_agg('(' || regexp_replace(anywhere, '''((?:[^'']|'''')*)''', '''@' || square || '/\1''', 'g') || ')', ' | ')
    from unnest(squares) as square)::tsquery;
end $$;

create index jobs_open_square_words on jobs using gin (words_by_square(words)) where status = 'open';
