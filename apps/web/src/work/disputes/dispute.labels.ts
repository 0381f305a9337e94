import { t } from '@lingui/core/macro';
import { agreedPay } from '@nearhand/contract/money/releases.rules';
import type { Side } from '@nearhand/contract/sides';
import type { Dispute, Engagement } from '@nearhand/contract/work/engagements';
import { boundsProblem, type PayBounds, payBounds } from '@nearhand/contract/work/pay.rules';
import { isAboveMaximum, minorFromTyped } from '../../lib/forms/typed-amount.ts';
import { formatDate, formatMoney, minorDigits } from '../../lib/words/format.ts';
import type { Tone } from '../../ui/badge.tsx';

type Parties = Pick<Engagement, 'side' | 'business' | 'worker' | 'terms'>;

export function actorText(by: Side | 'timer' | 'operator', { side, business, worker }: Parties): string {
  if (by === 'timer') return t`Automatic`;
  if (by === 'operator') return t`Nearhand`;
  if (by === side) return t`You`;
  return by === 'worker' ? worker.name || t`The worker` : business.name;
}

export function disputeStatusText(dispute: Pick<Dispute, 'status'>): { label: string; tone: Tone } {
  switch (dispute.status) {
    case 'open':
      return { label: t`Waiting for an answer`, tone: 'wait' };
    case 'answered':
      return { label: t`Answered`, tone: 'wait' };
    case 'proposed':
      return { label: t`Amount proposed`, tone: 'wait' };
    case 'with_operator':
      return { label: t`With Nearhand`, tone: 'here' };
    case 'settled':
      return { label: t`Settled`, tone: 'good' };
  }
}

export function disputeWhyText(why: Exclude<Dispute['why'], 'filed'>): string {
  switch (why) {
    case 'rounds':
      return t`Opened automatically because you didn't agree on the hours in three rounds.`;
    case 'no-check-in':
      return t`Opened automatically because no one checked in and no hours were submitted or approved.`;
    case 'beyond-plan':
      return t`Opened automatically because the hours go beyond the plan and nobody approved them. Only hours within the plan are paid.`;
    case 'counter':
      return t`Opened automatically because nobody replied to the proposed hours and the recorded ones are incomplete or contested. The proposed part is paid.`;
  }
}

export function disputeNextText(dispute: Dispute, parties: Parties): string | null {
  const { timeZone } = parties.terms;
  if (dispute.status === 'settled') return null;
  const stop = formatDate(dispute.stopAt, timeZone);
  if (dispute.status === 'with_operator')
    return t`Nearhand reviews both sides and decides by ${stop} at the latest.`;
  const last = t`It ends by ${stop} at the latest.`;
  if (dispute.dueAt === null) return last;
  const by = formatDate(dispute.dueAt, timeZone);
  if (dispute.status === 'open') {
    const who = dispute.filedBy === parties.side ? otherName(parties) : t`You`;
    return dispute.filedBy === 'timer'
      ? t`Answer due by ${by}. ${last}`
      : t`${who} can answer until ${by}. ${last}`;
  }
  if (dispute.status === 'proposed') return t`The proposal can be answered until ${by}. ${last}`;
  return t`Propose an amount you can both accept by ${by}. ${last}`;
}

const otherName = ({ side, business, worker }: Parties): string =>
  side === 'worker' ? business.name : worker.name || t`The worker`;

export function disputeStepText(step: Dispute['steps'][number], parties: Parties): string {
  const who = actorText(step.by, parties);
  switch (step.action) {
    case 'file':
      return step.by === 'timer' ? t`Opened automatically` : t`${who} opened the dispute`;
    case 'answer':
      return t`${who} answered`;
    case 'propose':
      return t`${who} proposed an amount`;
    case 'agree':
    case 'accept-proposal':
      return t`${who} agreed`;
    case 'escalate':
      return t`Sent to Nearhand`;
    case 'stop':
      return t`Closed automatically`;
    case 'decide':
      return t`${who} decided`;
    default:
      return disputeStatusText({ status: step.status as Dispute['status'] }).label;
  }
}

type Work = Pick<Engagement, 'terms' | 'claims' | 'releases'>;

/** The bounds of a disputed amount, in minor units. */
export const disputeBounds = ({ terms, claims, releases }: Work): PayBounds =>
  payBounds({ agreedMinor: agreedPay(releases), plannedMinor: terms.payTotalMinor, claims });

export function disputeAmount(typed: string, work: Work): { minor: number } | { error: string } {
  const { currency } = work.terms;
  const minor = minorFromTyped(typed, minorDigits(currency));
  const bounds = disputeBounds(work);
  const minimum = formatMoney(bounds.minMinor, currency);
  const maximum = formatMoney(bounds.maxMinor, currency);
  if (isAboveMaximum(typed, minorDigits(currency))) return { error: t`Enter ${{ max: maximum }} or less.` };
  if (minor === null) return { error: t`Enter an amount, like 84 or 84.50.` };
  switch (boundsProblem(minor, bounds)) {
    case 'too-little':
      return { error: t`Enter at least ${{ min: minimum }}, which is already agreed.` };
    case 'too-much':
      return { error: t`Enter ${{ max: maximum }} or less.` };
    default:
      return { minor };
  }
}
