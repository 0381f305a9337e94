import type { OperatorContext } from '@nearhand/contract/operator-context';
import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import type { FoundRecord } from '@nearhand/contract/trust/staff-search';
import type { Ticket } from '@nearhand/contract/trust/tickets';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useStoredText } from '../../lib/device/device-draft.ts';
import { canRetry } from '../../lib/device/device-queue.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { FilesField, useChosenFiles } from '../../ui/controls/files-field.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { api, apiQuery } from '../console-api.ts';
import { caseKindText, casePath, codeText, statusText } from '../queue/case.labels.ts';
import { refetchCases } from '../queue/cases-api.ts';
import { checkRows, languageRow, signInRow } from '../search/customer.tsx';
import { foundRecordPath } from '../search/search.labels.ts';
import { useWhen } from './case-zone.ts';
import { Facts, FactsCard } from './facts-card.tsx';
import { sanctionSummary } from './moderation-facts.tsx';

type StaffThread = Extract<CaseFacts, { kind: 'ticket' }>['ticket'];

/** Other requests of the same person, each with a way to merge it into this one. */
export function OtherRequests({ ticket }: { ticket: StaffThread }) {
  const when = useWhen();
  const action = useAction();
  if (ticket.others.length === 0) return null;
  const merge = async (other: Ticket) => {
    const answer = await showAlert({
      title: 'Merge the requests?',
      message: `“${other.subject}” closes, and its messages are shown here. Nobody is notified, and it can't be undone.`,
      tone: 'ask',
      buttons: [
        { value: 'no', label: 'Cancel', kind: 'out' },
        { value: 'merge', label: 'Merge' },
      ],
    });
    if (answer !== 'merge') return;
    const input = { ticketId: ticket.id, otherId: other.id };
    if (await action.run(() => api.cases.mergeTickets(input).then(refetchCases)))
      showToast('Requests merged');
  };
  return (
    <FactsCard title="Other requests from this person">
      <ul className="col g3">
        {ticket.others.map((other) => (
          <li key={other.id} className="row g2 wrap">
            <p className="grow">
              <Link className="strong" to={casePath({ kind: 'ticket', subjectId: other.id })}>
                {other.subject}
              </Link>
              <span className="sm mute block">
                {statusText('ticket', other.status)} · {when(other.createdAt)}
              </span>
            </p>
            <Button kind="out" size="s" busy={action.busy} onClick={() => void merge(other)}>
              Merge into this one
            </Button>
          </li>
        ))}
      </ul>
      <Refused text={action.refusal} />
    </FactsCard>
  );
}

const customerChecks = ['identity', 'email', 'phone'];

/**
 * Shows a request's author to support. It is read once, for the claimed case: each look is in the log. At a phone's
 * size it is folded.
 */
