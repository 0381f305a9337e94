import { bankText } from '@nearhand/contract/money/account-mask';
import type { UnclaimedMoney } from '@nearhand/contract/trust/payout-reviews';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { sendToProvider } from '../../lib/api/provider-token.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { canRetry } from '../../lib/device/device-queue.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatMoney } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { api, apiQuery } from '../console-api.ts';
import { statusText } from '../queue/case.labels.ts';
import { useWhen } from './case-zone.ts';
import { Facts, FactsCard } from './facts-card.tsx';

type Balance = UnclaimedMoney['balances'][number];

export function UnclaimedFacts({ unclaimed, mine }: { unclaimed: UnclaimedMoney; mine: boolean }) {
  const when = useWhen();
  const { balances, owner, withdrawals } = unclaimed;
  return (
    <>
      <FactsCard title={owner === 'person' ? 'Removed account' : 'Closed business'}>
        <Facts
          rows={[
            ['Name', unclaimed.name],
            ['Ended', when(unclaimed.endedAt)],
            ...balances.map(({ currency, amountMinor, pendingMinor }): [string, string] => [
              `Balance in ${currency}`,
              `${formatMoney(amountMinor, currency)}${pendingMinor > 0 ? `, ${formatMoney(pendingMinor, currency)} clearing` : ''}`,
            ]),
            [
              'Ledger account',
              `${owner === 'person' ? 'worker_available' : 'business_balance'}:${unclaimed.ownerId}`,
            ],
          ]}
        />
      </FactsCard>
      {owner === 'person' ? (
        <FactsCard title="Withdrawals before">
          <Facts
            rows={withdrawals.map((row): [string, string] => [
              when(row.requestedAt),
              `${formatMoney(row.amountMinor, row.currency)}, ${statusText('withdrawal', row.status).toLowerCase()}`,
            ])}
          />
        </FactsCard>
      ) : null}
      {balances
        .filter(({ amountMinor }) => mine && amountMinor > 0)
        .map((balance) =>
          owner === 'person' && unclaimed.tokenUrl === null ? (
            <PayFormerByPage key={balance.currency} unclaimed={unclaimed} balance={balance} />
          ) : owner === 'person' ? (
            <PayFormer key={balance.currency} unclaimed={unclaimed} balance={balance} />
          ) : (
            <RefundFormer key={balance.currency} unclaimed={unclaimed} balance={balance} />
          ),
        )}
    </>
  );
}

/** Assigns the provider's refusal to a field. An IBAN begins with its country. */
function refusalOf(field: string, { country, currency }: { country: string; currency: string }) {
  switch (field) {
    case 'holderName':
      return { fields: { holderName: 'The provider refuses this name. Enter it as the bank has it.' } };
    case 'country':
      return { fields: { iban: `The provider can't pay to accounts in ${country}.` } };
    case 'currency':
      return { fields: { iban: `This account can't receive ${currency}.` } };
    default:
      return { fields: { iban: "This IBAN isn't valid. Check each character." } };
  }
}

/** Reserves the whole balance, so it is sent once. A mutation, so that the console asks for the second step. */
const usePayFormer = () =>
  useMutation({
    mutationFn: sendOnce('payoutReviews.payFormer', api.payoutReviews.payFormer),
  });

/** Sends the former holder's bank details to the provider. The withdrawal is held for another review. */
function PayFormer({ unclaimed, balance }: { unclaimed: UnclaimedMoney; balance: Balance }) {
  const action = useAction(errorText);
  const payFormer = usePayFormer();
  // After a lost response, the same details keep their token: another one would be another withdrawal.
  const unanswered = useRef<{ details: string; token: string } | null>(null);
  const { amountMinor, currency } = balance;
  const form = useFormModel<{ holderName: string; iban: string }>({
    focusProblems: true,
    start: () => ({ holderName: '', iban: '' }),
    check: ({ holderName, iban }) => ({
      holderName: holderName.trim() === '' ? 'Enter the name of the account holder.' : undefined,
      iban: iban.trim() === '' ? 'Enter the IBAN.' : undefined,
    }),
  });
  const send = ({ holderName, iban }: { holderName: string; iban: string }) =>
    action.run(async () => {
      const country = iban.trim().slice(0, 2).toUpperCase();
      const number = iban.replace(/\s/g, '');
      const details = {
        kind: 'bank' as const,
        holderName: holderName.trim(),
        country,
        currency,
        iban: number,
      };
      const key = JSON.stringify(details);
      if (unanswered.current?.details !== key) {
        const response = await sendToProvider(unclaimed.tokenUrl ?? '', details);
        if ('field' in response) return form.refuse(refusalOf(response.field, { country, currency }));
        unanswered.current = { details: key, token: response.token };
      }
      const { token } = unanswered.current;
      try {
        await payFormer.mutateAsync({ ownerId: unclaimed.ownerId, currency, token });
      } catch (error) {
        if (!canRetry(error)) unanswered.current = null;
        throw error;
      }
      unanswered.current = null;
      showToast('Withdrawal held for review');
      await queryClient.invalidateQueries();
    });
  return (
    <FactsCard title={`Pay out ${formatMoney(amountMinor, currency)}`}>
      <p className="sm mute">
        Only after the person proved who they are: a document with the name of the account, from an address
        that named this account before. The withdrawal then waits as a held one, where someone else releases
        it. The bank details are deleted once it is paid.
      </p>
      <Form className="col g4 mt3" onSubmit={() => void form.submit(send)}>
        <TextInput label="Account holder" {...form.textField('holderName')} />
        <TextInput label="IBAN" autoComplete="off" {...form.textField('iban')} />
        <Refused text={action.refusal} />
        <Button kind="ink" type="submit" busy={action.busy}>
          Hold the withdrawal for release
        </Button>
      </Form>
    </FactsCard>
  );
}

