import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { addDays, dayIn } from '@nearhand/contract/durations';
import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import type { ReactNode } from 'react';
import { categoryText } from '../../lib/words/category.labels.ts';
import { formatDistance, joined, ownTimeZone, quoted } from '../../lib/words/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { daysText, hoursText, lengthText, onlyText, weekdaysText } from './filter.labels.ts';
import { useNearbyCount, useNearbyJobs } from './nearby.api.ts';
import { askOf, countFilters, type NearbyFilters, noFilters, widerRadius } from './nearby-filters.ts';
import type { Nearby, Save } from './use-nearby.ts';

export default function NothingNearby({
  nearby,
  save,
  onPickPlace,
}: {
  nearby: Nearby;
  save: Save;
  onPickPlace: () => void;
}) {
  const { t } = useLingui();
  const { filters, here } = nearby;
  const wider = widerRadius(nearby.radiusKm);
  const set = countFilters({ ...filters, radiusKm: nearbyLimits.radiusDefaultKm });
  const typed = filters.q.trim();
  const isFiltered = set > 0 || typed !== '';
  const within = formatDistance(nearby.radiusKm * 1_000, nearby.timeZone);
  const today = dayIn(ownTimeZone(), new Date());
  const looser = useLooser(nearby, today);
  const unmatched = set === 0 ? typed : looser[0]?.label;
  const explanation = () => {
    if (typed !== '' && !/[\p{L}\p{N}]/u.test(typed))
      return t`“${typed}” has no words to search for. Type a job, a skill or a business.`;
    if (looser.length > 1)
      return t`No open jobs around ${here?.label ?? ''} match all of this. Try without one of these:`;
    if (isFiltered)
      return unmatched
        ? t`No open jobs around ${here?.label ?? ''} match “${unmatched}”.`
        : t`No open jobs around ${here?.label ?? ''} match your filters.`;
    return wider
      ? t`There are no open jobs around ${here?.label ?? ''} right now. Search a wider area or another place.`
      : t`There are no open jobs around ${here?.label ?? ''} right now. Search another place or check back later.`;
  };
  return (
    <EmptyState
      title={isFiltered ? t`No matches within ${within}` : t`No jobs within ${within} yet`}
      actions={
        <>
          <OtherSearches nearby={nearby} looser={looser} />
          <DaysLater nearby={nearby} />
          {typed === '' ? null : <CategoriesNearby nearby={nearby} />}
          {isFiltered ? (
            <Button
              kind="go"
              full
              needsNetwork={nearby.needsNetwork({ ...noFilters, sort: filters.sort })}
              onClick={nearby.clearFilters}
            >
              {set > 0 ? t`Clear filters` : t`Clear search`}
            </Button>
          ) : null}
          {wider || isFiltered ? null : (
            <Button kind="go" full onClick={onPickPlace}>
              {t`Choose another place`}
            </Button>
          )}
          {wider ? (
            <Button
              kind={isFiltered ? 'quiet' : 'go'}
              full
              needsNetwork={nearby.needsNetwork({ radiusKm: wider })}
              onClick={() => nearby.setFilters({ radiusKm: wider })}
            >
              {t`Search within ${formatDistance(wider * 1_000, nearby.timeZone)}`}
            </Button>
          ) : null}
          <Button
            kind="quiet"
            full
            icon={save.saved ? 'bell-ringing' : 'bell'}
            needsNetwork
            onClick={save.press}
          >
            {save.saved ? t`Search saved` : t`Tell me when there is one`}
          </Button>
        </>
      }
    >
      <p>{explanation()}</p>
      {nearby.isFindingPlace ? <p className="sm">{t`Looking for a place with this name…`}</p> : null}
    </EmptyState>
  );
}

/** The search without one of its filters, and with similar words. */
function OtherSearches({ nearby, looser }: { nearby: Nearby; looser: ReturnType<typeof useLooser> }) {
  const { t } = useLingui();
  return (
    <>
      {looser.length > 1 ? (
        <Chips label={t`Try without`} wrap>
          {looser.map(({ label, change }) => (
            <Chip
              key={label}
              icon="x"
              needsNetwork={nearby.needsNetwork(change)}
              onClick={() => nearby.setFilters(change)}
            >
              {label}
            </Chip>
          ))}
        </Chips>
      ) : null}
      {nearby.suggestions.length > 0 ? (
        <NamedChips label={t`Did you mean`}>
          {nearby.suggestions.map((word) => (
            <Chip
              key={word}
              needsNetwork={nearby.needsNetwork({ q: word })}
              onClick={() => nearby.setFilters({ q: word })}
            >
              {word}
            </Chip>
          ))}
        </NamedChips>
      ) : null}
    </>
  );
}

