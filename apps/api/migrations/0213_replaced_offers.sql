-- The open offer that the requested one would replace: its hold returns, so it does not count against the budgets (ADR 382).
alter table budget_requests add column replaced_offer_id uuid;
