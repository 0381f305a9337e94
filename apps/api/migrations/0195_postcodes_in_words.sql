-- The postcodes of an address, each part as a word: "1012 AB" and "1012AB" are "1012 AB", "SW1A1AA" is "SW1A 1AA".
create function postcodes(address text) returns text language sql immutable strict parallel safe
begin atomic
  select coalesce(string_agg(concat_ws(' ', code[1], code[2], code[3], code[4]), ' '), '') from regexp_matches(address,
    '\m(?:(\d{4,6})(?: ?([A-Z]{2}))?|([A-Z]{1,2}\d[A-Z\d]?) ?(\d[A-Z]{2}))\M', 'g') as code;
end;

-- Postcodes are searched like the area, except those of private addresses (ADR 6).
alter table jobs alter column words set expression as (
  setweight(to_tsvector('nearhand', searchable(title)), 'A')
  || setweight(to_tsvector('nearhand', searchable(business_name || ' ' || area)), 'B')
  || setweight(to_tsvector('nearhand', case when private_address then '' else postcodes(address) end), 'B')
  || setweight(to_tsvector('nearhand', searchable(description)), 'C')
  || array_to_tsvector(array['@' || geo_square(public_lat, public_lng)])
  || array_to_tsvector(skill_words(skills)));
