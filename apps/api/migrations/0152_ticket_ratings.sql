-- What the requester said about a closed request, once it is closed; a reply that opens it again asks anew.
alter table tickets add column helpful boolean;
alter table tickets add constraint tickets_rated check (helpful is null or status = 'solved');
