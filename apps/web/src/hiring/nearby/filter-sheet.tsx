import { Trans, useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { dayMinutes, minuteMs } from '@nearhand/contract/durations';
import { weekdays } from '@nearhand/contract/people/profile-choices';
import { type CategoryId, taxonomy } from '@nearhand/contract/people/taxonomy';
import { useEffect, useId, useState } from 'react';
import { minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useUser } from '../../lib/session.ts';
import { categoryText } from '../../lib/words/category.labels.ts';
import { formatDistance, minorDigits, weekdayText } from '../../lib/words/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { lengthText, onlyText, showText } from './filter.labels.ts';
import { useNearbyCount } from './nearby.api.ts';
import {
  askOf,
  countFilters,
  type NearbyFilters,
  noFilters,
  onlyFilters,
  radiusChoicesKm,
} from './nearby-filters.ts';
import { SortChips } from './nearby-search.tsx';
import type { Nearby } from './use-nearby.ts';

export type FilterSheetProps = {
  nearby: Nearby;
  open: boolean;
  onClose: () => void;
  currency: Currency;
};

const typedTime = (minutes: number | null) =>
  minutes === null ? '' : new Date((minutes % dayMinutes) * minuteMs).toISOString().slice(11, 16);
const minuteOfTime = (typed: string): number | null => {
  const [hours, minutes] = typed.split(':').map(Number);
  return hours === undefined || minutes === undefined ? null : hours * 60 + minutes;
};
/** The usual lengths, and one from typed words. */
const lengthChoices = (chosen: number | null): number[] =>
  [...new Set([240, 360, 480, ...(chosen === null ? [] : [chosen])])].sort((a, b) => a - b);

/** The filters that are being chosen, and the number of jobs they find. */
function useFilterDraft({ nearby: { filters, here }, open, currency }: FilterSheetProps) {
  const { t } = useLingui();
  const [draft, setDraft] = useState(filters);
  const [pay, setPay] = useState('');
  const digits = minorDigits(currency);
  useEffect(() => {
    if (!open) return;
    setDraft(filters);
    setPay(filters.minPay === null ? '' : typedFromMinor(filters.minPay, digits));
  }, [open, filters, digits]);
  const payMinor = minorFromTyped(pay, digits);
  const payError =
    pay.trim() !== '' && payMinor === null ? t`Enter an amount such as 18 or 18.50.` : undefined;
  const dayError =
    draft.from && draft.to && draft.to < draft.from ? t`The end date is before the start date.` : undefined;
  const draftFilters = { ...draft, minPay: pay.trim() === '' || payMinor === 0 ? null : payMinor };
  const isValid = !payError && !dayError;
  const { data: total } = useNearbyCount(open && here && isValid ? askOf(draftFilters, here) : null);
  return {
    draft,
    set: (change: Partial<NearbyFilters>) => setDraft((before) => ({ ...before, ...change })),
    pay,
    setPay,
    payError,
    dayError,
    draftFilters,
    isValid,
    total: isValid ? total : undefined,
    clear: () => {
      setDraft({ ...noFilters, q: draft.q });
      setPay('');
    },
  };
}

/** All filters and the sort order. The list changes only when they are applied. */
export default function FilterSheet(props: FilterSheetProps) {
  const { t } = useLingui();
  const { nearby, open, onClose, currency } = props;
  const { draft, set, pay, setPay, payError, dayError, draftFilters, isValid, total, clear } =
    useFilterDraft(props);
  const symbol = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
    .formatToParts(0)
    .find((part) => part.type === 'currency')?.value;
  const apply = () => {
    if (!isValid) return;
    // Only the search field changes the typed words.
    const { q: _, ...change } = draftFilters;
    nearby.setFilters(change);
    onClose();
  };
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t`Filters`}
      dock={
        <div className="row">
          {countFilters(draftFilters) > 0 ? (
            <Button kind="text" onClick={clear}>
              {t`Clear all`}
            </Button>
          ) : null}
          <Button kind="go" className="grow" needsNetwork={nearby.needsNetwork(draftFilters)} onClick={apply}>
            <span role="status">{showText(total)}</span>
          </Button>
        </div>
      }
    >
      <div className="col filter-groups">
        <MainFilters filters={draft} onChange={set} timeZone={nearby.timeZone} />
        <OnlyShow filters={draft} onChange={set} />
        <Select
          label={t`Category`}
          value={draft.category ?? ''}
          placeholder={t`Any category`}
          options={(Object.keys(taxonomy) as CategoryId[]).map((id) => ({
            value: id,
            label: categoryText(id),
          }))}
          onChange={(event) => set({ category: (event.target.value || null) as CategoryId | null })}
        />
        <TextInput
          label={t`Minimum hourly pay`}
          inputMode="decimal"
          before={symbol}
          value={pay}
          error={payError}
          onChange={(event) => setPay(event.target.value)}
        />
        <TimeFilters filters={draft} onChange={set} dayError={dayError} />
      </div>
    </Sheet>
  );
}

