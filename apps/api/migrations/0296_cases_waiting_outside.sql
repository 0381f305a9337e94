-- Businesses and people whom an operator asked for more: their cases wait for the answer.
create index businesses_asked on businesses (id) where status = 'needs_info';
create index identity_checks_asked on identity_checks (id) where status = 'needs_info';
