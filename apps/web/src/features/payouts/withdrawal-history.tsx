import { Trans, useLingui } from '@lingui/react/macro';
import type { Withdrawal } from '@nearhand/contract/payouts';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatDate, formatMoney, ownTimeZone } from '../../lib/format.ts';
import { useMove } from '../../lib/use-move.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ListRow } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { IconSign } from '../../ui/sign.tsx';
import { RowsSkeleton } from '../../ui/skeleton.tsx';
import { Timeline } from '../../ui/steps.tsx';
import {
  arrivalText,
  failureText,
  isBack,
  methodText,
  withdrawalStatusText,
  withdrawalTone,
} from './payout-words.ts';
import { useCancelWithdrawal, useWithdrawal, useWithdrawals } from './payouts.api.ts';

/** What was taken out, newest first; each opens with its steps. */
export function WithdrawalHistory() {
  const { t } = useLingui();
  const query = useWithdrawals();
  const [open, setOpen] = useState<Withdrawal | null>(null);
  return (
    <section aria-labelledby="withdrawals-head">
      <h2 className="h-s" id="withdrawals-head">
        {t`Withdrawals`}
      </h2>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={2} />}
        errorTitle={t`We could not load your withdrawals`}
        describe={errorText}
        asOf={formatAgo}
      >
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return items.length === 0 ? (
            <p className="sm mute mt2">{t`Nothing taken out yet.`}</p>
          ) : (
            <>
              <ul>
                {items.map((one) => (
                  <li key={one.id}>
                    <ListRow
                      lead={
                        <IconSign
                          icon={isBack(one.status) ? 'arrow-counter-clockwise' : 'arrow-up-right'}
                          colour={one.status === 'paid' ? 'moss' : isBack(one.status) ? 'clay' : 'sky'}
                          round
                        />
                      }
                      title={t`To ${methodText(one.method)}`}
                      note={arrivalText(one)}
                      end={
                        <span className="right num">
                          <span className="strong sm block">{`−${formatMoney(one.amountMinor, one.currency)}`}</span>
                          <span className="xs mute block">{withdrawalStatusText(one.status)}</span>
                        </span>
                      }
                      onClick={() => setOpen(one)}
                    />
                  </li>
                ))}
              </ul>
              <LoadMore query={query} />
            </>
          );
        }}
      </QueryState>
      <Sheet open={open !== null} onClose={() => setOpen(null)} title={t`Withdrawal`}>
        {open ? <WithdrawalDetail key={open.id} first={open} /> : null}
      </Sheet>
    </section>
  );
}

function WithdrawalDetail({ first }: { first: Withdrawal }) {
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
          <span className="sm mute">{arrivalText(one)}</span>
        </p>
      </div>
      {one.failure && isBack(one.status) ? (
        <Banner tone="bad" icon="warning-circle">
          {failureText(one.failure)} <Trans>The money is back in your balance.</Trans>
        </Banner>
      ) : null}
      <div>
        <p className="sum">
          <span className="k">{t`Account`}</span>
          <span>{methodText(one.method)}</span>
        </p>
        <p className="sum">
          <span className="k">{t`Fee`}</span>
          <span>{one.feeMinor === 0 ? t`free` : money(one.feeMinor)}</span>
        </p>
        <p className="sum total">
          <span className="k">{t`Arrives`}</span>
          <span>{money(one.getsMinor)}</span>
        </p>
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
        <Button
          kind="out"
          full
          busy={move.busy}
          onClick={() =>
            void move.run(() => cancel.mutateAsync({ withdrawalId: one.id, version: one.version }))
          }
        >
          {t`Keep the money, do not send it`}
        </Button>
      ) : null}
    </div>
  );
}
