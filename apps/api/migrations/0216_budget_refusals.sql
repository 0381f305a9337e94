-- The reason that an owner gives the member whose request they refuse; empty without one.
alter table budget_requests add column reason text not null default '';
