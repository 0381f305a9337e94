import { useLingui } from '@lingui/react/macro';
import { endingIn } from '@nearhand/contract/money/account-mask';
import type { Withdrawal } from '@nearhand/contract/money/payouts';
import type { StatementLine } from '@nearhand/contract/money/statements';
import { useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { formatAgo, formatMoney, ownTimeZone } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { StatementRow } from '../statements/statement-row.part.tsx';
import { useStatement } from '../statements/statements.api.ts';
import { historyRows } from './history.rules.ts';
import { arrivalText, isBack, withdrawalStatusText } from './payout-words.ts';
import { useWithdrawals } from './payouts.api.ts';
import { WithdrawalDetail } from './withdrawal-detail.tsx';

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
