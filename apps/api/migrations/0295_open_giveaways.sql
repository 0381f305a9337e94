-- The newest open giveaways of a business, without sorting all of them.
create index giveaways_business_open on giveaways (business_id, created_at desc) where status in ('open', 'waiting');
