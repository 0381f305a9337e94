import { Trans, useLingui } from '@lingui/react/macro';
import { decisionsPath } from '@nearhand/contract/app-paths';
import { bankText } from '@nearhand/contract/money/account-mask';
import type { Withdrawal } from '@nearhand/contract/money/payouts';
import { errorText } from '../../lib/api/error-text.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatDate, formatMoney, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { arrivalText, failureText, isBack, withdrawalStatusText, withdrawalTone } from './payout-words.ts';
import { useCancelWithdrawal, useWithdrawal } from './payouts.api.ts';

/** A withdrawal: amount and payout, its steps, and cancelling while possible: the content of a sheet. */
export function WithdrawalDetail({ first }: { first: Withdrawal }) {
  const { t } = useLingui();
  const query = useWithdrawal(first.id);
  const cancel = useCancelWithdrawal();
  const move = useMove(errorText);
  const one = query.data ?? first;
  const money = (minor: number) => formatMoney(minor, one.currency);
  return (
    <div className="col g4">
      <div>
        <p className="h-l num">{money(one.amountMinor)}</p>
        <p className="row wrap g2 mt2">
          <Badge tone={withdrawalTone(one.status)}>{withdrawalStatusText(one.status)}</Badge>
          {one.failure ? null : <span className="sm mute">{arrivalText(one)}</span>}
        </p>
      </div>
      {one.failure && isBack(one.status) ? (
        <Banner tone="bad" icon="warning-circle">
          {failureText(one.failure)} <Trans>The money is back in your balance.</Trans>
        </Banner>
      ) : null}
      {one.status === 'in_review' ? (
        <Banner tone="wait" icon="clock">
          <strong>{t`We're checking this bank account.`}</strong>{' '}
          <Trans>
            The account holder, {one.method.holderName}, isn't the name we verified. A person on our team
            looks at it, usually within two days. Nothing is sent until then, and you can cancel at any time.
          </Trans>
        </Banner>
      ) : null}
      {one.refusedBecause ? (
        <Banner tone="bad" icon="warning-circle">
          <span className="pre-line">{one.refusedBecause}</span>{' '}
          <Trans>The money is back in your balance.</Trans>{' '}
          <Link className="link" to={decisionsPath}>
            {t`See your decisions`}
          </Link>
        </Banner>
      ) : null}
      <div>
        <SumRow label={t`Account`} value={bankText(one.method)} />
        <SumRow label={t`From your balance`} value={money(one.amountMinor)} />
        <SumRow
          label={one.speed === 'instant' ? t`Fee, instant` : t`Fee, standard`}
          value={one.feeMinor === 0 ? t`free` : `−${money(one.feeMinor)}`}
        />
        {isBack(one.status) ? null : (
          <SumRow
            total
            label={one.status === 'paid' ? t`Arrived` : t`Arrives`}
            value={money(one.getsMinor)}
          />
        )}
      </div>
      <Timeline
        items={one.steps.map((step, index) => ({
          title: withdrawalStatusText(step.status),
          time: formatDate(step.at, ownTimeZone()),
          ...(step.failure ? { note: failureText(step.failure) } : {}),
          state:
            index === one.steps.length - 1 && !isBack(one.status) && one.status !== 'paid' ? 'now' : 'done',
        }))}
      />
      <Refused text={move.refusal} />
      {one.actions.includes('cancel') ? (
        <>
          {one.cancelBy ? (
            <p className="sm mute">
              <Trans>You can cancel it until {formatTime(one.cancelBy, ownTimeZone())}.</Trans>
            </p>
          ) : null}
          <Button
            kind="out"
            full
            busy={move.busy}
            onClick={() =>
              void move.run(async () => {
                await cancel.mutateAsync({ withdrawalId: one.id, version: one.version });
                showToast(t`Cancelled. The money is back in your balance.`);
              })
            }
          >
            {t`Cancel withdrawal`}
          </Button>
        </>
      ) : null}
    </div>
  );
}
