-- Money that reaches a removed account or a closed business is a case (ADR 160). Its source looks up the balances of these owners only.
create index account_deletions_removed on account_deletions (account_id) where status = 'removed';
create index businesses_closed on businesses (id) where status = 'closed';
