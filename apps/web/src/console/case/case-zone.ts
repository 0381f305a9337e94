import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import { createContext, use } from 'react';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';

/** Access to a decided case: the operator's reason, and a way to ask for it. Null for an open case. */
export const ClosedAccess = createContext<{ reason: string | null; onReasonNeeded: () => void } | null>(null);

/** The zone of every time on a case: where the work is, or the operator's own. */
export const CaseZone = createContext<string | null>(null);

export const zoneOf = ({ facts }: { facts: CaseFacts | null }): string => {
  if (!facts) return ownTimeZone();
  if (facts.kind === 'dispute' || facts.kind === 'no_show') return facts.timeZone;
  if (facts.kind === 'second_approval') return facts.pay?.timeZone ?? ownTimeZone();
  return ownTimeZone();
};

/** The city and abbreviation of a time zone, such as "Amsterdam (CET)". */
export function zoneText(timeZone: string, now: Date): string {
  const city = timeZone.split('/').at(-1)?.replaceAll('_', ' ') ?? timeZone;
  const parts = new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: 'short' }).formatToParts(now);
  const short = parts.find(({ type }) => type === 'timeZoneName')?.value;
  return short && short !== city ? `${city} (${short})` : city;
}

const useCaseZone = (): string => use(CaseZone) ?? ownTimeZone();

export function useWhen(): (instant: string) => string {
  const zone = useCaseZone();
  return (instant) => formatDate(instant, zone);
}
