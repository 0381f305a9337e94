-- Work that is due or late, without visiting other booked work or work in other states.
create index engagements_business_booked on engagements (business_id, sort_at, id, coalesce(starts_at, 'infinity'))
  where status in ('booked', 'confirmed');
