-- Operators find people by the last four characters of a bank account that they quote (ADR 175), removed accounts too.
create index payout_methods_last4 on payout_methods (last4);
