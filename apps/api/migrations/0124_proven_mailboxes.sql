-- A verified address is set by this function only (ADR 364): its callers see to what the account may keep. A new account has nothing to
-- lose, so it may start with an address that its provider verified.
-- `known` is the address that the account must still have; null for any.
create function prove_mailbox(account uuid, known text, proven text, at timestamptz) returns boolean language plpgsql as $$
declare
  changed boolean;
begin
  perform set_config('nearhand.proven_account', account::text, true);
  update accounts set email = proven, email_verified = true, updated_at = at
  where id = account and email = coalesce(known, email) and (email <> proven or not email_verified);
  changed := found;
  perform set_config('nearhand.proven_account', '', true);
  return changed;
end $$;

create function accounts_refuse_unproven() returns trigger language plpgsql as $$
begin
  if current_setting('nearhand.proven_account', true) = new.id::text then
    return new;
  end if;
  raise exception 'only a proof of its mailbox verifies an address'
    using errcode = 'LG006', constraint = 'accounts_proven_mailbox';
end $$;
create trigger proven before update of email, email_verified on accounts for each row
  when (new.email_verified and (not old.email_verified or new.email <> old.email))
  execute function accounts_refuse_unproven();
