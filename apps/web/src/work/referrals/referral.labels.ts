import { plural, t } from '@lingui/core/macro';
import type { Referral, ReferralTerms } from '@nearhand/contract/work/referrals';
import { formatDate, formatMoney, ownTimeZone } from '../../lib/words/format.ts';

export function stateText({ state, unpaidReason, clearsAt }: Referral): {
  badge: string;
  tone: 'good' | 'wait' | 'here' | undefined;
  note: string;
} {
  switch (state) {
    case 'joined':
      return { badge: t`Joined`, tone: 'here', note: t`Not enough paid work yet` };
    case 'checking':
      return { badge: t`Being checked`, tone: 'wait', note: t`We're checking this one by hand` };
    case 'coming':
      return {
        badge: t`On its way`,
        tone: 'wait',
        note: clearsAt
          ? t`Paid on ${formatDate(clearsAt, ownTimeZone())}, after a last check`
          : t`Your reward is on its way`,
      };
    case 'paid':
      return { badge: t`Paid`, tone: 'good', note: t`Your reward was paid` };
    case 'unpaid':
      return { badge: t`No reward`, tone: undefined, note: unpaidText(unpaidReason) };
  }
}

function unpaidText(reason: Referral['unpaidReason']): string {
  if (reason === 'limit') return t`You had reached the limit of rewards`;
  if (reason === 'paused') return t`Rewards were paused at the time`;
  if (reason === 'too-late') return t`Not enough was earned in time`;
  if (reason === 'reversed') return t`We corrected this reward`;
  return t`It didn't meet the terms`;
}

export const claimedText = (inviter: string): string =>
  inviter ? t`${inviter} invited you. You're both in line for a reward.` : t`Your invite code is saved.`;

export function offerText({ inviterMinor, invitedMinor, currency }: ReferralTerms): string {
  const mine = formatMoney(inviterMinor, currency);
  const theirs = formatMoney(invitedMinor, currency);
  if (inviterMinor === 0 && invitedMinor === 0) return t`Bring people you'd work with`;
  if (inviterMinor === invitedMinor) return t`You both get ${mine}`;
  if (invitedMinor === 0) return t`You get ${mine}`;
  if (inviterMinor === 0) return t`They get ${theirs}`;
  return t`You get ${mine}, they get ${theirs}`;
}

export function termsText(terms: ReferralTerms, paidTo: string | null): string[] {
  const { inviterMinor, invitedMinor, qualifyingMinor, currency } = terms;
  const { qualifyingDays, clearingDays, perMonth, inAll, claimDays } = terms;
  if (inviterMinor === 0 && invitedMinor === 0)
    return [t`Rewards are paused. Your link still works, and you see here who joined.`];
  const mine = formatMoney(inviterMinor, currency);
  const theirs = formatMoney(invitedMinor, currency);
  const minPay = formatMoney(qualifyingMinor, currency);
  const lines = [
    plural(claimDays, {
      one: 'The person you invite signs up with your link, or opens it within # day of signing up.',
      other: 'The person you invite signs up with your link, or opens it within # days of signing up.',
    }),
    plural(qualifyingDays, {
      one: `They earn ${minPay} within # day of joining, from businesses that neither of you belongs to. If they hire, their business pays that much for work.`,
      other: `They earn ${minPay} within # days of joining, from businesses that neither of you belongs to. If they hire, their business pays that much for work.`,
    }),
    plural(clearingDays, {
      one: 'You are both paid # day later, if that pay was not corrected in the meantime.',
      other: 'You are both paid # days later, if that pay was not corrected in the meantime.',
    }),
  ];
  if (inviterMinor > 0)
    lines.push(
      paidTo === null
        ? t`You get ${mine} on your balance, and can withdraw it.`
        : t`You get ${mine} as credit for ${paidTo}: it pays for hires first, and can't be sent to a card.`,
    );
  if (invitedMinor > 0) lines.push(t`They get ${theirs} of their own.`);
  if (inviterMinor > 0)
    lines.push(t`You can get up to ${perMonth} rewards in 30 days, and ${inAll} in total.`);
  lines.push(
    t`Inviting yourself doesn't count. If accounts share a device, network, card or bank account, someone checks before we pay.`,
    t`You see their first name and how far they are, nothing else.`,
  );
  return lines;
}
