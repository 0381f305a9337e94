-- The other side's times before this side suggested others. They can still be picked until the suggestion is answered.
alter table interview_slots add column earlier boolean not null default false;
