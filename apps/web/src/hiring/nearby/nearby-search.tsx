import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { dayIn } from '@nearhand/contract/durations';
import type { NearbySort } from '@nearhand/contract/hiring/nearby';
import { limits } from '@nearhand/contract/limits';
import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react';
import { useSearchAvailability } from '../../lib/forms/search-availability.ts';
import { categoryText } from '../../lib/words/category.labels.ts';
import { formatDistance, formatMoney, minorDigits, ownTimeZone, usesMiles } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { daysText, hoursText, lengthText, onlyText, weekdaysText } from './filter.labels.ts';
import { countFilters, type NearbyFilters, noFilters, quickRate, sortOf } from './nearby-filters.ts';

type SearchProps = {
  /** The words in the field; days, pay and a place in them become separate filters. */
  words: string;
  filters: NearbyFilters;
  onType: (words: string) => void;
  onOpenFilters: () => void;
  ref?: Ref<HTMLDivElement>;
};

/** Debounce of typing: feels immediate, but does not query for every letter. */
const typingMs = 300;

export function NearbySearch({ words, filters, onType, onOpenFilters, ref }: SearchProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState(words);
  const field = useRef<HTMLInputElement>(null);
  const type = useRef(onType);
  type.current = onType;
  const count = countFilters(filters);

  const [lastQuery, setLastQuery] = useState(words);
  // An effect would run again when the page is shown again, and drop what was just typed.
  if (lastQuery !== words) {
    setLastQuery(words);
    setTyped(words);
  }
  useEffect(() => {
    if (typed === words) return;
    const timer = setTimeout(() => type.current(typed), typingMs);
    return () => clearTimeout(timer);
  }, [typed, words]);
  useEffect(() => {
    const slash = (event: KeyboardEvent) => {
      const inField = (event.target as Element | null)?.closest?.('input, textarea, select, dialog[open]');
      const isVisible = field.current?.offsetParent !== null;
      if (event.key !== '/' || inField || !isVisible || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      field.current?.focus();
    };
    document.addEventListener('keydown', slash);
    return () => document.removeEventListener('keydown', slash);
  }, []);

  const searching = useSearchAvailability(typed);
  const filterName =
    count === 0 ? t`Filters` : plural(count, { one: 'Filters, # on', other: 'Filters, # on' });
  return (
    // biome-ignore lint/a11y/useSemanticElements: older web views don't support <search>.
    <div className="search" role="search" ref={ref}>
      <Icon name="magnifying-glass" />
      <input
        ref={field}
        className="bare"
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={limits.searchMax}
        aria-label={t`Search jobs`}
        placeholder={t`Barista, tutor, movers`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        {...searching}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          type.current(typed);
          event.currentTarget.blur();
        }}
      />
      <span className="kbd nearby-wide" aria-hidden="true">
        /
      </span>
      <button type="button" className="ib filter-button" aria-label={filterName} onClick={onOpenFilters}>
        <Icon name="sliders-horizontal" />
        {count > 0 ? (
          <span className="filter-count num" aria-hidden="true">
            {count}
          </span>
        ) : null}
      </button>
    </div>
  );
}

const mileKm = 1.609_344;

