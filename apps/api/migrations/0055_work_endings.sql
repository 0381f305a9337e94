-- How the work of a hire ended, copied from its engagement so that lanes stay one index scan: a completed hire is done, and one that was
-- cancelled or did not come leaves the lane of hires.
alter table applications add column work_ending text check (work_ending in ('done', 'cancelled', 'no_show'));
alter table applications add constraint applications_work_of_hires check (work_ending is null or status = 'hired');
update applications set work_ending = case engagement.status
    when 'completed' then 'done' when 'no_show_reported' then 'no_show' else 'cancelled' end
  from engagements engagement
  where engagement.application_id = applications.id
    and engagement.status in ('completed', 'no_show_reported', 'cancelled_by_worker', 'cancelled_by_merchant');
alter table applications alter column stage set expression as (case
  when status in ('submitted', 'viewed') then 'new'
  when work_ending = 'done' then 'done'
  when work_ending is not null then 'ended'
  when status in ('shortlisted', 'interviewing', 'offered', 'hired') then status
  else 'ended' end);

-- Whether the last payment with a card was declined, which every look at a wallet asks.
create index charges_card on charges (card_id, created_at desc, id desc) where status in ('succeeded', 'failed');
