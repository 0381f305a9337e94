-- The newest open hand-ons of a business, without sorting all of them.
create index hand_ons_business_open on hand_ons (business_id, created_at desc) where status in ('open', 'waiting');
