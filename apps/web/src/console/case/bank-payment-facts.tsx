import { limits } from '@nearhand/contract/limits';
import type { UnmatchedPayment } from '@nearhand/contract/money/bank-transfers';
import type { suggestionReasons, UnmatchedReason } from '@nearhand/contract/money/bank-transfers.rules';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import type { SearchResult } from '@nearhand/contract/trust/staff-search';
import { searchLimits } from '@nearhand/contract/trust/staff-search.rules';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { useStoredText } from '../../lib/device/device-draft.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatCalendarDay, formatMoney, joined } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { api, apiQuery } from '../console-api.ts';
import { statusText } from '../queue/case.labels.ts';
import { refetchLists } from '../queue/cases-api.ts';
import { foundRecordPath } from '../search/search.labels.ts';
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

const becauseText: Record<(typeof suggestionReasons)[number], string> = {
  name: 'has the payer’s name',
  reference: 'has a number that was written (check every digit)',
  account: 'got money from this account before',
};

const assignOnce = sendOnce('bankTransfers.assign', api.bankTransfers.assign);
const sendBackOnce = sendOnce('bankTransfers.sendBack', api.bankTransfers.sendBack);

/** An unmatched transfer and, for the operator who claimed its case, the two ways to decide it. */
export function BankPaymentFacts({ payment, mine }: { payment: UnmatchedPayment; mine: boolean }) {
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
      {mine ? (
        <>
          <Assign payment={payment} />
          <SendBack payment={payment} />
        </>
      ) : (
        <FactsCard title="Decision">
          <p className="sm mute">Claim the case to add the money to a balance or send it back.</p>
        </FactsCard>
      )}
    </>
  );
}

/** Makes a decision after a confirmation, then leaves the closed case for the queue. */
function useDecide() {
  const action = useAction(errorText);
  const navigate = useNavigate();
  const decide = async (
    question: { title: string; message: string; action: string; done: string },
    call: () => Promise<unknown>,
  ): Promise<boolean> => {
    const choice = await showAlert({
      title: question.title,
      message: question.message,
      tone: 'ask',
      buttons: [
        { value: 'decide', label: question.action },
        { value: 'no', label: 'Not yet' },
      ],
    });
    if (choice !== 'decide' || !(await action.run(call))) return false;
    showToast(question.done);
    await refetchLists();
    navigate('/cases');
    return true;
  };
  return { action, decide };
}

function Assign({ payment: { id, amountMinor, currency, suggestions } }: { payment: UnmatchedPayment }) {
  const { action, decide } = useDecide();
  const access = { case: { kind: 'bank_payment' as const, subjectId: id } };
  const sum = formatMoney(amountMinor, currency);
  const assign = (businessId: string, name: string) =>
    decide(
      {
        title: `Add ${sum} to the balance of ${name}?`,
        message: 'The business can spend it at once, so this can’t be undone here.',
        action: `Add ${sum}`,
        done: `${sum} added to the balance`,
      },
      () => assignOnce({ bankPaymentId: id, businessId }),
    );
  const businessRow = (business: { id: string; name: string; note: string; mayGetIt: boolean }) => (
    <div key={business.id} className="row g2 wrap mt3">
      <span className="grow">
        <Link className="link" to={foundRecordPath({ kind: 'business', id: business.id }, access)}>
          {business.name}
        </Link>
        , {business.note}
      </span>
      {business.mayGetIt ? (
        <Button
          kind="out"
          size="s"
          busy={action.busy}
          aria-label={`Add to ${business.name}`}
          onClick={() => void assign(business.id, business.name)}
        >
          Add to this one
        </Button>
      ) : null}
    </div>
  );
  return (
    <FactsCard title="Add it to the balance of a business">
      <p className="sm mute">
        Only if you’re sure whose it is: the business can spend it at once. It must be verified.
      </p>
      {suggestions.map(({ businessId, name, legalName, because, problem }) =>
        businessRow({
          id: businessId,
          name,
          note: joined(
            legalName,
            ...because.map((reason) => becauseText[reason]),
            problem && reasonText[problem].toLowerCase(),
          ),
          mayGetIt: problem === null,
        }),
      )}
      <BusinessSearch access={access}>
        {(business) =>
          businessRow({
            id: business.id,
            name: business.title,
            note: statusText(business.kind, business.status).toLowerCase(),
            mayGetIt: business.status === 'verified',
          })
        }
      </BusinessSearch>
      <Refused text={action.refusal} />
    </FactsCard>
  );
}

