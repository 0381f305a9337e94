import type { Currency } from '@nearhand/contract/currencies';
import type { GoodwillPayment, GoodwillQuote } from '@nearhand/contract/money/corrections';
import { moneyLimits } from '@nearhand/contract/money/limits';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import { approvalLimits } from '@nearhand/contract/trust/second-approvals.rules';
import type { FoundRecord } from '@nearhand/contract/trust/staff-search';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../lib/api/query.ts';
import { type Problems, useFormModel } from '../../lib/forms/form-model.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { minorFromTyped, typedAmountMax } from '../../lib/forms/typed-amount.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { currencySymbol, formatDay, formatMoney, minorDigits, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { ApprovalCard } from '../case/approval-card.tsx';
import { api, apiQuery } from '../console-api.ts';

type GoodwillProps = {
  recipient: { kind: 'person' | 'business'; id: string; name: string };
  access: OperatorContext;
  onChange: () => Promise<unknown>;
};

/**
 * Goodwill at the platform's cost for someone who had a problem: what they got, what needs another operator, and a form
 * for those who may give it, which is loaded once they open it.
 */
export function Goodwill({
  goodwill: { waiting, paid },
  mayGive,
  ...props
}: GoodwillProps & { goodwill: FoundRecord['goodwill']; mayGive: boolean }) {
  const [open, setOpen] = useState(false);
  const { onChange } = props;
  if (!mayGive && !waiting && paid.length === 0) return null;
  return (
    <Card as="section" label="Goodwill">
      <h2 className="h-s">Goodwill</h2>
      <div className="col g3 mt2">
        {mayGive ? (
          <p className="sm mute">
            {props.recipient.kind === 'person'
              ? 'Give this person money at our cost. It is on their balance at once.'
              : 'Give this business credit for hires at our cost. It is never paid out.'}
          </p>
        ) : null}
        {waiting ? <ApprovalCard approval={waiting} onChange={onChange} /> : null}
        {!mayGive ? null : open ? (
          <GoodwillForm {...props} onDone={() => setOpen(false)} />
        ) : (
          <Button kind="out" size="s" onClick={() => setOpen(true)}>
            Give goodwill
          </Button>
        )}
        {paid.length > 0 ? <PaidGoodwill paid={paid} /> : null}
      </div>
    </Card>
  );
}

/** Lists earlier payments to someone, newest first. */
export function PaidGoodwill({ paid }: { paid: readonly GoodwillPayment[] }) {
  return (
    <ul className="col g2 sm" aria-label="Goodwill before">
      {paid.map((payment) => (
        <li key={payment.id} className="break">
          <span className="strong">{formatMoney(payment.amountMinor, payment.currency)}</span>
          {`, ${formatDay(payment.at, ownTimeZone())}, ${payment.paidBy}`}
          {payment.approvedBy ? ` and ${payment.approvedBy}` : ''}
          <span className="mute">{`: ${payment.reason}`}</span>
        </li>
      ))}
    </ul>
  );
}

function GoodwillForm({ recipient, access, onChange, onDone }: GoodwillProps & { onDone: () => void }) {
  const { kind, id: recipientId } = recipient;
  const context = { operator: access };
  const query = useQuery(
    apiQuery.secondApprovals.goodwill.queryOptions({ input: { kind, recipientId }, context }),
  );
  const action = useAction();
  const giveOnce = sendOnce(
    'secondApprovals.giveGoodwill',
    (input: Parameters<typeof api.secondApprovals.giveGoodwill>[0], once) =>
      api.secondApprovals.giveGoodwill(input, { context: { ...once.context, ...context } }),
  );
  const { currency, aloneMinor, maxMinor }: GoodwillQuote = query.data ?? {
    currency: 'EUR',
    aloneMinor: 0,
    maxMinor: 0,
  };
  const minorOf = (amount: string) => minorFromTyped(amount, minorDigits(currency)) ?? 0;
  const form = useFormModel({
    id: 'goodwill',
    focusProblems: true,
    start: (): ApprovalValues => ({ amount: '', reason: '' }),
    check: ({ amount, reason }) => {
      const problems = reasonProblems(reason);
      if (minorOf(amount) < 1) problems.amount = 'Enter an amount.';
      if (minorOf(amount) > maxMinor)
        problems.amount = `One payment can be at most ${formatMoney(maxMinor, currency)}.`;
      return problems;
    },
  });
  const { values } = form;
  const send = async ({ amount, reason }: ApprovalValues) => {
    const amountMinor = minorOf(amount);
    const input = { kind, recipientId, amountMinor, currency, reason: reason.trim() };
    const give = async () => {
      const { state } = await giveOnce(input);
      showToast(state === 'paid' ? 'Paid' : 'Sent to a second person');
    };
    const money = formatMoney(amountMinor, currency);
    const pressed = await showAlert({
      title: `Give ${money} to ${recipient.name}?`,
      message:
        amountMinor <= aloneMinor
          ? `They get ${money} at once, and read your reason. Only a second person can take it back.`
          : `Nothing moves until a second person approves it. Then they get ${money} and read your reason.`,
      buttons: [
        {
          value: 'give',
          label: amountMinor <= aloneMinor ? `Give ${money}` : `Ask for ${money}`,
          kind: 'go',
        },
        { value: 'cancel', label: 'Cancel' },
      ],
    });
    if (pressed !== 'give' || !(await action.run(give))) return;
    onDone();
    await queryClient.invalidateQueries({ queryKey: apiQuery.secondApprovals.goodwill.key() });
    await onChange();
  };
  return (
    <QueryState query={query} loading={<RowsSkeleton />} errorTitle="We couldn't load the limit">
      {() => (
        <Form className="col g3" onSubmit={() => void form.submit(send)}>
          <ApprovalFields
            form={form}
            action={action}
            currency={currency}
            amount={{
              label: 'Amount',
              help: `You can give ${formatMoney(aloneMinor, currency)} more in ${moneyLimits.goodwillDays} days. A second person approves what goes beyond it, up to ${formatMoney(maxMinor, currency)}.`,
            }}
            reasonHelp="They read it word for word."
            sendLabel={minorOf(values.amount) <= aloneMinor ? 'Give it now' : 'Ask a second person'}
            onCancel={onDone}
          />
        </Form>
      )}
    </QueryState>
  );
}

export type ApprovalValues = { amount: string; reason: string };

/** The problem of a reason that a second operator and the other side read. */
export function reasonProblems(reason: string): Problems<keyof ApprovalValues> {
  const { length } = reason.trim();
  const { reasonMin, reasonMax } = approvalLimits;
  return length < reasonMin || length > reasonMax
    ? { reason: `Write ${reasonMin} to ${reasonMax} characters.` }
    : {};
}

/** An amount with its reason, which a second operator approves above a limit. */
export function ApprovalFields({
  form,
  action,
  currency,
  amount,
  reasonHelp,
  sendLabel,
  onCancel,
}: {
  form: Pick<ReturnType<typeof useFormModel<ApprovalValues>>, 'values' | 'textField'>;
  action: ReturnType<typeof useAction>;
  currency: Currency;
  amount: { label: string; help: string };
  reasonHelp: string;
  sendLabel: string;
  onCancel: () => void;
}) {
  return (
    <>
      <TextInput
        {...form.textField('amount')}
        label={amount.label}
        help={amount.help}
        inputMode="decimal"
        maxLength={typedAmountMax}
        before={currencySymbol(currency)}
      />
      <TextArea
        {...form.textField('reason')}
        label="Reason"
        help={reasonHelp}
        rows={3}
        maxLength={approvalLimits.reasonMax}
        length={form.values.reason.length}
      />
      <Refused text={action.refusal} />
      <Button kind="go" size="s" type="submit" busy={action.busy}>
        {sendLabel}
      </Button>
      <Button kind="quiet" size="s" onClick={onCancel}>
        Cancel
      </Button>
    </>
  );
}
