import { Trans, useLingui } from '@lingui/react/macro';
import type { PayoutMethod } from '@nearhand/contract/payouts';
import { errorText } from '../../lib/error-text.ts';
import { formatDate, ownTimeZone } from '../../lib/format.ts';
import { useMove } from '../../lib/use-move.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { IconSign } from '../../ui/sign.tsx';
import { methodText } from './payout-words.ts';
import { useMakeMethodDefault, useRemoveMethod } from './payouts.api.ts';

/** One bank account: bank, holder, and from when it can be used. */
export function MethodLine({ method, end }: { method: PayoutMethod; end?: React.ReactNode }) {
  const held = new Date(method.usableFrom) > new Date();
  return (
    <div className="li">
      <IconSign icon="bank" />
      <span className="grow">
        <span className="t block" dir="auto">
          {methodText(method)}
        </span>
        <span className="sm mute block">
          {method.holderName}, {method.currency}
          {held ? (
            <>
              {' · '}
              <Trans>usable from {formatDate(method.usableFrom, ownTimeZone())}</Trans>
            </>
          ) : null}
        </span>
      </span>
      {end}
    </div>
  );
}

/** The saved accounts, to choose one, put one first or forget one: the content of a sheet. */
export function MethodsList({
  methods,
  chosen,
  onChoose,
  onAdd,
}: {
  methods: PayoutMethod[];
  chosen: string | null;
  onChoose: (method: PayoutMethod) => void;
  onAdd: () => void;
}) {
  const { t } = useLingui();
  const remove = useRemoveMethod();
  const first = useMakeMethodDefault();
  const move = useMove(errorText);
  return (
    <div className="col g4">
      <ul>
        {methods.map((method) => (
          <li key={method.id}>
            <MethodLine method={method} end={method.isDefault ? <Badge>{t`First choice`}</Badge> : null} />
            <div className="row wrap g2 method-acts">
              <Button
                kind="quiet"
                size="xs"
                aria-pressed={method.id === chosen}
                onClick={() => onChoose(method)}
              >
                {t`Use ${methodText(method)}`}
              </Button>
              {method.isDefault ? null : (
                <Button
                  kind="text"
                  size="xs"
                  onClick={() => void move.run(() => first.mutateAsync({ methodId: method.id }))}
                >
                  {t`Make it the first choice`}
                </Button>
              )}
              <Button
                kind="text"
                size="xs"
                onClick={() => void move.run(() => remove.mutateAsync({ methodId: method.id }))}
              >
                {t`Remove`}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      <Refused text={move.refusal} />
      <Button kind="out" icon="plus" full onClick={onAdd}>
        {t`Add a bank account`}
      </Button>
    </div>
  );
}