function BusinessSearch({
  access,
  children,
}: {
  access: OperatorContext;
  children: (business: SearchResult) => ReactNode;
}) {
  const [text, setText] = useState('');
  const [words, setWords] = useState('');
  const [tried, setTried] = useState(false);
  const query = useQuery({
    ...apiQuery.staffSearch.find.queryOptions({
      input: { kind: 'business', words, limit: 10 },
      context: { operator: access },
    }),
    enabled: words !== '',
  });
  const trimmed = text.trim();
  const problem =
    trimmed.length < searchLimits.wordsMin
      ? `Enter at least ${searchLimits.wordsMin} characters.`
      : undefined;
  return (
    <>
      <Form
        className="c-search mt3"
        onSubmit={() => {
          setTried(true);
          if (!problem) setWords(trimmed);
        }}
      >
        <TextInput
          label="Find the business"
          help="Part of its name, its registration number or email, or the address of its page. The search is logged."
          type="search"
          autoComplete="off"
          spellCheck={false}
          maxLength={searchLimits.wordsMax}
          value={text}
          error={tried ? problem : undefined}
          onChange={(event) => setText(event.target.value)}
        />
        <Button kind="out" type="submit" icon="magnifying-glass">
          Search
        </Button>
      </Form>
      {words === '' ? null : (
        <QueryState query={query} loading={<RowsSkeleton count={2} />} errorTitle="We couldn't search">
          {({ items, nextCursor }) => (
            <>
              {items.length === 0 ? <p className="sm mute mt3">No business matches “{words}”.</p> : null}
              {items[0]?.similar ? (
                <p className="sm mute mt3">No business is written exactly like that. These are similar.</p>
              ) : null}
              {items.map((business) => children(business))}
              {nextCursor === null ? null : (
                <p className="sm mute mt3">More businesses match. Enter more of the name.</p>
              )}
            </>
          )}
        </QueryState>
      )}
    </>
  );
}

function SendBack({ payment: { id, amountMinor, currency } }: { payment: UnmatchedPayment }) {
  const { action, decide } = useDecide();
  const note = useStoredText(`bank-payment-return ${id}`);
  const [tried, setTried] = useState(false);
  const sum = formatMoney(amountMinor, currency);
  const sendBack = async () => {
    setTried(true);
    if (note.value.trim() === '') return;
    const isDone = await decide(
      {
        title: `Did our bank send ${sum} back?`,
        message: 'This closes the case. Nothing is sent from here.',
        action: 'It was sent back',
        done: 'Marked as sent back',
      },
      () => sendBackOnce({ bankPaymentId: id, note: note.value }),
    );
    if (isDone) note.drop();
  };
  return (
    <FactsCard title="Send it back">
      <p className="sm mute">
        Transfer {sum} back to the payer at our bank first, then say so here. Nothing is sent from here.
      </p>
      <Form className="col g4 mt3" onSubmit={() => void sendBack()}>
        <TextArea
          label="How and why it was sent back"
          maxLength={limits.reasonMax}
          length={note.value.length}
          value={note.value}
          error={tried && note.value.trim() === '' ? 'Say how and why it was sent back.' : undefined}
          onChange={(event) => note.set(event.target.value)}
        />
        <Refused text={action.refusal} />
        <Button kind="out" type="submit" busy={action.busy}>
          It was sent back
        </Button>
      </Form>
    </FactsCard>
  );
}
