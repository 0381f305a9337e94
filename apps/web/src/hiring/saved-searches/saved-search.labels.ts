import { t } from '@lingui/core/macro';
import type { SavedSearch } from '@nearhand/contract/hiring/saved-searches';
import { type SearchAlert, searchNameMax } from '@nearhand/contract/hiring/saved-searches.rules';
import { categoryText } from '../../lib/words/category.labels.ts';
import { dotted, formatCalendarDay, formatDistance, formatMoney, quoted } from '../../lib/words/format.ts';
import { hoursText, lengthText, weekdaysText } from '../nearby/filter.labels.ts';
import type { SearchToSave } from './saved-searches.api.ts';

const radiusText = ({ radiusKm, timeZone }: SearchToSave) => formatDistance(radiusKm * 1_000, timeZone);

const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

export function suggestedName(search: SearchToSave): string {
  const kind = search.kind === 'shift' ? t`Shifts` : search.kind === 'task' ? t`Tasks` : t`Jobs`;
  const what = search.q ? capital(search.q) : search.category ? categoryText(search.category) : kind;
  const town = search.place.split(',')[0] ?? search.place;
  const when = [
    weekdaysText(search.weekdays),
    hoursText(search),
    search.maxMinutes !== null && lengthText(search.maxMinutes),
  ].filter((part) => typeof part === 'string');
  // People edit this name, so it has no isolates as `joined` would add.
  const name = when.reduce(
    (list, part) => t`${list}, ${part}`,
    t`${what} near ${town}, ${radiusText(search)}`,
  );
  return [...name].slice(0, searchNameMax).join('');
}

function daysText({ from, to }: SearchToSave): string | null {
  if (from && to)
    return from === to ? formatCalendarDay(from) : `${formatCalendarDay(from)}–${formatCalendarDay(to)}`;
  const first = from && formatCalendarDay(from);
  if (first) return t`From ${first}`;
  const last = to && formatCalendarDay(to);
  return last ? t`Until ${last}` : null;
}

export const filtersText = (search: SearchToSave): string =>
  dotted(
    t`${radiusText(search)} around ${search.place}`,
    search.q && quoted(search.q),
    search.category && categoryText(search.category),
    search.kind && (search.kind === 'shift' ? t`Shifts` : t`Tasks`),
    search.minPay !== null && search.currency && t`${formatMoney(search.minPay, search.currency)} or more`,
    search.minTotal !== null &&
      search.currency &&
      t`${formatMoney(search.minTotal, search.currency)} or more in total`,
    weekdaysText(search.weekdays),
    daysText(search),
    hoursText(search),
    search.maxMinutes !== null && lengthText(search.maxMinutes),
  );

export function alertText(alert: SearchAlert): string {
  if (alert === 'at_once') return t`Alerts right away`;
  if (alert === 'daily') return t`Daily summary`;
  return alert === 'weekly' ? t`Weekly summary` : t`Alerts off`;
}

/** The search's days have passed, so it no longer finds anything. */
export const isOverSearch = ({ to }: Pick<SavedSearch, 'to'>, today: string): boolean =>
  to !== null && to < today;