export function QuickChips({
  filters,
  setFilters,
  needsNetwork,
  onClear,
  currency,
  timeZone,
  first,
}: {
  filters: NearbyFilters;
  setFilters: (change: Partial<NearbyFilters>) => void;
  needsNetwork: (change: Partial<NearbyFilters>) => boolean;
  onClear: () => void;
  currency: Currency;
  timeZone: string;
  first?: ReactNode;
}) {
  const { t } = useLingui();
  const today = dayIn(ownTimeZone(), new Date());
  const isToday = filters.from === today && filters.to === today;
  const days = isToday ? null : daysText(filters, today);
  const weekdayNames = weekdaysText(filters.weekdays);
  const hours = hoursText(filters);
  const rate = quickRate(currency, minorDigits(currency));
  // A mile from the address stays a mile before any job shows the local units, so that it can be undone.
  const near = filters.radiusKm === mileKm || usesMiles(timeZone) ? mileKm : 2;
  const isUnfiltered = countFilters(filters) === 0 && filters.q === '';
  const turn = (pressed: boolean, change: Partial<NearbyFilters>) => ({
    pressed,
    needsNetwork: needsNetwork(change),
    onClick: () => setFilters(change),
  });
  const isNear = filters.radiusKm === near;
  const isPaid = filters.minPay === rate;
  const kindChip = (kind: 'shift' | 'task') =>
    turn(filters.kind === kind, { kind: filters.kind === kind ? null : kind });
  return (
    <Chips label={t`Quick filters`}>
      {first}
      <Chip
        pressed={isUnfiltered}
        needsNetwork={needsNetwork({ ...noFilters, sort: filters.sort })}
        onClick={onClear}
      >
        {t`All`}
      </Chip>
      {filters.category ? (
        <Chip {...turn(true, { category: null })}>{categoryText(filters.category)}</Chip>
      ) : null}
      {days === null ? null : (
        <Chip {...turn(true, { from: null, to: null })} icon="x">
          {days}
        </Chip>
      )}
      {weekdayNames === null ? null : (
        <Chip {...turn(true, { weekdays: [] })} icon="x">
          {weekdayNames}
        </Chip>
      )}
      {hours === null ? null : (
        <Chip {...turn(true, { startsFrom: null, endsBy: null })} icon="x">
          {hours}
        </Chip>
      )}
      {filters.maxMinutes === null ? null : (
        <Chip {...turn(true, { maxMinutes: null })} icon="x">
          {lengthText(filters.maxMinutes)}
        </Chip>
      )}
      {(['morning', 'afternoon', 'evening'] as const).map((part) =>
        filters.only.includes(part) ? (
          <Chip key={part} {...turn(true, { only: filters.only.filter((flag) => flag !== part) })} icon="x">
            {onlyText(part)}
          </Chip>
        ) : null,
      )}
      {filters.minPay === null || isPaid ? null : (
        <Chip {...turn(true, { minPay: null })} icon="x">
          {t`${formatMoney(filters.minPay, currency)} or more`}
        </Chip>
      )}
      {filters.minTotal === null ? null : (
        <Chip {...turn(true, { minTotal: null })} icon="x">
          {t`${formatMoney(filters.minTotal, currency)} or more in total`}
        </Chip>
      )}
      <Chip {...turn(isToday, isToday ? { from: null, to: null } : { from: today, to: today })}>
        {t`Today`}
      </Chip>
      <Chip {...turn(isNear, { radiusKm: isNear ? noFilters.radiusKm : near })}>
        {t`Under ${formatDistance(near * 1_000, timeZone)}`}
      </Chip>
      <Chip {...turn(isPaid, { minPay: isPaid ? null : rate })}>
        {t`${formatMoney(rate, currency)} or more`}
      </Chip>
      <Chip {...kindChip('shift')}>{t`Shifts`}</Chip>
      <Chip {...kindChip('task')}>{t`Tasks`}</Chip>
    </Chips>
  );
}

type SortProps = {
  filters: NearbyFilters;
  onSort: (sort: NearbySort) => void;
  needsNetwork?: (sort: NearbySort) => boolean;
  wrap?: boolean;
};

/** The orders of the list. Best match needs words to match. */
export function SortChips({ filters, onSort, needsNetwork, wrap }: SortProps) {
  const { t } = useLingui();
  const inForce = sortOf(filters);
  const names: [NearbySort, string][] = [
    ...(filters.q.trim() === '' ? [] : ([['best', t`Best match`]] satisfies [NearbySort, string][])),
    ['distance', t`Nearest`],
    ['soonest', t`Soonest`],
    ['newest', t`Newest`],
    ['pay', t`Highest pay`],
  ];
  return (
    <Chips label={t`Sort by`} wrap={wrap}>
      {names.map(([sort, name]) => (
        <Chip
          key={sort}
          pressed={inForce === sort || (sort === 'pay' && inForce === 'total')}
          needsNetwork={needsNetwork?.(sort) ?? false}
          onClick={() => onSort(sort)}
        >
          {name}
        </Chip>
      ))}
    </Chips>
  );
}

/** Switches the highest pay between an hour and the whole job. */
export function PaySwitch({ filters, onSort, needsNetwork }: SortProps) {
  const { t } = useLingui();
  return (
    <Segmented
      label={t`Highest pay`}
      value={filters.sort === 'total' ? 'total' : 'pay'}
      onChange={onSort}
      needsNetwork={needsNetwork}
      options={[
        { value: 'pay', label: t`Per hour` },
        { value: 'total', label: t`In total` },
      ]}
    />
  );
}
