-- A shift offered to one colleague by name, alone or in exchange for a booked shift of theirs (ADR 385).
alter table hand_ons add column colleague_id uuid references accounts (id);
alter table hand_ons add column swap_engagement_id uuid references engagements (id) on delete cascade;
alter table hand_ons drop constraint hand_ons_audience_check;
alter table hand_ons add constraint hand_ons_audience_check check (audience in ('colleagues', 'waitlist', 'colleague'));
alter table hand_ons add constraint hand_ons_colleague_check check ((audience = 'colleague') = (colleague_id is not null));
alter table hand_ons add constraint hand_ons_swap_check check (swap_engagement_id is null or colleague_id is not null);
create index hand_ons_colleague on hand_ons (colleague_id) where colleague_id is not null;
create index hand_ons_swap on hand_ons (swap_engagement_id) where swap_engagement_id is not null;
