-- Why a job pays less than the statutory minimum wage, or is shorter than 15 minutes (product.md, Unusual terms).
alter table jobs add column pay_reason text check (length(pay_reason) between 1 and 500);
alter table jobs add column short_reason text check (length(short_reason) between 1 and 500);
