import { t } from '@lingui/core/macro';
import type { Dispute, Engagement } from '@nearhand/contract/engagements';
import type { Side } from '@nearhand/contract/terms';
import { formatDate, formatMoney, minorDigits } from '../../lib/format.ts';
import { minorFromTyped } from '../../lib/typed-amount.ts';
import type { Tone } from '../../ui/badge.tsx';

type Parties = Pick<Engagement, 'side' | 'business' | 'worker' | 'terms'>;

/** Who did something, as the reader calls them. */
export function actorWords(by: Side | 'timer' | 'operator', { side, business, worker }: Parties): string {
  if (by === 'timer') return t`By itself`;
  if (by === 'operator') return t`Nearhand`;
  if (by === side) return t`You`;
  return by === 'worker' ? worker.name || t`The worker` : business.name;
}

export function disputeStatusWords(dispute: Pick<Dispute, 'status'>): { label: string; tone: Tone } {
  switch (dispute.status) {
    case 'open':
      return { label: t`Waits for an answer`, tone: 'wait' };
    case 'answered':
      return { label: t`Answered`, tone: 'wait' };
    case 'proposed':
      return { label: t`An amount is proposed`, tone: 'wait' };
    case 'with_operator':
      return { label: t`With Nearhand`, tone: 'here' };
    case 'settled':
      return { label: t`Settled`, tone: 'good' };
  }
}

/** Why a dispute opened by itself. */
export const disputeWhyWords = (why: Exclude<Dispute['why'], 'filed'>): string =>
  why === 'rounds'
    ? t`It opened by itself: you did not agree on the hours in three rounds.`
    : t`It opened by itself: nobody checked in, and nobody submitted or approved hours.`;

/** What comes next and until when, in one or two sentences. */
export function disputeNextWords(dispute: Dispute, parties: Parties): string | null {
  const { timeZone } = parties.terms;
  if (dispute.status === 'settled') return null;
  const stop = formatDate(dispute.stopAt, timeZone);
  if (dispute.status === 'with_operator')
    return t`Somebody at Nearhand reads both sides and decides by ${stop} at the latest.`;
  const last = t`It ends by ${stop} at the latest.`;
  if (dispute.dueAt === null) return last;
  const by = formatDate(dispute.dueAt, timeZone);
  if (dispute.status === 'open') {
    const who = dispute.filedBy === parties.side ? other(parties) : t`You`;
    return dispute.filedBy === 'timer'
      ? t`An answer is due by ${by}. ${last}`
      : t`${who} can answer by ${by}. ${last}`;
  }
  if (dispute.status === 'proposed') return t`The proposal waits for its answer until ${by}. ${last}`;
  return t`Propose an amount both can live with by ${by}. ${last}`;
}

const other = ({ side, business, worker }: Parties): string =>
  side === 'worker' ? business.name : worker.name || t`The worker`;

export function disputeStepWords(step: Dispute['steps'][number], parties: Parties): string {
  const who = actorWords(step.by, parties);
  switch (step.action) {
    case 'file':
      return step.by === 'timer' ? t`Opened by itself` : t`${who}: opened the dispute`;
    case 'answer':
      return t`${who}: answered`;
    case 'propose':
      return t`${who}: proposed an amount`;
    case 'agree':
    case 'accept-proposal':
      return t`${who}: agreed`;
    case 'escalate':
      return t`Handed to Nearhand`;
    case 'stop':
      return t`Ended by itself`;
    case 'decide':
      return t`${who}: decided`;
    default:
      return disputeStatusWords({ status: step.status as Dispute['status'] }).label;
  }
}

/** The most that can be asked for: the whole pay as planned, or what was claimed where that is more. */
export const mostMinor = ({ terms, claims }: Pick<Engagement, 'terms' | 'claims'>): number =>
  Math.max(terms.payTotalMinor, ...claims.map(({ amountMinor }) => amountMinor));

/** The least: what is agreed already. */
export const leastMinor = ({ releases }: Pick<Engagement, 'releases'>): number =>
  releases.reduce((sum, { kind, amountMinor }) => (kind === 'compensation' ? sum : sum + amountMinor), 0);

/** A typed amount between nothing and the whole pay, or why it is not one. */
export function disputeAmount(
  typed: string,
  work: Pick<Engagement, 'terms' | 'claims' | 'releases'>,
): { minor: number } | { error: string } {
  const { currency } = work.terms;
  const minor = minorFromTyped(typed, minorDigits(currency));
  if (minor === null) return { error: t`Type an amount, like 84 or 84.50.` };
  const most = mostMinor(work);
  const least = leastMinor(work);
  if (minor < least)
    return { error: t`At least ${formatMoney(least, currency)}: that much is agreed already.` };
  return minor > most ? { error: t`At most ${formatMoney(most, currency)}.` } : { minor };
}
