import type { CaseFile } from '@nearhand/contract/trust/cases';
import { createContext, use } from 'react';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';

/** The zone of every time on a case: where the work is, or the operator's own. */
export const CaseZone = createContext<string | null>(null);

export const zoneOf = ({ facts }: CaseFile): string => {
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
