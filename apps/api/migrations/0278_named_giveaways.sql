-- A shift offered to one colleague by name, alone or in exchange for a booked shift of theirs (ADR 385).
alter table giveaways add column colleague_id uuid references accounts (id);
alter table giveaways add column swap_engagement_id uuid references engagements (id) on delete cascade;
alter table giveaways drop constraint giveaways_audience_check;
alter table giveaways add constraint giveaways_audience_check check (audience in ('colleagues', 'waitlist', 'colleague'));
alter table giveaways add constraint giveaways_colleague_check check ((audience = 'colleague') = (colleague_id is not null));
alter table giveaways add constraint giveaways_swap_check check (swap_engagement_id is null or colleague_id is not null);
create index giveaways_colleague on giveaways (colleague_id) where colleague_id is not null;
create index giveaways_swap on giveaways (swap_engagement_id) where swap_engagement_id is not null;
