import { hourMs, minuteMs } from '@nearhand/contract/durations';
import type { Engagement, HoursClaim } from '@nearhand/contract/work/engagements';
import {
  type EnteredHours,
  hasBreak,
  minimumOf,
  payOfHours,
  recordedSpan,
  workerShare,
} from './hours.rules.ts';

type Work = Pick<Engagement, 'side' | 'terms' | 'checkedInAt' | 'checkedOutAt' | 'attendance' | 'claims'>;

export type CompareKind = 'planned' | 'recorded' | 'claimed' | 'proposed';
/** One row of the comparison. Differences are against the plan; a worker's amounts are after their fee. */
export type CompareRow = {
  kind: CompareKind;
  startsAt: string;
  endsAt: string | null;
  /** The planned start if someone checked in before it: their paid time begins there. */
  paidFrom?: string;
  breakMinutes: number;
  paidMinutes: number | null;
  amountMinor: number | null;
  overMinutes: number | null;
  overMinor: number | null;
};

export const workerClaimOf = ({ claims }: Pick<Engagement, 'claims'>): HoursClaim | null =>
  claims.findLast(({ by }) => by !== 'business') ?? null;
export const businessClaimOf = ({ claims }: Pick<Engagement, 'claims'>): HoursClaim | null =>
  claims.findLast(({ by }) => by === 'business') ?? null;

/** The row whose hours are paid in the end; null while they are open, and after a dispute or a paid record. */
export function agreedKindOf({
  status,
  amountMinor,
  claims,
}: Pick<Engagement, 'status' | 'amountMinor' | 'claims'>): CompareKind | null {
  const last = claims.at(-1);
  if ((status !== 'approved' && status !== 'completed') || last?.amountMinor !== amountMinor) return null;
  return last.by === 'business' ? 'proposed' : 'claimed';
}

export const roundsSoFar = ({ claims }: Pick<Engagement, 'claims'>): number =>
  claims.filter(({ by }) => by === 'business').length;

/** Returns whether a planned unpaid break was not logged, so the record may show too much paid time. */
export const noBreakLogged = ({ terms, attendance }: Pick<Work, 'terms' | 'attendance'>): boolean =>
  terms.breakMinutes > 0 && !terms.breakPaid && !hasBreak(attendance);

/** Planned, recorded, submitted and proposed hours of a shift; empty for a task. */
export function compareHours(work: Work): CompareRow[] {
  const { startsAt, endsAt, breakMinutes } = work.terms;
  if (!startsAt || !endsAt) return [];
  const minimum = minimumOf(work);
  const payOf = (hours: EnteredHours) => {
    const { paidMinutes, amountMinor } = payOfHours(hours, work.terms, minimum);
    return {
      paidMinutes,
      amountMinor: work.side === 'worker' ? workerShare(amountMinor, work.terms) : amountMinor,
    };
  };
  const plan = payOf({ startsAt, endsAt, breakMinutes });
  const row = (kind: CompareKind, hours: EnteredHours): CompareRow => {
    const pay = payOf(hours);
    return {
      kind,
      ...hours,
      ...pay,
      overMinutes: pay.paidMinutes - plan.paidMinutes,
      overMinor: pay.amountMinor - plan.amountMinor,
    };
  };
  // Time before the plan's start is paid once it is agreed.
  const recordedRow = (inAt: string, outAt: string): CompareRow => {
    const paidFrom = inAt < startsAt ? startsAt : inAt;
    if (outAt > paidFrom)
      return {
        ...row('recorded', recordedSpan(work, paidFrom, outAt)),
        startsAt: inAt,
        paidFrom: paidFrom === inAt ? undefined : paidFrom,
      };
    return {
      kind: 'recorded',
      startsAt: inAt,
      endsAt: outAt,
      breakMinutes: 0,
      paidMinutes: 0,
      amountMinor: 0,
      overMinutes: -plan.paidMinutes,
      overMinor: -plan.amountMinor,
    };
  };
  const rows = [row('planned', { startsAt, endsAt, breakMinutes })];
  if (work.checkedInAt && work.checkedOutAt) rows.push(recordedRow(work.checkedInAt, work.checkedOutAt));
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
  const claim = workerClaimOf(work);
  if (claim) rows.push(row('claimed', claim));
  const proposal = businessClaimOf(work);
  if (proposal) rows.push(row('proposed', proposal));
  return rows;
}

type Span = { from: number; to: number };

/** Breaks of the record as times; an open break ends at `until`. */
function breaksOf(attendance: Engagement['attendance'], until: string): { from: string; to: string }[] {
  const breaks: { from: string; to: string }[] = [];
  let from: string | null = null;
  for (const { kind, at } of attendance) {
    if (kind === 'break_start' || (kind === 'check_out' && at < until)) from ??= at;
    else if (from !== null && (kind === 'break_end' || kind === 'check_in')) {
      breaks.push({ from, to: at });
      from = null;
    }
  }
  return from !== null && from < until ? [...breaks, { from, to: until }] : breaks;
}

/** A bar without its breaks. A break without times is cut out of the middle, since only its length is known. */
function piecesOf(bar: Span, cuts: readonly Span[]): Span[] {
  const pieces: Span[] = [];
  let { from } = bar;
  for (const cut of cuts) {
    if (cut.from > from) pieces.push({ from, to: Math.min(cut.from, bar.to) });
    from = Math.max(from, cut.to);
  }
  return from < bar.to ? [...pieces, { from, to: bar.to }] : pieces;
}

/** Bars and hour marks as fractions of one timeline. An open row reaches to `now` while someone is on shift. */
export function plotOf(
  rows: readonly CompareRow[],
  now: Date | null = null,
  attendance: Engagement['attendance'] = [],
): {
  bars: { kind: CompareKind; pieces: Span[] }[];
  marks: { at: number; instant: string }[];
} {
  const ends = rows.flatMap(({ startsAt, endsAt }) => [Date.parse(startsAt), Date.parse(endsAt ?? startsAt)]);
  const first = Math.min(...ends);
  const span = Math.max(...ends) - first;
  if (rows.length === 0 || span <= 0) return { bars: [], marks: [] };
  const share = (instant: string) => (Date.parse(instant) - first) / span;
  const reached = now ? (now.getTime() - first) / span : 0;
  const step = Math.max(1, Math.ceil(span / hourMs / 4)) * hourMs;
  const marks = [];
  for (let at = Math.ceil(first / hourMs) * hourMs; at <= first + span; at += step)
    marks.push({ at: (at - first) / span, instant: new Date(at).toISOString() });
  return {
    bars: rows.map(({ kind, startsAt, endsAt, breakMinutes }) => {
      const from = share(startsAt);
      // A missing check-out doesn't stretch the timeline.
      const to = endsAt ? share(endsAt) : Math.max(from + 0.01, Math.min(1, reached));
      const half = (breakMinutes * minuteMs) / span / 2;
      const middle = (from + to) / 2;
      // A planned break that nobody recorded leaves no gap in the record.
      const cuts =
        kind === 'recorded'
          ? breaksOf(attendance, endsAt ?? (now?.toISOString() || startsAt)).map((span) => ({
              from: share(span.from),
              to: share(span.to),
            }))
          : half > 0
            ? [{ from: middle - half, to: middle + half }]
            : [];
      return { kind, pieces: piecesOf({ from, to }, cuts) };
    }),
    marks,
  };
}
