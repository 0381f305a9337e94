-- A guest's files come by mail, with a request that has no account. They go with the request.
alter table files alter column account_id drop not null;
