-- The applicant and the pay that a budget request is for, so that its owner can decide: `pay_minor` is hourly for a
-- shift and the total for a task. Null for requests without one applicant, such as a raised booking.
alter table budget_requests add column application_id uuid, add column pay_minor bigint check (pay_minor > 0);
