-- While an interview is proposed: the side whose times are open, and how often a side answered with other times.
alter table interviews
  add column proposed_by text not null default 'business' check (proposed_by in ('worker', 'business')),
  add column suggestions integer not null default 0;
