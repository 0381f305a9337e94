-- The export of decisions reads them by time, across all people (DSA, articles 15 and 24).
create index sanctions_decided on sanctions (decided_at desc, id desc);
