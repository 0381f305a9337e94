-- A wide photo of the place, on the job page and the business's profile (ADR 15).
alter table businesses add column cover_file_id uuid references files (id);
create index businesses_cover on businesses (cover_file_id) where cover_file_id is not null;
