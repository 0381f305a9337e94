import type { UnmatchedPayment } from '@nearhand/contract/money/bank-transfers';
import type { UnmatchedReason } from '@nearhand/contract/money/bank-transfers.rules';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatCalendarDay, formatMoney } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { api } from '../console-api.ts';
import { useWhen } from './case-zone.ts';
import { Facts, FactsCard } from './facts-card.tsx';

const reasonText: Record<UnmatchedReason, string> = {
  no_reference: 'There is no reference in it',
  wrong_check_digits: 'The reference has a typo: its check digits don’t fit',
  several_references: 'It names more than one business',
  unknown_reference: 'No business has this reference',
  not_verified: 'The business isn’t verified',
  closed: 'The business is closed',
  other_currency: 'The business has another currency',
};

const assignOnce = sendOnce(
  'bankTransfers.assign',
  (input: Parameters<typeof api.bankTransfers.assign>[0], once) => api.bankTransfers.assign(input, once),
);
const sendBackOnce = sendOnce(
  'bankTransfers.sendBack',
  (input: Parameters<typeof api.bankTransfers.sendBack>[0], once) => api.bankTransfers.sendBack(input, once),
);

/** An unmatched transfer with what can be done with it. */
export function BankPaymentFacts({ payment }: { payment: UnmatchedPayment }) {
  const when = useWhen();
  return (
    <>
      <FactsCard title="Bank transfer">
        <Facts
          rows={[
            ['Amount', formatMoney(payment.amountMinor, payment.currency)],
            ['Booked', formatCalendarDay(payment.bookedOn)],
            ['Imported', when(payment.receivedAt)],
            ['Payer', payment.payerName],
            ['Account', payment.payerEnding && `•••• ${payment.payerEnding}`],
            ['Their words', payment.remittance],
            ['Why it has no business', payment.reason && reasonText[payment.reason]],
          ]}
        />
      </FactsCard>
      <Assign payment={payment} />
      <SendBack payment={payment} />
    </>
  );
}

const uuid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

function Assign({ payment: { id, amountMinor, currency, suggestions } }: { payment: UnmatchedPayment }) {
  const move = useMove(errorText);
  const [text, setText] = useState('');
  const [businessId] = uuid.exec(text) ?? [];
  const assign = (to: string | undefined) =>
    void move.run(async () => {
      if (to === undefined) return;
      await assignOnce({ bankPaymentId: id, businessId: to });
      showToast(`${formatMoney(amountMinor, currency)} added to the balance`);
      await queryClient.invalidateQueries();
    });
  return (
    <FactsCard title="Add it to the balance of a business">
      <p className="sm mute">
        Only if you’re sure whose it is: the business can spend it at once. It must be verified.
      </p>
      {suggestions.map(({ businessId: suggested, name, legalName }) => (
        <div key={suggested} className="row g2 wrap mt3">
          <span className="grow">
            <Link className="link" to={`/search/business/${suggested}`}>
              {name}
            </Link>
            , {legalName}
          </span>
          <Button
            kind="out"
            size="s"
            busy={move.busy}
            aria-label={`Add to ${name}`}
            onClick={() => assign(suggested)}
          >
            Add to this one
          </Button>
        </div>
      ))}
      <Form className="col g4 mt3" onSubmit={() => assign(businessId)}>
        <TextInput
          label="Address or ID of the business in Search"
          autoComplete="off"
          value={text}
          error={
            text !== '' && businessId === undefined ? 'Copy the address of its page in Search.' : undefined
          }
          onChange={(event) => setText(event.target.value)}
        />
        <Refused text={move.refusal} />
        <Button kind="ink" type="submit" busy={move.busy} disabled={businessId === undefined}>
          Add {formatMoney(amountMinor, currency)} to its balance
        </Button>
      </Form>
    </FactsCard>
  );
}

function SendBack({ payment: { id, amountMinor, currency } }: { payment: UnmatchedPayment }) {
  const move = useMove(errorText);
  const [note, setNote] = useState('');
  const sendBack = () =>
    void move.run(async () => {
      await sendBackOnce({ bankPaymentId: id, note });
      showToast('Marked as sent back');
      await queryClient.invalidateQueries();
    });
  return (
    <FactsCard title="Send it back">
      <p className="sm mute">
        Transfer {formatMoney(amountMinor, currency)} back to the payer at our bank first, then say so here.
        Nothing is sent from here.
      </p>
      <Form className="col g4 mt3" onSubmit={sendBack}>
        <TextArea
          label="How and why it was sent back"
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
        <Refused text={move.refusal} />
        <Button kind="out" type="submit" busy={move.busy} disabled={note.trim() === ''}>
          It was sent back
        </Button>
      </Form>
    </FactsCard>
  );
}
