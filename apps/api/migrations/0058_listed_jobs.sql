-- The orders of a business's own list of jobs.
create index jobs_business_start on jobs (business_id, start_rank, id);
create index jobs_business_title on jobs (business_id, folded_name(title), id);
