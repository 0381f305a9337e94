-- Where someone was going when they signed up: the mailed link may open in another tab or on another device (ADR 194).
alter table accounts add column return_to text check (length(return_to) between 1 and 1000);
