import { Trans, useLingui } from '@lingui/react/macro';
import { verificationPath } from '@nearhand/contract/app-paths';
import type { TransferView } from '@nearhand/contract/money/bank-transfers';
import { inFours, transferCurrency } from '@nearhand/contract/money/bank-transfers.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { minorFromTyped } from '../../lib/forms/typed-amount.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatCalendarDay, formatMoney, joined, minorDigits } from '../../lib/words/format.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { copyText } from '../../ui/overlays/share-link.ts';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { moneyMoved } from '../charges/charges.api.ts';

const Qr = lazyPart(() => import('../../ui/art/qr.tsx'));

/** The account and the reference with which a business adds money by bank transfer. */
export function BankTransfer({ business }: { business: Business }) {
  const { t } = useLingui();
  const query = useQuery(
    apiQuery.bankTransfers.get.queryOptions({ input: { businessId: business.id }, ...neverPersist }),
  );
  return (
    <div className="mt4">
      <QueryState
        query={query}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load the account`}
      >
        {(view) => (
          <div className="col g4">
            {view.account && view.reference ? (
              <Account account={view.account} reference={view.reference} code={view.code} />
            ) : (
              <Problem problem={view.problem} business={business} />
            )}
            {view.account && view.test ? <TestTransfer businessId={business.id} /> : null}
            {view.payments.length > 0 ? <Payments payments={view.payments} /> : null}
          </div>
        )}
      </QueryState>
    </div>
  );
}

function Problem({ problem, business }: Pick<TransferView, 'problem'> & { business: Business }) {
  const { t } = useLingui();
  if (problem === 'not_verified' && (business.status === 'submitted' || business.status === 'resubmitted'))
    return (
      <Banner tone="wait" icon="hourglass">
        <Trans>
          We’re verifying your business. Once that’s done, you get an account and a reference of its own here.
        </Trans>
      </Banner>
    );
  if (problem === 'not_verified')
    return (
      <Banner tone="wait" icon="seal-check">
        <p>
          <Trans>Verify your business first. Then you get an account and a reference of its own.</Trans>
        </p>
        <ButtonLink kind="ink" size="s" className="mt2" to={verificationPath(business.id)}>
          {t`Verify business`}
        </ButtonLink>
      </Banner>
    );
  return (
    <Banner icon="info">
      {problem === 'other_currency' ? (
        <Trans>Bank transfers are in {transferCurrency} only. Add money by card instead.</Trans>
      ) : (
        <Trans>We don’t take bank transfers yet. Add money by card instead.</Trans>
      )}
    </Banner>
  );
}

function Account({
  account,
  reference,
  code,
}: {
  account: NonNullable<TransferView['account']>;
  reference: string;
  code: string | null;
}) {
  const { t } = useLingui();
  const { holder, iban, bic, bankName } = account;
  return (
    <section className="card p5" aria-labelledby="transfer-account">
      <h2 className="h-s" id="transfer-account">{t`Transfer to this account`}</h2>
      <p className="sm mute">
        <Trans>
          Any amount, from any account of your business. It’s on your balance once our bank has told us,
          usually on the next working day.
        </Trans>
      </p>
      <div className="mt3">
        <CopyRow label={t`Reference`} value={inFours(reference)} copyValue={reference} />
        <CopyRow label={t`Account holder`} value={holder} />
        <CopyRow label={t`IBAN`} value={inFours(iban)} copyValue={iban} />
        {bic ? <CopyRow label={t`BIC`} value={bic} /> : null}
        <ListRow title={bankName} note={t`Bank`} />
      </div>
      <Banner tone="wait" icon="warning-circle">
        <Trans>Give the reference and nothing else. Without it we can’t tell that the money is yours.</Trans>
      </Banner>
      {code === null ? null : (
        <div className="col g2 mt4">
          <p className="sm">
            <Trans>Or scan this with your banking app: it fills in everything but the amount.</Trans>
          </p>
          <Suspense fallback={<RowsSkeleton count={1} />}>
            <Qr text={code} boxed />
          </Suspense>
        </div>
      )}
      <HelpLink article="bank-transfer">{t`How bank transfers work`}</HelpLink>
    </section>
  );
}

function CopyRow({ label, value, copyValue = value }: { label: string; value: string; copyValue?: string }) {
  const { t } = useLingui();
  return (
    <ListRow
      title={<span dir="ltr">{value}</span>}
      note={label}
      end={
        <IconButton
          icon="copy"
          label={t`Copy: ${label}`}
          onClick={() => void copyText(copyValue, t`Copied`)}
        />
      }
    />
  );
}

/** Pays by the sandbox's bank; shown with a test provider only. */
function TestTransfer({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('500');
  const action = useAction(errorText);
  const transfer = useMutation({
    mutationFn: sendOnce('bankTransfers.makeTest', api.bankTransfers.makeTest),
    onSettled: () => {
      moneyMoved();
      return refetchTransfers();
    },
  });
  const minor = minorFromTyped(typed, minorDigits(transferCurrency));
  const make = () =>
    action.run(async () => {
      if (minor === null) return;
      await transfer.mutateAsync({ businessId, amountMinor: minor });
      const chargedAmount = formatMoney(minor, transferCurrency);
      showToast(t`${chargedAmount} added to the balance`);
    });
  return (
    <section className="card p5" aria-labelledby="test-transfer">
      <h2 className="h-s" id="test-transfer">{t`Test transfer`}</h2>
      <p className="sm mute">
        <Trans>This server moves no real money, so you can try a transfer here.</Trans>
      </p>
      <Form className="col g4 mt3" onSubmit={() => void make()}>
        <TextInput
          label={t`Amount`}
          inputMode="decimal"
          autoComplete="off"
          before={transferCurrency}
          value={typed}
          error={typed !== '' && !minor ? t`Enter an amount, like 100 or 250.50.` : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Refused text={action.refusal} />
        <Button kind="out" type="submit" busy={action.busy} disabled={!minor}>
          {t`Make a test transfer`}
        </Button>
      </Form>
    </section>
  );
}

const refetchTransfers = () => queryClient.invalidateQueries({ queryKey: apiQuery.bankTransfers.key() });

function Payments({ payments }: Pick<TransferView, 'payments'>) {
  const { t } = useLingui();
  return (
    <section className="card p5" aria-labelledby="transfers">
      <h2 className="h-s" id="transfers">{t`Transfers that arrived`}</h2>
      <div className="mt3">
        {payments.map(({ id, bookedOn, amountMinor, currency, payerName }) => (
          <ListRow
            key={id}
            title={formatMoney(amountMinor, currency)}
            note={joined(formatCalendarDay(bookedOn), payerName)}
          />
        ))}
      </div>
    </section>
  );
}
