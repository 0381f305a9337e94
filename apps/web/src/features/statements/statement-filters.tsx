import { useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { useState } from 'react';
import { Chip, Chips } from '../../ui/chip.tsx';
import { Select } from '../../ui/inputs.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { monthChoices } from './statement-span.ts';

type Props<Group extends string> = {
  groups: readonly { value: Group; label: string }[];
  group: Group;
  onGroup: (group: Group) => void;
  /** `2026-11`, or an empty text for all. */
  month: string;
  onMonth: (month: string) => void;
  currency: Currency | undefined;
  currencies: readonly Currency[];
  onCurrency: (currency: Currency) => void;
};

/** What of a statement is shown: which lines, which month, which currency. */
export function StatementFilters<Group extends string>(props: Props<Group>) {
  const { t } = useLingui();
  const [months] = useState(() => monthChoices(new Date()));
  return (
    <div className="statement-filters">
      <div className="statement-groups">
        <Segmented
          label={t`Lines shown`}
          options={props.groups}
          value={props.group}
          onChange={props.onGroup}
        />
      </div>
      <Select
        label={t`Month`}
        placeholder={t`All time`}
        options={months}
        value={props.month}
        onChange={(event) => props.onMonth(event.target.value)}
      />
      {props.currencies.length > 1 ? (
        <Chips label={t`Currency`} wrap>
          {props.currencies.map((one) => (
            <Chip key={one} pressed={one === props.currency} onClick={() => props.onCurrency(one)}>
              {one}
            </Chip>
          ))}
        </Chips>
      ) : null}
    </div>
  );
}
