import { useLingui } from '@lingui/react/macro';
import type { Currency } from '@nearhand/contract/currencies';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { PickButton } from '../../ui/controls/pick-button.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { spanChoices } from './statement-span.ts';
import type { StatementView } from './statement-view.rules.ts';

/** A statement's filters: kind of lines, month or year, and currency. */
export function StatementFilters<Group extends string>({
  groups,
  view,
  currency,
  currencies,
  needsNetwork,
  onChange,
}: {
  groups: readonly { value: Group; label: string }[];
  view: StatementView<Group>;
  /** The shown currency and the available ones, as the server returned them. */
  currency: Currency | undefined;
  currencies: readonly Currency[];
  /** Whether only the server has what is shown after a change. */
  needsNetwork: (change: Partial<StatementView<Group>>) => boolean;
  onChange: (change: Partial<StatementView<Group>>) => void;
}) {
  const { t } = useLingui();
  return (
    <div className="statement-filters">
      <div className="statement-groups">
        <Segmented
          label={t`Filter entries`}
          options={groups}
          value={view.group}
          needsNetwork={(group) => needsNetwork({ group })}
          onChange={(group) => onChange({ group, line: null })}
        />
      </div>
      <div className="row wrap g2">
        <PickButton
          label={t`Month or year`}
          icon="calendar-blank"
          value={view.month}
          options={[{ value: '', label: t`All time` }, ...spanChoices(new Date(), view.month)]}
          needsNetwork={(month) => needsNetwork({ month })}
          onChange={(month) => onChange({ month, line: null })}
        />
        {currencies.length > 1 ? (
          <Chips label={t`Currency`} wrap>
            {currencies.map((one) => (
              <Chip
                key={one}
                pressed={one === currency}
                needsNetwork={one !== currency && needsNetwork({ currency: one })}
                onClick={() => onChange({ currency: one, line: null })}
              >
                {one}
              </Chip>
            ))}
          </Chips>
        ) : null}
      </div>
    </div>
  );
}