export function TicketCustomer({ ticket }: { ticket: StaffThread }) {
  const isWide = useWide();
  const access = { case: { kind: 'ticket', subjectId: ticket.id } } as const;
  const input = { kind: 'person', id: ticket.from.accountId ?? '' } as const;
  const query = useQuery({
    ...apiQuery.staffSearch.get.queryOptions({ input, context: { operator: access } }),
    queryKey: [...apiQuery.staffSearch.get.queryKey({ input }), ticket.id],
    enabled: ticket.from.accountId !== null,
    refetchOnWindowFocus: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (ticket.from.accountId === null) return null;
  return (
    <details className="card" open={isWide}>
      <summary className="h-s hit">Customer</summary>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={3} />}
        errorTitle="We couldn't load the customer"
      >
        {(record) => <CustomerFacts record={record} access={access} ticketId={ticket.id} />}
      </QueryState>
    </details>
  );
}

type CustomerFactsProps = { record: FoundRecord; access: OperatorContext; ticketId: string };

function CustomerFacts({ record: { item, customer, sanctions }, access, ticketId }: CustomerFactsProps) {
  const when = useWhen();
  if (!customer) return null;
  const checks = customer.checks.filter(({ check }) => customerChecks.includes(check));
  const memberships = customer.person?.memberships ?? [];
  const openCases = customer.open.filter(({ subjectId }) => subjectId !== ticketId);
  return (
    <>
      <p className="mt3">
        <Link className="link strong hit break" to={foundRecordPath(item, access)}>
          {item.title}
        </Link>
      </p>
      <Facts
        rows={[
          ...checkRows(checks),
          ['Member since', when(item.createdAt)],
          languageRow(customer),
          signInRow(customer),
          [
            'Works for',
            memberships.length === 0 ? null : (
              <ul key="businesses">
                {memberships.map(({ business: { id, name }, role }) => (
                  <li key={id}>
                    <Link className="link hit" to={foundRecordPath({ kind: 'business', id }, access)}>
                      {name}
                    </Link>
                    , {codeText(role).toLowerCase()}
                  </li>
                ))}
              </ul>
            ),
          ],
        ]}
      />
      <p className="sm mute mt4">Other open cases</p>
      {openCases.length === 0 ? (
        <p>None</p>
      ) : (
        <ul>
          {openCases.map((openCase) => (
            <li key={`${openCase.kind} ${openCase.subjectId}`}>
              <Link className="link hit" to={casePath(openCase)}>
                {caseKindText[openCase.kind].one}, No. {caseNumber(openCase)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <p className="sm mute mt4">Decisions about them</p>
      {sanctions.length === 0 ? (
        <p>None</p>
      ) : (
        <ul>
          {sanctions.slice(0, 3).map((sanction) => (
            <li key={sanction.id} className="break">
              {sanctionSummary(sanction)} <span className="sm mute">{when(sanction.decidedAt)}</span>
            </li>
          ))}
        </ul>
      )}
      {sanctions.length > 3 ? (
        <Link className="link hit" to={foundRecordPath(item, access)}>
          All {sanctions.length} decisions
        </Link>
      ) : null}
    </>
  );
}

/** Files for an answer to a request. */
export const useAnswerFiles = () =>
  useChosenFiles('ticket', ({ purpose, file, idempotencyKey }) =>
    api.files.upload({ purpose, file }, { context: { idempotencyKey } }),
  );

const answerTicket = sendOnce('operators.answerTicket', api.operators.answerTicket);

/**
 * Writes to the author of an answered or closed request again, for the operator who answered it. A request whose
 * author has written since is answered in the queue.
 */
export function FollowUp({ ticket }: { ticket: StaffThread }) {
  const action = useAction();
  const draft = useStoredText(`ticket-follow-up ${ticket.id}`);
  const files = useAnswerFiles();
  const [tried, setTried] = useState(false);
  // After a lost response the thread may end with this answer. Only the same input keeps its idempotency key.
  const unansweredLastId = useRef<string>(undefined);
  const lastMessageId = ticket.messages.at(-1)?.id;
  const body = draft.value.trim();
  const newestAnswer = ticket.messages.findLast(({ author }) => author === 'staff')?.body.trim();
  // Drops a stored draft that equals the newest answer: it was sent, and only its response was lost.
  const isTyped = useRef(false);
  useEffect(() => {
    if (!isTyped.current && body !== '' && body === newestAnswer) draft.drop();
  });
  const { id: ticketId, status, mergedInto } = ticket;
  if (mergedInto !== null || status === 'open') return null;
  const send = async () => {
    setTried(true);
    if (body === '' || body.length > ticketLimits.bodyMax) return;
    const call = async () => {
      const fileIds = await files.upload();
      unansweredLastId.current ??= lastMessageId;
      try {
        await answerTicket({ ticketId, body, fileIds, lastMessageId: unansweredLastId.current });
      } catch (error) {
        if (!canRetry(error)) unansweredLastId.current = undefined;
        throw error;
      }
      unansweredLastId.current = undefined;
      await refetchCases();
    };
    if (!(await action.run(call))) return void refetchCases();
    draft.drop();
    files.clear();
    setTried(false);
    showToast('Answer sent');
  };
  const solve = async () => {
    const call = () => api.operators.solveTicket({ ticketId, lastMessageId }).then(refetchCases);
    if (!(await action.run(call))) return void refetchCases();
    showToast('Request closed');
  };
  return (
    <FactsCard title="Write again">
      <Form className="col g3" onSubmit={() => void send()}>
        <TextArea
          label="Your answer"
          help={`They read it word for word, ${ticket.from.accountId === null ? 'by mail' : 'in the app and by mail'}. Their reply brings the request back to the queue.`}
          rows={4}
          maxLength={ticketLimits.bodyMax}
          length={draft.value.length}
          value={draft.value}
          error={tried && body === '' ? 'Write your answer.' : undefined}
          onChange={(event) => {
            isTyped.current = true;
            draft.set(event.target.value);
          }}
        />
        <FilesField files={files} />
        <Refused text={action.refusal} />
        <Button kind="go" size="s" type="submit" busy={action.busy}>
          Send answer
        </Button>
        {status === 'waiting' ? (
          <Button kind="out" size="s" busy={action.busy} onClick={() => void solve()}>
            Close as solved
          </Button>
        ) : null}
      </Form>
    </FactsCard>
  );
}
