-- How a business answers applications is counted from the index alone (ADR 0045).
create index applications_answered on applications (business_id, submitted_at, status)
  where status in ('rejected', 'offered', 'hired', 'offer_declined', 'offer_expired', 'offer_withdrawn', 'no_response');
