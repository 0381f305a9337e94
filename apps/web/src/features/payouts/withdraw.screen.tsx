import { Trans, useLingui } from '@lingui/react/macro';
import type { WorkerBalance } from '@nearhand/contract/payouts';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Chip, Chips } from '../../ui/chip.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { BalanceCard } from './balance-card.tsx';
import { BankForm } from './bank-form.tsx';
import { IdentityForm } from './identity-form.tsx';
import { MethodsList } from './methods-sheet.tsx';
import './payouts.css';
import { type Balance, useBalance } from './payouts.api.ts';
import { WithdrawForm } from './withdraw-form.tsx';
import { WithdrawalHistory } from './withdrawal-history.tsx';

/** Balance, ways to be paid out, withdrawing, and what was withdrawn. */
export default function WithdrawScreen() {
  const { t } = useLingui();
  const query = useBalance();
  return (
    <Screen
      title={t`Balance`}
      heading={null}
      back="menu"
      actions={
        <Link className="btn text s" to="/user-transaction">
          {t`Statement`}
        </Link>
      }
      onRefresh={() => query.refetch()}
    >
      <h1 className="vh">{t`Balance`}</h1>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We could not load your balance`}
        describe={errorText}
        asOf={formatAgo}
      >
        {(data) => <Loaded data={data} />}
      </QueryState>
    </Screen>
  );
}

type Open = 'identity' | 'bank' | 'methods' | null;

function Loaded({ data }: { data: Balance }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<Open>(null);
  const [currency, setCurrency] = useState<string | null>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const close = () => setOpen(null);
  const balance = (data.balances.find((one) => one.currency === currency) ??
    data.balances[0]) as WorkerBalance;
  const fitting = data.methods.filter((method) => method.currency === balance.currency);
  const method =
    fitting.find(({ id }) => id === chosen) ?? fitting.find(({ isDefault }) => isDefault) ?? fitting[0];
  return (
    <div className="balance-page">
      {data.balances.length > 1 ? (
        <Chips label={t`Currency`} wrap>
          {data.balances.map((one) => (
            <Chip
              key={one.currency}
              pressed={one.currency === balance.currency}
              onClick={() => setCurrency(one.currency)}
            >
              {one.currency}
            </Chip>
          ))}
        </Chips>
      ) : null}
      <BalanceCard balance={balance} identity={data.identity} onVerify={() => setOpen('identity')} />
      {method ? (
        <WithdrawForm
          key={`${method.id} ${balance.currency}`}
          balance={balance}
          rules={data.rules}
          method={method}
          onChange={() => setOpen('methods')}
          onDone={(text) => showToast(text)}
        />
      ) : (
        <section className="card dash col g3">
          <h2 className="h-s">{t`Where should it go?`}</h2>
          <p className="sm mute">
            <Trans>
              Add a bank account for {balance.currency}. It can be used {data.rules.methodHoldDays} days
              later.
            </Trans>
          </p>
          <Button kind="go" icon="plus" onClick={() => setOpen('bank')}>
            {t`Add a bank account`}
          </Button>
        </section>
      )}
      <WithdrawalHistory />
      <Sheet open={open === 'identity'} onClose={close} title={t`Payout identity`}>
        <IdentityForm
          test={data.test}
          onDone={() => {
            close();
            showToast(t`Sent. We tell you when it is checked.`);
          }}
        />
      </Sheet>
      <Sheet open={open === 'bank'} onClose={close} title={t`Add a bank account`}>
        <BankForm
          tokenUrl={data.tokenUrl}
          test={data.test}
          currency={balance.currency}
          holdDays={data.rules.methodHoldDays}
          onDone={() => {
            close();
            showToast(t`The account is added`);
          }}
        />
      </Sheet>
      <Sheet open={open === 'methods'} onClose={close} title={t`Bank accounts`}>
        <MethodsList
          methods={fitting}
          chosen={method?.id ?? null}
          onChoose={(one) => {
            setChosen(one.id);
            close();
          }}
          onAdd={() => setOpen('bank')}
        />
      </Sheet>
    </div>
  );
}
