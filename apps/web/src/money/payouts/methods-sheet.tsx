import { Trans, useLingui } from '@lingui/react/macro';
import { bankText } from '@nearhand/contract/money/account-mask';
import type { PayoutMethod } from '@nearhand/contract/money/payouts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDate, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { IconSign } from '../../ui/art/sign.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { useMakeMethodDefault, useRemoveMethod } from './payouts.api.ts';
import { isHeld } from './withdraw.rules.ts';

export function MethodLine({ method, end }: { method: PayoutMethod; end?: React.ReactNode }) {
  return (
    <div className="li">
      <IconSign icon="bank" />
      <MethodText method={method} />
      {end}
    </div>
  );
}

function MethodText({ method }: { method: PayoutMethod }) {
  return (
    <span className="grow">
      <span className="mid block">
        <bdi>{bankText(method)}</bdi>
      </span>
      <span className="sm mute block">
        {joined(method.holderName, method.currency)}
        {isHeld(method) ? (
          <>
            {' · '}
            <Trans>available from {formatDate(method.usableFrom, ownTimeZone())}</Trans>
          </>
        ) : null}
      </span>
    </span>
  );
}

export function MethodsList({
  methods,
  currency,
  chosenId,
  onChoose,
  onAdd,
}: {
  methods: PayoutMethod[];
  /** The balance's currency. Accounts on hold or in another currency can't be chosen. */
  currency: string;
  chosenId: string | null;
  onChoose: (method: PayoutMethod) => void;
  onAdd: () => void;
}) {
  const { t } = useLingui();
  const remove = useRemoveMethod();
  const hasCurrency = (method: PayoutMethod) => method.currency === currency;
  const first = useMakeMethodDefault();
  const action = useAction(errorText);
  const forget = async (method: PayoutMethod) => {
    const account = bankText(method);
    const choice = await showAlert({
      title: t`Remove ${account}?`,
      message: t`To use it again, you'll need to add it and wait a few days.`,
      buttons: [
        { value: 'remove', label: t`Remove`, kind: 'bad' },
        { value: 'keep', label: t`Keep it` },
      ],
    });
    if (choice === 'remove') await action.run(() => remove.mutateAsync({ methodId: method.id }));
  };
  return (
    <div className="col g4">
      <ul className="col g3">
        {[...methods.filter(hasCurrency), ...methods.filter((method) => !hasCurrency(method))].map(
          (method) => (
            <li key={method.id}>
              {/* A button instead of a radio: choosing closes the sheet, so arrow keys must not choose. */}
              <button
                type="button"
                className={method.id === chosenId ? 'opt on' : 'opt'}
                aria-pressed={method.id === chosenId}
                disabled={!hasCurrency(method) || (isHeld(method) && method.id !== chosenId)}
                onClick={() => onChoose(method)}
              >
                <MethodText method={method} />
                {method.id === chosenId ? <Icon name="check" /> : null}
              </button>
              <div className="row wrap g2 method-acts">
                {method.isDefault ? (
                  <span className="sm mute">{t`Default`}</span>
                ) : (
                  <Button
                    kind="text"
                    size="xs"
                    needsNetwork
                    onClick={() => void action.run(() => first.mutateAsync({ methodId: method.id }))}
                  >
                    {t`Make default`}
                    <span className="vh">: {bankText(method)}</span>
                  </Button>
                )}
                <span className="grow" />
                <Button kind="text" size="xs" needsNetwork onClick={() => void forget(method)}>
                  {t`Remove`}
                  <span className="vh"> {bankText(method)}</span>
                </Button>
              </div>
            </li>
          ),
        )}
      </ul>
      <Refused text={action.refusal} />
      <Button kind="out" icon="plus" full needsNetwork onClick={onAdd}>
        {t`Add a bank account`}
      </Button>
    </div>
  );
}
