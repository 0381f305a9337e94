-- Claims a key for a write whose reads follow in the same round trip. A key in flight is refused with an error, so that they do not run.
create function claim_key_first(of_account uuid, of_key text, out request_hash bytea, out response json)
language plpgsql as $$
begin
  if not pg_try_advisory_xact_lock(hashtextextended(of_account || '/' || of_key, 0)) then
    raise lock_not_available using message = 'the key is in flight';
  end if;
  select kept.request_hash, kept.response into claim_key_first.request_hash, claim_key_first.response
  from idempotency_keys kept where kept.account_id = of_account and kept.key = of_key;
end $$;