type FilterPartProps = { filters: NearbyFilters; onChange: (change: Partial<NearbyFilters>) => void };

function MainFilters({ filters, onChange, timeZone }: FilterPartProps & { timeZone: string }) {
  const { t } = useLingui();
  const orderId = useId();
  const kindId = useId();
  return (
    <>
      <div>
        <p className="flabel" id={orderId}>
          <Trans>Sort by</Trans>
        </p>
        <SortChips filters={filters} onSort={(sort) => onChange({ sort })} wrap />
        <div className="mt3">
          <HelpLink article="how-we-rank">{t`How we rank`}</HelpLink>
        </div>
      </div>
      <div>
        <p className="flabel">
          <Trans>Distance</Trans>
        </p>
        <Chips label={t`Distance`} wrap>
          {radiusChoicesKm.map((km) => (
            <Chip key={km} pressed={filters.radiusKm === km} onClick={() => onChange({ radiusKm: km })}>
              {formatDistance(km * 1_000, timeZone)}
            </Chip>
          ))}
        </Chips>
      </div>
      <div>
        <p className="flabel" id={kindId}>
          <Trans>Type</Trans>
        </p>
        <Segmented
          label={t`Type`}
          value={filters.kind ?? 'any'}
          onChange={(kind) => onChange({ kind: kind === 'any' ? null : kind })}
          options={[
            { value: 'any', label: t`Any` },
            { value: 'shift', label: t`Shifts` },
            { value: 'task', label: t`Tasks` },
          ]}
        />
      </div>
    </>
  );
}

function OnlyShow({ filters, onChange }: FilterPartProps) {
  const { t } = useLingui();
  const isVerified = useUser()?.emailVerified === true;
  return (
    <div>
      <p className="flabel">
        <Trans>Only show</Trans>
      </p>
      <Chips label={t`Only show`} wrap>
        {onlyFilters
          .filter((onlyFilter) => onlyFilter !== 'fits' || isVerified)
          .map((onlyFilter) => (
            <Chip
              key={onlyFilter}
              pressed={filters.only.includes(onlyFilter)}
              onClick={() =>
                onChange({
                  only: onlyFilters.filter(
                    (option) => filters.only.includes(option) !== (option === onlyFilter),
                  ),
                })
              }
            >
              {onlyText(onlyFilter)}
            </Chip>
          ))}
      </Chips>
    </div>
  );
}

function TimeFilters({ filters, onChange, dayError }: FilterPartProps & { dayError: string | undefined }) {
  const { t } = useLingui();
  return (
    <>
      <div>
        <p className="flabel">
          <Trans>Days of the week</Trans>
        </p>
        <Chips label={t`Days of the week`} wrap>
          {weekdays.map((weekday) => (
            <Chip
              key={weekday}
              pressed={filters.weekdays.includes(weekday)}
              onClick={() =>
                onChange({
                  weekdays: weekdays.filter(
                    (option) => filters.weekdays.includes(option) !== (option === weekday),
                  ),
                })
              }
            >
              {weekdayText(weekday, 'short')}
            </Chip>
          ))}
        </Chips>
      </div>
      <div className="row top days">
        <TextInput
          type="time"
          label={t`Starts from`}
          value={typedTime(filters.startsFrom)}
          onChange={(event) => onChange({ startsFrom: minuteOfTime(event.target.value) })}
        />
        <TextInput
          type="time"
          label={t`Ends by`}
          value={typedTime(filters.endsBy)}
          onChange={(event) => {
            const minutes = minuteOfTime(event.target.value);
            // Midnight is the end of the day.
            onChange({ endsBy: minutes === 0 ? dayMinutes : minutes });
          }}
        />
      </div>
      <Select
        label={t`Length of a shift`}
        value={String(filters.maxMinutes ?? '')}
        placeholder={t`Any length`}
        options={lengthChoices(filters.maxMinutes).map((minutes) => ({
          value: String(minutes),
          label: lengthText(minutes),
        }))}
        onChange={(event) => onChange({ maxMinutes: Number(event.target.value) || null })}
      />
      <div className="row top days">
        <TextInput
          type="date"
          label={t`From`}
          value={filters.from ?? ''}
          onChange={(event) => onChange({ from: event.target.value || null })}
        />
        <TextInput
          type="date"
          label={t`Until`}
          value={filters.to ?? ''}
          error={dayError}
          onChange={(event) => onChange({ to: event.target.value || null })}
        />
      </div>
    </>
  );
}
