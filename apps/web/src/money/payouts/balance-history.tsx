import { Trans, useLingui } from '@lingui/react/macro';
import { decisionsPath } from '@nearhand/contract/app-paths';
import { bankText, endingIn } from '@nearhand/contract/money/account-mask';
import type { Withdrawal } from '@nearhand/contract/money/payouts';
import type { StatementLine } from '@nearhand/contract/money/statements';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDate, formatMoney, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { ListRow, SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { StatementRow } from '../statements/statement-row.tsx';
import { useStatement } from '../statements/statements.api.ts';
import {
  arrivalText,
  failureText,
  isBack,
  payoutStandingText,
  withdrawalStatusText,
  withdrawalTone,
} from './payout.labels.ts';
import { useCancelWithdrawal, useWithdrawal, useWithdrawals } from './payouts.api.ts';

const firstRows = 8;

export function BalanceHistory({ currency }: { currency: StatementLine['currency'] }) {
  const { t } = useLingui();
  const withdrawals = useWithdrawals();
  const lines = useStatement({ group: 'all', currency });
  const [count, setCount] = useState(firstRows);
  const [open, setOpen] = useState<Withdrawal | null>(null);
  return (
    <section aria-labelledby="history-head">
      <div className="row base">
        <h2 className="h-m grow" id="history-head">
          {t`History`}
        </h2>
        <Link className="link sm hit" to="/user-transaction">
          {t`Full statement`}
        </Link>
      </div>
      <QueryState
        query={withdrawals}
        loading={<RowsSkeleton count={3} />}
        errorTitle={t`We couldn't load your withdrawals`}
      >
        {({ pages }) => {
          const rows = historyRows(
            currency,
            { items: pages.flatMap(({ items }) => items), more: withdrawals.hasNextPage },
            {
              items: lines.data?.pages.flatMap(({ items }) => items) ?? [],
              more: lines.hasNextPage,
            },
          );
          const more = rows.length > count || withdrawals.hasNextPage || lines.hasNextPage;
          const showMore = () => {
            setCount(count + 20);
            if (rows.length > count + 20) return;
            if (withdrawals.hasNextPage) void withdrawals.fetchNextPage();
            if (lines.hasNextPage) void lines.fetchNextPage();
          };
          return rows.length === 0 ? (
            <p className="sm mute mt2">{t`Your pay and withdrawals will appear here.`}</p>
          ) : (
            <>
              <ul>
                {rows.slice(0, count).map((row) => (
                  <li key={row.id}>
                    {row.kind === 'withdrawal' ? (
                      <WithdrawalRow withdrawal={row.withdrawal} onOpen={() => setOpen(row.withdrawal)} />
                    ) : (
                      <StatementRow
                        line={row.line}
                        side="worker"
                        timeZone={lines.data?.pages[0]?.timeZone ?? ownTimeZone()}
                        to={`/user-transaction?line=${row.id}`}
                      />
                    )}
                  </li>
                ))}
              </ul>
              {more ? (
                <Button
                  kind="text"
                  size="s"
                  busy={withdrawals.isFetchingNextPage || lines.isFetchingNextPage}
                  onClick={showMore}
                >
                  {t`Show more`}
                </Button>
              ) : null}
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

function WithdrawalRow({ withdrawal, onOpen }: { withdrawal: Withdrawal; onOpen: () => void }) {
  const { t } = useLingui();
  const back = isBack(withdrawal.status);
  // Until it is paid the money is part of the balance above, and its figure has no sign, as on the statement.
  const isPaid = withdrawal.status === 'paid';
  const last4 = endingIn(withdrawal.method.last4);
  return (
    <ListRow
      lead={
        <IconSign
          icon={back ? 'arrow-counter-clockwise' : 'arrow-up-right'}
          colour={withdrawal.status === 'failed' || withdrawal.status === 'returned' ? 'clay' : 'sky'}
          round
        />
      }
      title={t`To your bank`}
      note={`\u2066${last4}\u2069\u00a0· ${arrivalText(withdrawal)}`}
      end={
        <span className="right num">
          <span className={`strong sm block nowrap${isPaid ? '' : ' mute'}`}>
            {formatMoney(isPaid ? -withdrawal.amountMinor : withdrawal.amountMinor, withdrawal.currency)}
          </span>
          <span className="xs mute block">{payoutStandingText(withdrawal)}</span>
          {withdrawal.feeMinor > 0 && !back ? (
            <span className="xs mute block">{t`minus ${formatMoney(withdrawal.feeMinor, withdrawal.currency)} fee`}</span>
          ) : null}
        </span>
      }
      onClick={onOpen}
    />
  );
}

type HistoryRow =
  | { kind: 'withdrawal'; id: string; at: string; withdrawal: Withdrawal }
  | { kind: 'line'; id: string; at: string; line: StatementLine };

type Loaded<Item> = { items: readonly Item[]; more: boolean };

/** Withdrawals and pay, newest first. Rows older than the last loaded one of either list wait for more pages. */
export function historyRows(
  currency: string,
  withdrawals: Loaded<Withdrawal>,
  lines: Loaded<StatementLine>,
): HistoryRow[] {
  const since = Math.max(
    withdrawals.more ? timeOf(withdrawals.items.at(-1)?.requestedAt) : 0,
    lines.more ? timeOf(lines.items.at(-1)?.at) : 0,
  );
  const rows: HistoryRow[] = [
    ...withdrawals.items
      .filter((item) => item.currency === currency)
      .map((item) => ({
        kind: 'withdrawal' as const,
        id: item.id,
        at: item.requestedAt,
        withdrawal: item,
      })),
    ...lines.items
      .filter(({ kind }) => kind !== 'withdrawal' && kind !== 'withdrawal_back')
      .map((line) => ({ kind: 'line' as const, id: line.id, at: line.at, line })),
  ];
  return rows.filter(({ at }) => timeOf(at) >= since).sort((a, b) => timeOf(b.at) - timeOf(a.at));
}

const timeOf = (instant: string | undefined): number => (instant ? Date.parse(instant) : 0);

function WithdrawalDetail({ first }: { first: Withdrawal }) {
  const { t } = useLingui();
  const query = useWithdrawal(first.id);
  const cancel = useCancelWithdrawal();
  const action = useAction(errorText);
  const withdrawal = query.data ?? first;
  const money = (minor: number) => formatMoney(minor, withdrawal.currency);
  return (
    <div className="col g4">
      <div>
        <p className="h-l num">{money(withdrawal.amountMinor)}</p>
        <p className="row wrap g2 mt2">
          <Badge tone={withdrawalTone(withdrawal)}>{payoutStandingText(withdrawal)}</Badge>
          {withdrawal.failure ? null : <span className="sm mute">{arrivalText(withdrawal)}</span>}
        </p>
      </div>
      <WithdrawalBanners withdrawal={withdrawal} />
      <div>
        <SumRow label={t`Account`} value={<bdi>{bankText(withdrawal.method)}</bdi>} />
        <SumRow label={t`From your balance`} value={money(withdrawal.amountMinor)} />
        <SumRow
          label={withdrawal.speed === 'instant' ? t`Fee, instant` : t`Fee, standard`}
          value={withdrawal.feeMinor === 0 ? t`free` : money(-withdrawal.feeMinor)}
        />
        {isBack(withdrawal.status) ? null : (
          <SumRow
            total
            label={withdrawal.status === 'paid' ? t`Arrived` : t`Arrives`}
            value={money(withdrawal.getsMinor)}
          />
        )}
      </div>
      <Timeline
        items={withdrawal.steps.map((step, index) => ({
          title: withdrawalStatusText(step.status),
          time: formatDate(step.at, ownTimeZone()),
          ...(step.failure ? { note: failureText(step.failure) } : {}),
          state:
            index === withdrawal.steps.length - 1 &&
            !isBack(withdrawal.status) &&
            withdrawal.status !== 'paid'
              ? 'now'
              : 'done',
        }))}
      />
      <Refused text={action.refusal} />
      {withdrawal.actions.includes('cancel') ? (
        <>
          {withdrawal.cancelBy && !withdrawal.waiting ? (
            <p className="sm mute">
              <Trans>You can cancel it until {formatTime(withdrawal.cancelBy, ownTimeZone())}.</Trans>
            </p>
          ) : null}
          <Button
            kind="out"
            full
            busy={action.busy}
            onClick={() =>
              void action.run(async () => {
                await cancel.mutateAsync({ withdrawalId: withdrawal.id, version: withdrawal.version });
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

/** The reasons why a withdrawal failed, waits, is checked or was refused. */
function WithdrawalBanners({ withdrawal }: { withdrawal: Withdrawal }) {
  const { t } = useLingui();
  return (
    <>
      {withdrawal.failure && isBack(withdrawal.status) ? (
        <Banner tone="bad" icon="warning-circle">
          {failureText(withdrawal.failure)} <Trans>The money is back in your balance.</Trans>
        </Banner>
      ) : null}
      {withdrawal.waiting ? (
        <Banner tone="wait" icon="clock">
          <strong>{t`It goes out by itself.`}</strong>{' '}
          <Trans>
            The payment provider needs more from you first. You don't have to ask again once it has it.
          </Trans>
        </Banner>
      ) : null}
      {withdrawal.status === 'in_review' ? (
        <Banner tone="wait" icon="clock">
          <strong>{t`We're checking this bank account.`}</strong>{' '}
          <Trans>
            The account holder, {withdrawal.method.holderName}, isn't the name we verified. A person on our
            team looks at it, usually within two days. Nothing is sent until then, and you can cancel at any
            time.
          </Trans>
        </Banner>
      ) : null}
      {withdrawal.refusedBecause ? (
        <Banner tone="bad" icon="warning-circle">
          <span className="pre-line">{withdrawal.refusedBecause}</span>{' '}
          <Trans>The money is back in your balance.</Trans>{' '}
          <Link className="link" to={decisionsPath}>
            {t`See your decisions`}
          </Link>
        </Banner>
      ) : null}
    </>
  );
}
