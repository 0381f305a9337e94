-- A request that became part of another one of the same person. Its messages are shown in that one.
alter table tickets add column merged_into uuid references tickets (id) on delete set null;
alter table tickets add constraint tickets_merged check (merged_into is null or status = 'solved' and merged_into <> id);
create index tickets_merged on tickets (merged_into) where merged_into is not null;
