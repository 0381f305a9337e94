import { Trans, useLingui } from '@lingui/react/macro';
import { methodKind } from '@nearhand/contract/money/cards.rules';
import type { Charge } from '@nearhand/contract/money/charges';
import { useEffect, useRef } from 'react';
import { formatMoney } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { isChargeOver, moneyMoved, useCharge } from './charges.api.ts';
import { refusalText } from './refusal.labels.ts';

/** A card payment in progress: charged, awaiting confirmation, or declined. Reports the result once. */
export function ChargeProgress({
  charge: first,
  onDone,
  onFailed,
}: {
  charge: Charge;
  onDone?: () => void;
  onFailed?: () => void;
}) {
  const { t } = useLingui();
  const query = useCharge(isChargeOver(first) ? null : first.id);
  const charge = query.data ?? first;
  const hasNotified = useRef(false);
  useEffect(() => {
    if (hasNotified.current || !isChargeOver(charge)) return;
    hasNotified.current = true;
    if (charge.status === 'succeeded') onDone?.();
    else {
      moneyMoved();
      onFailed?.();
    }
  }, [charge, onDone, onFailed]);
  const amount = formatMoney(charge.amountMinor, charge.currency);
  if (charge.status === 'failed' || charge.status === 'cancelled')
    return (
      <Banner tone="bad" icon="warning-circle" live>
        {refusalText(charge.failure)}
      </Banner>
    );
  const kind = methodKind(charge.cardBrand);
  if (charge.status === 'requires_action' && charge.actionUrl)
    return (
      <div className="col g3" aria-live="polite">
        <Banner tone="wait" icon="shield-check">
          <Trans>Your bank asks you to confirm the payment of {amount}.</Trans>
        </Banner>
        <ButtonLink kind="ink" full icon="arrow-square-out" to={charge.actionUrl}>
          {t`Confirm with your bank`}
        </ButtonLink>
      </div>
    );
  if (charge.status === 'succeeded')
    return (
      <Banner tone="good" icon="check-circle" live>
        <Trans>{amount} paid.</Trans>
      </Banner>
    );
  if (kind === 'debit')
    return (
      <Banner tone="wait" icon="hourglass" live>
        <p className="strong">{t`Your bank is asked for ${amount}`}</p>
        <p>
          <Trans>
            A direct debit takes several working days. Nothing is paid or sent before the money has arrived,
            and we tell you if your bank refuses.
          </Trans>
        </p>
      </Banner>
    );
  return (
    <div className="col g2" aria-live="polite">
      <p className="row g3 strong" role="status">
        <span className="spin" aria-hidden="true" />
        {kind === 'bank'
          ? t`Opening the payment of ${amount} at your bank`
          : t`Charging ${amount} to the card ending in ${charge.cardLast4}`}
      </p>
      <p className="sm mute">
        <Trans>This takes a few seconds, or minutes with some cards. You can leave this page.</Trans>
      </p>
    </div>
  );
}