const formerPageRefusal = (error: unknown): string =>
  isApiError(error, 'payout/identity-wrong-state')
    ? 'This person never set up payouts, so the provider has no account that could be paid.'
    : errorText(error);

/** Pays out where only the provider's own page takes bank details: the person enters them there by a link. */
function PayFormerByPage({
  unclaimed: { ownerId },
  balance,
}: {
  unclaimed: UnclaimedMoney;
  balance: Balance;
}) {
  const { amountMinor, currency } = balance;
  const when = useWhen();
  const linking = useAction(formerPageRefusal);
  const paying = useAction(errorText);
  const payFormer = usePayFormer();
  const [link, setLink] = useState<{ url: string; expiresAt: string } | null>(null);
  const query = useQuery({
    ...apiQuery.payoutReviews.formerBanks.queryOptions({ input: { ownerId } }),
    refetchOnWindowFocus: 'always',
    ...neverPersist,
  });
  const makeLink = () => linking.run(async () => setLink(await api.payoutReviews.formerPage({ ownerId })));
  const pay = (token: string) =>
    paying.run(async () => {
      await payFormer.mutateAsync({ ownerId, currency, token });
      showToast('Withdrawal held for review');
      await queryClient.invalidateQueries();
    });
  return (
    <FactsCard title={`Pay out ${formatMoney(amountMinor, currency)}`}>
      <p className="sm mute">
        Only after the person proved who they are: a document with their name, from an address that named this
        account before. Send them the link: they enter a bank account on the provider's page. The withdrawal
        then waits as a held one, where someone else releases it.
      </p>
      <div className="mt3">
        {link ? (
          <TextInput
            label="Link to send"
            help={`Works until ${when(link.expiresAt)}, for anyone who has it.`}
            readOnly
            value={link.url}
            onFocus={(event) => event.target.select()}
          />
        ) : (
          <Button kind="out" busy={linking.busy} onClick={() => void makeLink()}>
            Make a link for the person
          </Button>
        )}
      </div>
      <Refused text={linking.refusal} />
      <h3 className="h-s mt3">Bank accounts at the provider</h3>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={1} />}
        errorTitle="We couldn't load the bank accounts"
        isEmpty={(banks) => banks.length === 0}
        empty={<p className="mute mt2">None yet.</p>}
      >
        {(banks) => (
          <ul>
            {banks.map((bank) => (
              <li key={bank.token} className="li top">
                <div className="grow">
                  <p className="strong break">{bank.holderName}</p>
                  <p className="sm mute">
                    {bankText(bank)}, {bank.country}, {bank.currency}
                  </p>
                </div>
                {bank.currency === currency ? (
                  <Button
                    kind="ink"
                    size="s"
                    busy={paying.busy}
                    aria-label={`Hold for release, ${bank.holderName}, ${bankText(bank)}`}
                    onClick={() => void pay(bank.token)}
                  >
                    Hold for release
                  </Button>
                ) : null}
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      <Refused text={paying.refusal} />
    </FactsCard>
  );
}

function RefundFormer({ unclaimed, balance }: { unclaimed: UnclaimedMoney; balance: Balance }) {
  const action = useAction(errorText);
  const refundFormer = useMutation({
    mutationFn: sendOnce('payoutReviews.refundFormer', api.payoutReviews.refundFormer),
  });
  const { amountMinor, refundableMinor, currency } = balance;
  const leftMinor = amountMinor - refundableMinor;
  const refund = async () => {
    const sum = formatMoney(refundableMinor, currency);
    const choice = await showAlert({
      title: `Refund ${sum}?`,
      message: `It goes back to the cards of ${unclaimed.name}, the newest payment first. This can't be undone.`,
      tone: 'ask',
      buttons: [
        { value: 'refund', label: `Refund ${sum}` },
        { value: 'no', label: 'Not yet' },
      ],
    });
    if (choice !== 'refund') return;
    await action.run(async () => {
      const refunded = await refundFormer.mutateAsync({ ownerId: unclaimed.ownerId, currency });
      showToast(`Refunded ${formatMoney(refunded.refundedMinor, currency)}`);
      await queryClient.invalidateQueries();
    });
  };
  const remainder = `The cards can't take ${formatMoney(leftMinor, currency)}. It stays in this case.`;
  if (refundableMinor === 0)
    return (
      <FactsCard title="No refund possible">
        <p className="sm mute">{remainder}</p>
      </FactsCard>
    );
  return (
    <FactsCard title={`Refund ${formatMoney(refundableMinor, currency)}`}>
      <p className="sm mute">
        It goes back to the cards it came from, the newest payment first.
        {leftMinor > 0 ? ` ${remainder}` : ''}
      </p>
      <Refused text={action.refusal} />
      <Button kind="ink" className="mt3" busy={action.busy} onClick={() => void refund()}>
        Refund {formatMoney(refundableMinor, currency)} to the cards
      </Button>
    </FactsCard>
  );
}
