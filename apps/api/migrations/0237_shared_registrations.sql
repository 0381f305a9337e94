-- Other businesses of a country with a typed registration number, whatever its separators (`findSharedRegistrations`).
create index businesses_bare_registration on businesses (country_code, translate(upper(registration_number), ' .-–/', ''))
  where registration_number <> '';
