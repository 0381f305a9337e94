-- Several days of the week, hours in the job's zone and the length of a shift, in minutes.
alter table saved_searches
  add column weekdays text[] not null default '{}'
    check (weekdays <@ array['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']),
  add column starts_from smallint check (starts_from between 0 and 1439),
  add column ends_by smallint check (ends_by between 1 and 1440),
  add column max_minutes integer check (max_minutes > 0);
update saved_searches set weekdays = array[weekday] where weekday is not null;
alter table saved_searches drop column weekday;
