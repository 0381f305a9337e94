-- What a decision set: the pay with its effect, or the rule and statement of reasons. Null before this column.
alter table closed_cases add column terms jsonb;
