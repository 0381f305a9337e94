import type { CreditQuote } from '@nearhand/contract/money/credit-limits';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { queryClient } from '../../lib/api/query.ts';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { minorFromTyped } from '../../lib/forms/typed-amount.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDay, formatMoney, minorDigits, ownTimeZone } from '../../lib/words/format.ts';
import { Card, SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { api, apiQuery } from '../console-api.ts';
import { ApprovalFields, type ApprovalValues, reasonProblems } from './goodwill.tsx';

type LimitProps = { businessId: string; access: OperatorContext };

/** The limit up to which a business hires before it pays; loaded once an operator opens it. */
export function CreditLimitCard(props: LimitProps) {
  const [open, setOpen] = useState(false);
  return (
    <Card as="section" label="Credit limit">
      <h2 className="h-s">Credit limit</h2>
      <div className="col g3 mt2">
        <p className="sm mute">
          Up to this limit the business hires before it pays. What it draws in a month is due at the end of
          the next.
        </p>
        {open ? (
          <LimitLoaded {...props} onDone={() => setOpen(false)} />
        ) : (
          <Button kind="out" size="s" onClick={() => setOpen(true)}>
            Open the credit limit
          </Button>
        )}
      </div>
    </Card>
  );
}

function LimitLoaded({ onDone, ...props }: LimitProps & { onDone: () => void }) {
  const query = useQuery(
    apiQuery.secondApprovals.creditLimit.queryOptions({
      input: { businessId: props.businessId },
      context: { operator: props.access },
    }),
  );
  return (
    <QueryState query={query} loading={<RowsSkeleton />} errorTitle="We couldn't load the limit">
      {(quote) => (
        <>
          <div>
            <SumRow
              label={quote.ended ? 'Limit, ended' : 'Limit'}
              value={formatMoney(quote.limitMinor, quote.currency)}
            />
            <SumRow label="Owed" value={formatMoney(quote.owedMinor, quote.currency)} />
          </div>
          <LimitForm {...props} quote={quote} onDone={onDone} />
          {quote.changes.length > 0 ? <Changes changes={quote.changes} /> : null}
        </>
      )}
    </QueryState>
  );
}

function LimitForm({
  businessId,
  access,
  quote,
  onDone,
}: LimitProps & { quote: CreditQuote; onDone: () => void }) {
  const { currency, owedMinor, aloneMinor } = quote;
  const context = { operator: access };
  const action = useAction();
  const setOnce = sendOnce(
    'secondApprovals.setCreditLimit',
    (input: Parameters<typeof api.secondApprovals.setCreditLimit>[0], once) =>
      api.secondApprovals.setCreditLimit(input, { context: { ...once.context, ...context } }),
  );
  const currentMinor = quote.ended ? 0 : quote.limitMinor;
  const minorOf = (amount: string) => minorFromTyped(amount, minorDigits(currency));
  const form = useFormModel({
    id: 'credit-limit',
    focusProblems: true,
    start: (): ApprovalValues => ({ amount: '', reason: '' }),
    check: ({ amount, reason }) => {
      const problems = reasonProblems(reason);
      const minor = minorOf(amount);
      if (minor === null) problems.amount = 'Enter an amount; 0 ends the limit.';
      else if (minor > 0 && minor < owedMinor)
        problems.amount = `The business owes ${formatMoney(owedMinor, currency)}. Enter that or more, or 0.`;
      else if (minor > currentMinor && !quote.mayRaise)
        problems.amount = 'The business isn’t verified, so its limit can only be lowered or ended.';
      return problems;
    },
  });
  const { values } = form;
  const send = async ({ amount, reason }: ApprovalValues) => {
    const limitMinor = minorOf(amount) ?? 0;
    const setLimit = async () => {
      const { state } = await setOnce({ businessId, limitMinor, currency, reason: reason.trim() });
      showToast(state === 'set' ? 'Limit set' : 'Sent to a second person');
    };
    if (!(await action.run(setLimit))) return;
    onDone();
    await queryClient.invalidateQueries({ queryKey: apiQuery.secondApprovals.creditLimit.key() });
  };
  const isAlone = (minorOf(values.amount) ?? 0) <= Math.max(aloneMinor, currentMinor);
  return (
    <Form className="col g3" onSubmit={() => void form.submit(send)}>
      <ApprovalFields
        form={form}
        action={action}
        currency={currency}
        amount={{
          label: 'New limit',
          help: `A second person approves more than ${formatMoney(aloneMinor, currency)}. 0 ends the limit: what is owed stays due.`,
        }}
        reasonHelp="The business reads it word for word."
        sendLabel={isAlone ? 'Set the limit' : 'Ask a second person'}
        onCancel={onDone}
      />
    </Form>
  );
}

function Changes({ changes }: { changes: CreditQuote['changes'] }) {
  return (
    <ul className="col g2 sm" aria-label="Changes">
      {changes.map((change) => (
        <li key={change.id}>
          <span className="strong">
            {formatMoney(change.beforeMinor, change.currency)} →{' '}
            {formatMoney(change.limitMinor, change.currency)}
          </span>
          {`, ${formatDay(change.at, ownTimeZone())}, ${change.setBy}`}
          {change.approvedBy ? ` and ${change.approvedBy}` : ''}
          <span className="mute">{`: ${change.reason}`}</span>
        </li>
      ))}
    </ul>
  );
}
