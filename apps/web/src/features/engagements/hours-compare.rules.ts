import { hourMs } from '@nearhand/contract/durations';
import type { Engagement, HoursClaim } from '@nearhand/contract/engagements';
import { type Hours, hasBreak, payOfHours, recordedSpan, workerShare } from './hours.rules.ts';

type Work = Pick<Engagement, 'side' | 'terms' | 'checkedInAt' | 'checkedOutAt' | 'attendance' | 'claims'>;

export type CompareKind = 'planned' | 'recorded' | 'claimed' | 'proposed';
/**
 * One way to see the hours. `endsAt` null: they checked in and never out. Differences are against the plan. Amounts are the reader's: a worker reads what is left
 * after their own fee.
 */
export type CompareRow = {
  kind: CompareKind;
  startsAt: string;
  endsAt: string | null;
  breakMinutes: number;
  paidMinutes: number | null;
  amountMinor: number | null;
  overMinutes: number | null;
  overMinor: number | null;
};

export const claimOf = ({ claims }: Pick<Engagement, 'claims'>): HoursClaim | null =>
  claims.findLast(({ by }) => by !== 'business') ?? null;
export const proposalOf = ({ claims }: Pick<Engagement, 'claims'>): HoursClaim | null =>
  claims.findLast(({ by }) => by === 'business') ?? null;

/** How many counter-proposals were made; the next one is one more, of three at most. */
export const roundsSoFar = ({ claims }: Pick<Engagement, 'claims'>): number =>
  claims.filter(({ by }) => by === 'business').length;

/** Whether the plan has a break that is not paid and none was logged: the record then shows more paid time than there may have been. */
export const noBreakLogged = ({ terms, attendance }: Pick<Work, 'terms' | 'attendance'>): boolean =>
  terms.breakMinutes > 0 && !terms.breakPaid && !hasBreak(attendance);

/** Planned, recorded, claimed and proposed hours of a shift beside each other; nothing for a task. */
export function compareHours(work: Work): CompareRow[] {
  const { startsAt, endsAt, breakMinutes } = work.terms;
  if (!startsAt || !endsAt) return [];
  const payOf = (hours: Hours) => {
    const { paidMinutes, amountMinor } = payOfHours(hours, work.terms);
    return {
      paidMinutes,
      amountMinor: work.side === 'worker' ? workerShare(amountMinor, work.terms) : amountMinor,
    };
  };
  const plan = payOf({ startsAt, endsAt, breakMinutes });
  const row = (kind: CompareKind, hours: Hours): CompareRow => {
    const pay = payOf(hours);
    return {
      kind,
      ...hours,
      ...pay,
      overMinutes: pay.paidMinutes - plan.paidMinutes,
      overMinor: pay.amountMinor - plan.amountMinor,
    };
  };
  const rows = [row('planned', { startsAt, endsAt, breakMinutes })];
  if (work.checkedInAt && work.checkedOutAt)
    rows.push(row('recorded', recordedSpan(work, work.checkedInAt, work.checkedOutAt)));
  else if (work.checkedInAt)
    rows.push({
      kind: 'recorded',
      startsAt: work.checkedInAt,
      endsAt: null,
      breakMinutes: 0,
      paidMinutes: null,
      amountMinor: null,
      overMinutes: null,
      overMinor: null,
    });
  const claim = claimOf(work);
  if (claim) rows.push(row('claimed', claim));
  const proposal = proposalOf(work);
  if (proposal) rows.push(row('proposed', proposal));
  return rows;
}

/** Where bars of these rows lie on one line of time, in shares of it; and the full hours to mark. What has no end reaches to `now` while somebody is at work. */
export function plotOf(
  rows: readonly CompareRow[],
  now: Date | null = null,
): {
  bars: { kind: CompareKind; from: number; to: number }[];
  marks: { at: number; instant: string }[];
} {
  const ends = rows.flatMap(({ startsAt, endsAt }) => [Date.parse(startsAt), Date.parse(endsAt ?? startsAt)]);
  const first = Math.min(...ends);
  const span = Math.max(...ends) - first;
  if (rows.length === 0 || span <= 0) return { bars: [], marks: [] };
  const share = (instant: string) => (Date.parse(instant) - first) / span;
  const reached = now ? (now.getTime() - first) / span : 0;
  // At most five marks, so that they can be read on a phone.
  const step = Math.max(1, Math.ceil(span / hourMs / 4)) * hourMs;
  const marks = [];
  for (let at = Math.ceil(first / hourMs) * hourMs; at <= first + span; at += step)
    marks.push({ at: (at - first) / span, instant: new Date(at).toISOString() });
  return {
    bars: rows.map(({ kind, startsAt, endsAt }) => ({
      kind,
      from: share(startsAt),
      // Somebody who forgot to check out does not stretch the line.
      to: endsAt ? share(endsAt) : Math.max(share(startsAt) + 0.01, Math.min(1, reached)),
    })),
    marks,
  };
}
