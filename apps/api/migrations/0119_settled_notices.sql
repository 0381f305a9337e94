-- What still asks, oldest first, for the task that looks once a day which of it is over (ADR 107).
create index notifications_asking on notifications (created_at, id) where asks;
