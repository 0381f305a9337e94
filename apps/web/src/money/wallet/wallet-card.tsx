import { Plural, useLingui } from '@lingui/react/macro';
import { moneyLimits } from '@nearhand/contract/money/limits';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { useLinkQuery } from '../../lib/pages/use-link-query.ts';
import { formatDay, formatMoney, ownTimeZone } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { ListRow, PineCard } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import '../../ui/desk.css';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { CardsList } from '../cards/cards-list.tsx';
import { RefundMoney } from '../charges/refund-money.tsx';
import { CreditSummary } from '../credit-limits/credit-summary.tsx';
import { AddMoney } from './add-money.tsx';
import { type BusinessBalance, useWallet, type Wallet } from './wallet.api.ts';

const nothing: Omit<BusinessBalance, 'currency'> = {
  availableMinor: 0,
  promoMinor: 0,
  heldMinor: 0,
  holds: 0,
  plannedMinor: 0,
  plannedHolds: 0,
  plannedFrom: null,
  waitingMinor: 0,
  paidThisMonthMinor: 0,
  owedMinor: 0,
};

/** A closed business has a statement, but nothing to pay with or for. */
export function WalletCard({ businessId, closed = false }: { businessId: string; closed?: boolean }) {
  const { t } = useLingui();
  const query = useWallet(businessId);
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={2} />}
      errorTitle={t`We couldn't load your balance`}
    >
      {(wallet) => <BalanceCard businessId={businessId} closed={closed} wallet={wallet} />}
    </QueryState>
  );
}

/** `?add=1200`: a shortage elsewhere, in minor units. */
function askedMinor(search: string): number | null {
  const text = new URLSearchParams(search).get('add') ?? '';
  return /^[1-9]\d{0,8}$/.test(text) ? Math.max(moneyLimits.topUpMinMinor, Number(text)) : null;
}

/** `?refund`: the balance of a business to close goes back to its cards. `?cards`: a new business adds one. */
function sheetOf(search: string): 'add' | 'cards' | 'refund' | null {
  const parameters = new URLSearchParams(search);
  if (parameters.has('refund')) return 'refund';
  if (parameters.has('cards')) return 'cards';
  return askedMinor(search) === null ? null : 'add';
}

function BalanceCard({
  businessId,
  closed,
  wallet,
}: {
  businessId: string;
  closed: boolean;
  wallet: Wallet;
}) {
  const { t } = useLingui();
  const { search } = useLocation();
  const [open, setOpen] = useState(() => (wallet.canManage ? sheetOf(search) : null));
  useLinkQuery(sheetOf, (sheet) => {
    if (wallet.canManage) setOpen(sheet);
  });
  // Usually there is one currency; others of the same business are below, each with its balance only.
  const main: BusinessBalance = wallet.balances[0] ?? { currency: 'EUR', ...nothing };
  return (
    // The sheets are outside the highlighted card: inside they would inherit its colours.
    <>
      <PineCard label={t`Balance`}>
        <p className="sm mute">{t`Balance`}</p>
        <p className="desk-figure">{formatMoney(main.availableMinor, main.currency)}</p>
        <Figures main={main} otherBalances={wallet.balances.slice(1)} />
        {wallet.canManage ? (
          <div className="row wrap mt4 g2">
            {closed ? null : (
              <Button
                kind="on-pine"
                size="s"
                className="grow nowrap"
                needsNetwork
                onClick={() => setOpen('add')}
              >
                {t`Add money`}
              </Button>
            )}
            <ButtonLink kind="ghost-pine" size="s" className="grow nowrap" to="/merchant-transaction">
              {t`Statement`}
            </ButtonLink>
            {closed ? null : (
              <Button kind="ghost-pine" size="s" className="grow nowrap" onClick={() => setOpen('cards')}>
                {t`Cards`}
              </Button>
            )}
          </div>
        ) : null}
      </PineCard>
      {wallet.canManage ? <CreditSummary businessId={businessId} /> : null}
      <WalletSheets businessId={businessId} wallet={wallet} main={main} open={open} onOpen={setOpen} />
    </>
  );
}

