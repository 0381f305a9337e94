-- Words of an address as lexemes that no one types the beginning of: "Haarlem" must not find the Haarlemmerstraat.
create function street_words(address text) returns text[] language sql immutable strict parallel safe
begin atomic
  select array(select 'skillstreet' || lexeme
    from unnest(tsvector_to_array(to_tsvector('nearhand', searchable(address)))) as lexeme where lexeme ~ '^[[:alpha:]]{4,}$');
end;

-- Streets are searched as whole words, except those of private addresses (ADR 6).
alter table jobs alter column words set expression as (
  setweight(to_tsvector('nearhand', searchable(title)), 'A')
  || setweight(to_tsvector('nearhand', searchable(business_name || ' ' || area)), 'B')
  || setweight(to_tsvector('nearhand', case when private_address then '' else postcodes(address) end), 'B')
  || setweight(to_tsvector('nearhand', searchable(description)), 'C')
  || array_to_tsvector(array['@' || geo_square(public_lat, public_lng)])
  || array_to_tsvector(skill_words(skills))
  || array_to_tsvector(case when private_address then '{}' else street_words(address) end));
