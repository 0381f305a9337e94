-- What the worker last said about coming late: minutes after the start, a note, or both (product.md, Running late).
alter table engagements add column late_minutes smallint check (late_minutes in (15, 30, 60));
alter table engagements add column late_note text;
alter table engagements add column late_at timestamptz;
alter table engagements add constraint engagements_late check (
  case when late_at is null then late_minutes is null and late_note is null
    else late_minutes is not null or late_note is not null end);

-- Times that a manager recorded for someone who is there without a phone: why, and what the worker objects.
alter table attendance_events drop constraint attendance_events_how_check;
alter table attendance_events add constraint attendance_events_how_check check (how in ('position', 'code', 'none', 'manager'));
alter table attendance_events add column reason text;
alter table attendance_events add column contest text;
alter table attendance_events add column contested_at timestamptz;
alter table attendance_events add constraint attendance_events_reason check ((how = 'manager') = (reason is not null));
alter table attendance_events add constraint attendance_events_contest check (
  (contest is null) = (contested_at is null) and (contest is null or how = 'manager'));
