-- When an operator's correction took a reward back (ADR 192).
alter table referral_rewards add column reversed_at timestamptz;
