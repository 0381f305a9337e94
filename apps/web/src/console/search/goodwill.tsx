import type { Currency } from '@nearhand/contract/currencies';
import type { GoodwillQuote } from '@nearhand/contract/money/corrections';
import { moneyLimits } from '@nearhand/contract/money/limits';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import { approvalLimits } from '@nearhand/contract/trust/second-approvals.rules';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../lib/api/query.ts';
import { type Problems, useFormModel } from '../../lib/forms/form-model.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { minorFromTyped, typedAmountMax } from '../../lib/forms/typed-amount.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { currencySymbol, formatMoney, minorDigits } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { api, apiQuery } from '../console-api.ts';

type GoodwillProps = { kind: 'person' | 'business'; recipientId: string; access: OperatorContext };

/** Goodwill at the platform's cost for someone who had a problem; loaded once an operator opens it. */
export function Goodwill(props: GoodwillProps) {
  const [open, setOpen] = useState(false);
  return (
    <Card as="section" label="Goodwill">
      <h2 className="h-s">Goodwill</h2>
      <div className="col g3 mt2">
        <p className="sm mute">
          {props.kind === 'person'
            ? 'Give this person money at our cost. It is on their balance at once.'
            : 'Give this business credit for hires at our cost. It is never paid out.'}
        </p>
        {open ? (
          <GoodwillForm {...props} onDone={() => setOpen(false)} />
        ) : (
          <Button kind="out" size="s" onClick={() => setOpen(true)}>
            Give goodwill
          </Button>
        )}
      </div>
    </Card>
  );
}

function GoodwillForm({ kind, recipientId, access, onDone }: GoodwillProps & { onDone: () => void }) {
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
  const currency = query.data?.currency ?? 'EUR';
  const minorOf = (amount: string) => minorFromTyped(amount, minorDigits(currency)) ?? 0;
  const form = useFormModel({
    id: 'goodwill',
    focusProblems: true,
    start: (): ApprovalValues => ({ amount: '', reason: '' }),
    check: ({ amount, reason }) => {
      const problems = reasonProblems(reason);
      if (minorOf(amount) < 1) problems.amount = 'Enter an amount.';
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
    if (!(await action.run(give))) return;
    onDone();
    await queryClient.invalidateQueries({ queryKey: apiQuery.secondApprovals.goodwill.key() });
  };
  const isAlone = (quote: GoodwillQuote) => minorOf(values.amount) <= quote.aloneMinor;
  return (
    <QueryState query={query} loading={<RowsSkeleton />} errorTitle="We couldn't load the limit">
      {(quote) => (
        <Form className="col g3" onSubmit={() => void form.submit(send)}>
          <ApprovalFields
            form={form}
            action={action}
            currency={currency}
            amount={{
              label: 'Amount',
              help: `You can give ${formatMoney(quote.aloneMinor, currency)} more in ${moneyLimits.goodwillDays} days. A second person approves what goes beyond it.`,
            }}
            reasonHelp="They read it word for word."
            sendLabel={isAlone(quote) ? 'Give it now' : 'Ask a second person'}
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
