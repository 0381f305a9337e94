import { Trans, useLingui } from '@lingui/react/macro';
import { accountSettingsPath, taxOfficePath } from '@nearhand/contract/app-paths';
import type { Currency } from '@nearhand/contract/currencies';
import { type ReactNode, useId, useState } from 'react';
import { useLocation } from 'react-router';
import { formatDate, formatMoney, ownTimeZone } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { announce, showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { Loading, SkeletonBar } from '../../ui/pages/skeleton.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { SellerRequestBanner } from '../seller-reports/tax-office.tsx';
import { BalanceCard } from './balance-card.tsx';
import { BalanceHistory } from './balance-history.tsx';
import { BankForm } from './bank-form.tsx';
import { IdentityForm } from './identity-form.tsx';
import { MethodsList } from './methods-sheet.tsx';
import { identitySentText } from './payout.labels.ts';
import { PayoutAccountCard } from './payout-account.tsx';
import { ProviderPage } from './provider-page.tsx';
import './payouts.css';
import { useMyProfile } from '../../people/profiles/profiles.api.ts';
import { HelpLink } from '../../ui/help-link.tsx';
import { type Balance, useBalance } from './payouts.api.ts';
import { useWithdrawDesk, type WithdrawDesk } from './use-withdraw-desk.ts';
import { takesSelection } from './withdraw.rules.ts';
import { type WithdrawAsk, WithdrawConfirm } from './withdraw-confirm.tsx';
import { WithdrawForm } from './withdraw-form.tsx';

export default function WithdrawScreen() {
  const { t } = useLingui();
  const query = useBalance();
  const closing = new URLSearchParams(useLocation().search).has('closing');
  const desk = useWithdrawDesk(query.data, closing);
  const wide = useWide();
  // The balance as of the request. It may change while the sheet is open, for example by the withdrawal itself.
  const [asking, setAsking] = useState<Omit<WithdrawAsk, 'onClose' | 'onDone'> | null>(null);
  const form = useId();
  const { balance, method, request } = desk;
  const ask = () => {
    if (request && method && balance)
      setAsking({ request, method, quote: desk.quote, instantFeeMinor: balance.instantFeeMinor });
  };
  const button =
    balance && method && balance.availableMinor > 0 ? (
      <Button kind="go" full={wide} type="submit" form={form} disabled={desk.held || desk.none} needsNetwork>
        {request ? t`Withdraw ${formatMoney(request.amountMinor, balance.currency)}` : t`Withdraw`}
      </Button>
    ) : undefined;
  return (
    <Screen
      title={t`Balance`}
      heading={null}
      bar={wide ? <span className="grow" /> : <h1 className="balance-title">{t`Balance`}</h1>}
      back="menu"
      width="wide"
      actions={
        <Link className="btn text s balance-statement" to="/user-transaction">
          {t`Statement`}
        </Link>
      }
      onRefresh={() => query.refetch()}
      dock={wide ? undefined : button}
    >
      {wide ? <h1 className="h-xl balance-head">{t`Balance`}</h1> : null}
      <QueryState
        query={query}
        loading={<BalanceSkeleton />}
        errorTitle={t`We couldn't load your balance`}
        isPageAge
        offlineNote={t`You can withdraw once you're back online.`}
      >
        {(data) => (
          <>
            {closing ? (
              <Closing
                isEmpty={data.balances.every(
                  ({ availableMinor, pendingMinor }) => availableMinor === 0 && pendingMinor === 0,
                )}
              />
            ) : null}
            <SellerRequestBanner
              request={data.sellerRequest}
              action={
                <ButtonLink kind="out" size="s" to={taxOfficePath}>
                  {t`Add my details`}
                </ButtonLink>
              }
            />
            <BalanceDesk data={data} desk={desk} form={form} onAsk={ask} button={wide ? button : null} />
          </>
        )}
      </QueryState>
      <Sheet open={asking !== null} onClose={() => setAsking(null)} title={t`Withdraw`}>
        {asking ? (
          <WithdrawConfirm
            {...asking}
            quote={desk.quote ?? asking.quote}
            onClose={() => setAsking(null)}
            onDone={(text) => {
              setAsking(null);
              desk.clear();
              showToast(text);
            }}
          />
        ) : null}
      </Sheet>
    </Screen>
  );
}

function Closing({ isEmpty }: { isEmpty: boolean }) {
  const { t } = useLingui();
  return (
    <Banner icon="info">
      <p>
        {isEmpty ? (
          <Trans>There's nothing left to withdraw.</Trans>
        ) : (
          <Trans>
            There's no minimum when you close your account. Withdraw everything, then delete your account.
          </Trans>
        )}
      </p>
      <Link className="link" to={accountSettingsPath()}>
        {t`Back to account settings`}
      </Link>
    </Banner>
  );
}

type Open = 'identity' | 'bank' | 'methods' | null;

type BalanceDeskProps = {
  data: Balance;
  desk: WithdrawDesk;
  form: string;
  onAsk: () => void;
  button: ReactNode;
};

function BalanceDesk({ data, desk, form, onAsk, button }: BalanceDeskProps) {
  const { t } = useLingui();
  const [open, setOpen] = useState<Open>(null);
  const { balance, method } = desk;
  const { tokenUrl, identity } = data;
  const account = data.account ?? null;
  // Before that, the account at the provider is the next step, and its page asks for the bank account too.
  const takesBanks = account === null || !['none', 'in_progress', 'closed'].includes(account.status);
  // The provider's page belongs to an identity check that has started.
  const isPageReady = identity.status === 'pending' || identity.status === 'verified';
  const addBank = () => setOpen(tokenUrl !== null || isPageReady ? 'bank' : 'identity');
  if (!balance) return null;
  return (
    <div className="balance-page">
      {data.balances.length > 1 ? (
        <Chips label={t`Currency`} wrap>
          {data.balances.map((entry) => (
            <Chip
              key={entry.currency}
              pressed={entry.currency === balance.currency}
              onClick={() => desk.chooseCurrency(entry.currency)}
            >
              {entry.currency}
            </Chip>
          ))}
        </Chips>
      ) : null}
      <div className="balance-desk">
        <BalanceCard
          balance={balance}
          identity={data.identity}
          hasAccount={account !== null}
          clearingDays={data.rules.clearingDays}
          onVerify={() => setOpen('identity')}
        />
        {account ? (
          <PayoutAccountCard
            account={account}
            hasBank={data.methods.length > 0}
            onStart={() => setOpen('identity')}
          />
        ) : null}
        {method && balance.availableMinor === 0 ? (
          <section className="card col g3">
            <p>
              {balance.pendingMinor > 0
                ? t`Nothing to withdraw yet. Your pay appears here once it clears.`
                : t`Nothing to withdraw`}
            </p>
            <p>
              <PlainButton className="link" onClick={() => setOpen('methods')}>
                {t`Your bank accounts`}
              </PlainButton>
            </p>
          </section>
        ) : method ? (
          <WithdrawForm
            key={balance.currency}
            id={form}
            desk={desk}
            balance={balance}
            rules={data.rules}
            method={method}
            onChange={() => setOpen('methods')}
            onAsk={onAsk}
          />
        ) : takesBanks ? (
          <FirstBank data={data} balance={balance} onAdd={addBank} onMethods={() => setOpen('methods')} />
        ) : null}
        {button}
        <HelpLink article="withdraw">{t`How withdrawals work`}</HelpLink>
      </div>
      <BalanceHistory currency={balance.currency} />
      <PayoutSheets
        data={data}
        desk={desk}
        currency={balance.currency}
        open={open}
        onOpen={setOpen}
        onAddBank={addBank}
      />
    </div>
  );
}

function FirstBank({
  data,
  balance,
  onAdd,
  onMethods,
}: {
  data: Balance;
  balance: NonNullable<WithdrawDesk['balance']>;
  onAdd: () => void;
  onMethods: () => void;
}) {
  const { t } = useLingui();
  return (
    <section className="card dash col g3">
      <h2 className="h-s">{t`Where should it go?`}</h2>
      <p className="sm mute">
        <Trans>
          Add a bank account for {balance.currency} now. For your safety, you can use it{' '}
          {data.rules.methodHoldDays} days later.
        </Trans>
      </p>
      <Button kind="go" icon="plus" needsNetwork onClick={onAdd}>
        {t`Add a bank account`}
      </Button>
      {data.methods.length > 0 ? (
        <Button kind="text" size="s" onClick={onMethods}>
          {t`Your other bank accounts`}
        </Button>
      ) : null}
    </section>
  );
}

type PayoutSheetsProps = {
  data: Balance;
  desk: WithdrawDesk;
  currency: Currency;
  open: Open;
  onOpen: (open: Open) => void;
  onAddBank: () => void;
};

/** The sheets for the identity check and the bank accounts. */
function PayoutSheets({ data, desk, currency, open, onOpen, onAddBank }: PayoutSheetsProps) {
  const { t } = useLingui();
  const holderName = useMyProfile().data?.name ?? '';
  const { tokenUrl } = data;
  const close = () => onOpen(null);
  return (
    <>
      <Sheet open={open === 'identity'} onClose={close} title={t`Identity for payouts`}>
        <IdentityForm
          test={data.test}
          homeCountry={data.homeCountry}
          onDone={(status) => {
            if (tokenUrl === null && status !== 'refused') return onOpen('bank');
            close();
            showToast(identitySentText(status));
          }}
        />
      </Sheet>
      <Sheet open={open === 'bank'} onClose={close} title={t`Add a bank account`}>
        {tokenUrl === null ? (
          <ProviderPage holdDays={data.rules.methodHoldDays} />
        ) : (
          <BankForm
            tokenUrl={tokenUrl}
            test={data.test}
            currency={currency}
            holderName={holderName}
            holdDays={data.rules.methodHoldDays}
            onDone={(method) => {
              close();
              const now = new Date();
              const text =
                new Date(method.usableFrom) <= now
                  ? t`Account added`
                  : t`Account added. You can use it from ${formatDate(method.usableFrom, ownTimeZone())}`;
              if (!takesSelection(method, data.methods, currency, now)) return showToast(text);
              desk.chooseCurrency(method.currency);
              desk.chooseMethod(method.id);
              announce(text);
            }}
          />
        )}
      </Sheet>
      <Sheet open={open === 'methods'} onClose={close} title={t`Bank accounts`}>
        <MethodsList
          methods={data.methods}
          currency={currency}
          chosenId={desk.method?.id ?? null}
          onChoose={(method) => {
            desk.chooseMethod(method.id);
            close();
          }}
          onAdd={onAddBank}
        />
      </Sheet>
    </>
  );
}

function BalanceSkeleton() {
  return (
    <Loading>
      <div className="balance-page">
        <span className="sk balance-sk" />
        <div className="sk-lines">
          <SkeletonBar width={30} />
          <span className="sk balance-sk-field" />
        </div>
        <div className="sk-lines">
          <SkeletonBar width={40} />
          <SkeletonBar width={80} />
          <SkeletonBar width={70} />
        </div>
      </div>
    </Loading>
  );
}