function Figures({
  main,
  otherBalances,
}: {
  main: BusinessBalance;
  otherBalances: readonly BusinessBalance[];
}) {
  const { t } = useLingui();
  const money = (minor: number) => formatMoney(minor, main.currency);
  return (
    <div className="mt3 sm">
      {main.promoMinor > 0 ? (
        <Line label={t`Includes credit for hires`} value={money(main.promoMinor)} />
      ) : null}
      <Line
        label={<Plural value={main.holds} one="Held for # spot" other="Held for # spots" />}
        value={money(main.heldMinor)}
      />
      {main.plannedFrom ? (
        <Line
          label={<PlannedHolds count={main.plannedHolds} from={main.plannedFrom} />}
          value={money(main.plannedMinor)}
        />
      ) : null}
      <Line label={t`Waiting for approval`} value={money(main.waitingMinor)} />
      <Line label={t`Paid this month`} value={money(main.paidThisMonthMinor)} />
      {main.owedMinor > 0 ? <Line label={t`Still owed`} value={money(main.owedMinor)} /> : null}
      {otherBalances.map((balance) => (
        <Line
          key={balance.currency}
          label={t`Balance in ${balance.currency}`}
          value={formatMoney(balance.availableMinor, balance.currency)}
        />
      ))}
    </div>
  );
}

type WalletSheetsProps = {
  businessId: string;
  wallet: Wallet;
  main: BusinessBalance;
  open: ReturnType<typeof sheetOf>;
  onOpen: (sheet: ReturnType<typeof sheetOf>) => void;
};

function WalletSheets({ businessId, wallet, main, open, onOpen }: WalletSheetsProps) {
  const { t } = useLingui();
  const { search } = useLocation();
  const requestedMinor = askedMinor(search);
  const isRefundable = main.availableMinor > main.promoMinor;
  const close = () => onOpen(null);
  const finish = (text: string) => {
    close();
    showToast(text);
  };
  return (
    <>
      <Sheet open={open === 'add'} onClose={close} title={t`Add money`}>
        {open === 'add' ? (
          <AddMoney
            businessId={businessId}
            wallet={wallet}
            currency={main.currency}
            amountMinor={requestedMinor ?? undefined}
            hasTransfer
            onDone={finish}
          />
        ) : null}
      </Sheet>
      <Sheet open={open === 'cards'} onClose={close} title={t`Cards`}>
        {open === 'cards' ? (
          <div className="col g6">
            <CardsList businessId={businessId} wallet={wallet} />
            {isRefundable ? (
              <ListRow
                lead={<IconSign icon="arrow-counter-clockwise" />}
                title={t`Send money back`}
                note={t`From your balance to the cards it came from.`}
                onClick={() => onOpen('refund')}
              />
            ) : null}
          </div>
        ) : null}
      </Sheet>
      <Sheet open={open === 'refund'} onClose={close} title={t`Send money back`}>
        {open !== 'refund' ? null : isRefundable ? (
          <RefundMoney
            businessId={businessId}
            balance={main}
            isAll={new URLSearchParams(search).get('refund') === 'all'}
            onDone={finish}
          />
        ) : (
          <p>{t`There’s no money to send back.`}</p>
        )}
      </Sheet>
    </>
  );
}

/** `from`: when the next of them is set aside; in the past if it couldn't be (ADR 399). */
function PlannedHolds({ count, from }: { count: number; from: string }) {
  if (Date.parse(from) <= Date.now())
    return (
      <Plural value={count} one="To set aside now for # shift" other="To set aside for # shifts, from now" />
    );
  const day = formatDay(from, ownTimeZone());
  return (
    <Plural
      value={count}
      one={`To set aside for # shift, on ${day}`}
      other={`To set aside for # shifts, from ${day}`}
    />
  );
}

function Line({ label, value }: { label: React.ReactNode; value: string }) {
  return (
    <p className="pine-sum">
      <span>{label}</span>
      <b className="strong num">{value}</b>
    </p>
  );
}
