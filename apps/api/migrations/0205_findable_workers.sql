-- Workers whom businesses may find without an application (ADR 381).
alter table profiles add column findable text not null default 'off' check (findable in ('off', 'unnamed', 'named'));
alter table profiles add column find_pos cube generated always as (
  case when findable <> 'off' and home_lat is not null and home_lng is not null then cube(array[
    6371008.8 * cos(radians(home_lat)) * cos(radians(home_lng)),
    6371008.8 * cos(radians(home_lat)) * sin(radians(home_lng)),
    6371008.8 * sin(radians(home_lat))]) end) stored;
create index profiles_findable on profiles using gist (find_pos) where find_pos is not null;
-- True if the worker's name stays hidden until they apply or write.
alter table job_invitations add column unnamed boolean not null default false;
