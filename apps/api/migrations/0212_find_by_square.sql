-- The search for workers orders by the middle of a home's square kilometre (`homeCell` in home-distance.rules.ts), not by the home:
-- which of many are the nearest would otherwise tell homes of one square apart (ADR 381). Written out, because a generated column
-- can't read another, and a function would need a search path when a dump is restored.
alter table profiles drop column find_pos;
alter table profiles add column find_pos cube generated always as (
  case when findable <> 'off' and home_lat is not null and home_lng is not null then cube(array[
    6371008.8 * cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009)))
      * cos(radians(((floor(home_lng / (0.009 / greatest(cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009))), 0.01))) + 0.5) * (0.009 / greatest(cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009))), 0.01))))),
    6371008.8 * cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009)))
      * sin(radians(((floor(home_lng / (0.009 / greatest(cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009))), 0.01))) + 0.5) * (0.009 / greatest(cos(radians(((floor(home_lat / 0.009) + 0.5) * 0.009))), 0.01))))),
    6371008.8 * sin(radians(((floor(home_lat / 0.009) + 0.5) * 0.009)))]) end) stored;
create index profiles_findable on profiles using gist (find_pos) where find_pos is not null;
