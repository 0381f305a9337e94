-- Parts of a job that were changed on this date of its series alone: an edit of several dates leaves them as they are.
alter table jobs add column changed_alone text[] not null default '{}';
