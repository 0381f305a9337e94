import { limits } from '@nearhand/contract/limits';
import { whole } from './config-shapes.ts';

export const referralSettings = {
  REFERRAL_INVITER_MINOR: {
    shape: whole(0, 100_000).default(limits.referralInviterMinor),
    doc: 'Reward for inviting someone, in minor units of a currency with two decimals; 0 pays none.',
  },
  REFERRAL_INVITED_MINOR: {
    shape: whole(0, 100_000).default(limits.referralInvitedMinor),
    doc: 'Reward for the person who was invited, in the same units; 0 pays none.',
  },
  REFERRAL_QUALIFYING_MINOR: {
    shape: whole(1, 1_000_000).default(limits.referralQualifyingMinor),
    doc: 'Pay for work that earns a referral reward, in euro cents; other currencies count by the reference rates (ADR 203).',
  },
  REFERRAL_DAY_CAP_MINOR: {
    shape: whole(0, 100_000_000).default(limits.referralDayCapMinor),
    doc: 'Referral rewards paid automatically in 24 hours by the whole platform, in euro cents; beyond it an operator decides each.',
  },
} as const;
