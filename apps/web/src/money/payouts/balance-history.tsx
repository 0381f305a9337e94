import { Trans, useLingui } from '@lingui/react/macro';
import { decisionsPath } from '@nearhand/contract/app-paths';
import { bankText, endingIn } from '@nearhand/contract/money/account-mask';
import type { Withdrawal } from '@nearhand/contract/money/payouts';
import type { StatementLine } from '@nearhand/contract/money/statements';
import { useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatAgo, formatDate, formatMoney, formatTime, ownTimeZone } from '../../lib/words/format.ts';
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
import { arrivalText, failureText, isBack, withdrawalStatusText, withdrawalTone } from './payout-words.ts';
import { useCancelWithdrawal, useWithdrawal, useWithdrawals } from './payouts.api.ts';

const firstRows = 8;

/** Withdrawals and pay, newest first; a withdrawal opens with its steps, pay in the statement. */
export function BalanceHistory({ currency }: { currency: StatementLine['currency'] }) {
  const { t } = useLingui();
  const withdrawals = useWithdrawals();
  const lines = useStatement({ group: 'all', currency });
  const [shown, setShown] = useState(firstRows);
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
        describe={errorText}
        asOf={formatAgo}
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
          const more = rows.length > shown || withdrawals.hasNextPage || lines.hasNextPage;
          const showMore = () => {
            setShown(shown + 20);
            if (rows.length > shown + 20) return;
            if (withdrawals.hasNextPage) void withdrawals.fetchNextPage();
            if (lines.hasNextPage) void lines.fetchNextPage();
          };
          return rows.length === 0 ? (
            <p className="sm mute mt2">{t`Your pay and withdrawals will appear here.`}</p>
          ) : (
            <>
              <ul>
                {rows.slice(0, shown).map((row) => (
                  <li key={row.id}>
                    {row.kind === 'withdrawal' ? (
                      <WithdrawalRow one={row.withdrawal} onOpen={() => setOpen(row.withdrawal)} />
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

function WithdrawalRow({ one, onOpen }: { one: Withdrawal; onOpen: () => void }) {
  const { t } = useLingui();
  const back = isBack(one.status);
  const amount = formatMoney(one.amountMinor, one.currency);
  const last4 = endingIn(one.method.last4);
  return (
    <ListRow
      lead={
        <IconSign
          icon={back ? 'arrow-counter-clockwise' : 'arrow-up-right'}
          colour={one.status === 'failed' || one.status === 'returned' ? 'clay' : 'sky'}
          round
        />
      }
      title={t`To your bank`}
      note={`\u2066${last4}\u2069\u00a0· ${arrivalText(one)}`}
      end={
        <span className="right num">
          <span className={`strong sm block nowrap${back ? ' mute' : ''}`}>
            <bdi dir="ltr">{back ? amount : `−${amount}`}</bdi>
          </span>
          <span className="xs mute block">{withdrawalStatusText(one.status)}</span>
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

/**
 * Withdrawals and pay as one list, newest first. Both are paged: rows older than the last loaded one of either are left out until more is
 * loaded, or the order would be wrong. The statement's own withdrawal lines are left out: it lacks cancelled and failed ones.
 */
export function historyRows(
  currency: string,
  withdrawals: Loaded<Withdrawal>,
  lines: Loaded<StatementLine>,
): HistoryRow[] {
  const since = Math.max(
    withdrawals.more ? time(withdrawals.items.at(-1)?.requestedAt) : 0,
    lines.more ? time(lines.items.at(-1)?.at) : 0,
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
  return rows.filter(({ at }) => time(at) >= since).sort((a, b) => time(b.at) - time(a.at));
}

const time = (instant: string | undefined): number => (instant ? Date.parse(instant) : 0);

/** A withdrawal: amount and payout, its steps, and cancelling while possible: the content of a sheet. */
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
