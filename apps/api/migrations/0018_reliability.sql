-- How a business answers applications is counted index-only (ADR 45).
create index applications_answered on applications (business_id, submitted_at, status)
  where status in ('rejected', 'offered', 'hired', 'offer_declined', 'offer_expired', 'offer_withdrawn', 'no_response');
-- How a business kept its work is counted index-only too, and its newest approvals are found without its other work (ADR 45).
create index engagements_kept on engagements (business_id, approved_at, id) include (amount_minor) where status = 'completed';
create index engagements_dropped on engagements (business_id, updated_at) where status = 'cancelled_by_merchant' and cancelled_late;
