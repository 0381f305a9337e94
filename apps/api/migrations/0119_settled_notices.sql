-- Notices that ask, by age, for the daily task that settles them (ADR 16).
create index notifications_asking on notifications (created_at, id) where asks;