const isWeekend = (day: string) => [0, 6].includes(new Date(day).getUTCDay());

/** The same days a week later, or both days of the next weekend; null for more than a week. */
function weekLater({ from, to }: Pick<NearbyFilters, 'from' | 'to'>): { from: string; to: string } | null {
  if (from === null || to === null || to > addDays(from, 6)) return null;
  if (!isWeekend(from) || !isWeekend(to)) return { from: addDays(from, 7), to: addDays(to, 7) };
  const sunday = new Date(to).getUTCDay() === 0 ? to : addDays(to, 1);
  return { from: addDays(sunday, 6), to: addDays(sunday, 7) };
}

/** Links to the days a week later, if there are jobs then. */
function DaysLater({ nearby: { here, filters, setFilters } }: { nearby: Nearby }) {
  const { t } = useLingui();
  const change = weekLater(filters);
  const { data, isPlaceholderData } = useNearbyCount(
    here && change && askOf({ ...filters, ...change }, here),
  );
  if (!change || !data || isPlaceholderData || data.count === 0) return null;
  const today = dayIn(ownTimeZone(), new Date());
  const isNextWeekend = isWeekend(change.from) && isWeekend(change.to) && change.from <= addDays(today, 12);
  const days = isNextWeekend ? t`Next weekend` : daysText(change, today);
  const jobs = plural(data.count, { one: '# job', other: '# jobs' });
  return (
    <Chips label={t`Days`} wrap>
      <Chip icon="calendar-blank" onClick={() => setFilters(change)}>
        {joined(days, data.more ? t`${data.count}+ jobs` : jobs)}
      </Chip>
    </Chips>
  );
}

const categoriesMax = 5;

/** The categories of the nearest jobs, for words that no job matches. */
function CategoriesNearby({ nearby: { here, filters, setFilters } }: { nearby: Nearby }) {
  const { t } = useLingui();
  const { data } = useNearbyJobs(here && askOf({ ...noFilters, radiusKm: filters.radiusKm }, here));
  const categories = [...new Set(data?.pages[0]?.items.map(({ category }) => category))];
  return categories.length === 0 ? null : (
    <NamedChips label={t`Jobs nearby`}>
      {categories.slice(0, categoriesMax).map((category) => (
        <Chip key={category} onClick={() => setFilters({ ...noFilters, category })}>
          {categoryText(category)}
        </Chip>
      ))}
    </NamedChips>
  );
}

const NamedChips = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="named-chips">
    <p className="sm mute" aria-hidden="true">
      {label}
    </p>
    <Chips label={label} wrap>
      {children}
    </Chips>
  </div>
);

function useLooser(
  { filters, split }: Nearby,
  today: string,
): { label: string; change: Partial<NearbyFilters> }[] {
  const { t } = useLingui();
  const { category, kind, minPay, minTotal, maxMinutes, from, to, only } = filters;
  const typed = filters.q.trim();
  const weekdayNames = weekdaysText(filters.weekdays);
  const hours = hoursText(filters);
  const days = from === today && to === today ? t`Today` : daysText(filters, today);
  return [
    ...(typed ? [{ label: quoted(typed), change: { q: split?.where ?? '' } }] : []),
    ...(category ? [{ label: categoryText(category), change: { category: null } }] : []),
    ...(kind ? [{ label: kind === 'shift' ? t`Shifts` : t`Tasks`, change: { kind: null } }] : []),
    ...(minPay === null ? [] : [{ label: t`Minimum pay`, change: { minPay: null } }]),
    ...(minTotal === null ? [] : [{ label: t`Minimum pay in total`, change: { minTotal: null } }]),
    ...(weekdayNames ? [{ label: weekdayNames, change: { weekdays: [] } }] : []),
    ...(hours ? [{ label: hours, change: { startsFrom: null, endsBy: null } }] : []),
    ...(maxMinutes === null ? [] : [{ label: lengthText(maxMinutes), change: { maxMinutes: null } }]),
    ...(days ? [{ label: days, change: { from: null, to: null } }] : []),
    ...only.map((flag) => ({
      label: onlyText(flag),
      change: { only: only.filter((active) => active !== flag) },
    })),
  ];
}
