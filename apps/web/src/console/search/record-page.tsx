import { isId } from '@nearhand/contract/ids';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import { operatorMay } from '@nearhand/contract/operator-roles';
import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import type { FoundRecord } from '@nearhand/contract/trust/staff-search';
import { type FoundKind, foundKinds } from '@nearhand/contract/trust/staff-search.rules';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { TicketFacts } from '../case/case-facts.tsx';
import { zoneText } from '../case/case-zone.ts';
import { Facts, FactsCard } from '../case/facts-card.tsx';
import { api, apiQuery } from '../console-api.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { Page } from '../page.tsx';
import { casePath, statusText } from '../queue/case.labels.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import { AccessReasonGate, useAccessReason, withCase } from './access-reason.tsx';
import { CreditLimitCard } from './credit-limit.tsx';
import { Checks, CustomerTimeline, LinkedAccounts, languageRow, OpenCases, signInRow } from './customer.tsx';
import { Goodwill } from './goodwill.tsx';
import { ImposeSanction, SanctionList } from './sanctions.tsx';
import { detailName, detailText, entriesPath, foundRecordPath, foundText } from './search.labels.ts';
import { FoundRow } from './search-page.tsx';

export function RecordPage() {
  const { kind: named, id } = useParams();
  const kind = foundKinds.find((kind) => kind === named);
  const access = useAccessReason();
  if (named === 'ticket' && isId(id)) return <FoundTicket ticketId={id} />;
  if (!kind || !isId(id)) return <NotFoundPage />;
  return (
    <Page
      title={foundText[kind].one}
      lead={`All times ${zoneText(ownTimeZone(), new Date())}`}
      up={{ to: withCase(`/search?what=${kind}`, access), label: 'Search' }}
    >
      <AccessReasonGate>
        {(context) => <Found key={id} kind={kind} id={id} access={context} />}
      </AccessReasonGate>
    </Page>
  );
}

function Found({ kind, id, access }: { kind: FoundKind; id: string; access: OperatorContext }) {
  const query = useQuery(
    apiQuery.staffSearch.get.queryOptions({ input: { kind, id }, context: { operator: access } }),
  );
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle="We couldn't load the record">
      {(record) => <Loaded record={record} access={access} onChange={() => query.refetch()} />}
    </QueryState>
  );
}

/** A request in any state, such as one that its author closed, which no operator decided. */
function FoundTicket({ ticketId }: { ticketId: string }) {
  const access = useAccessReason();
  return (
    <Page
      title="Request"
      lead={`All times ${zoneText(ownTimeZone(), new Date())}`}
      up={{ to: withCase('/search?what=ticket', access), label: 'Search' }}
    >
      <AccessReasonGate>
        {(context) => <LoadedTicket key={ticketId} ticketId={ticketId} access={context} />}
      </AccessReasonGate>
    </Page>
  );
}

function LoadedTicket({ ticketId, access }: { ticketId: string; access: OperatorContext }) {
  const query = useQuery(
    apiQuery.operators.ticket.queryOptions({ input: { ticketId }, context: { operator: access } }),
  );
  const caseRef = { kind: 'ticket', subjectId: ticketId } as const;
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle="We couldn't load the request">
      {(ticket) => (
        <div className="col g4 mt3">
          <h2 className="h-m break">{ticket.subject}</h2>
          <p className="sm mute num">No. {caseNumber(caseRef)}</p>
          <TicketFacts ticket={ticket} caseRef={caseRef} />
          <p className="row g2 wrap">
            <ButtonLink kind="out" size="s" icon="ticket" to={casePath(caseRef)}>
              Open the case
            </ButtonLink>
            {ticket.from.accountId ? (
              <ButtonLink
                kind="out"
                size="s"
                icon="user"
                to={foundRecordPath({ kind: 'person', id: ticket.from.accountId }, access)}
              >
                Their account
              </ButtonLink>
            ) : (
              <ButtonLink
                kind="out"
                size="s"
                icon="magnifying-glass"
                to={withCase(`/search?what=ticket&words=${encodeURIComponent(ticket.from.email)}`, access)}
              >
                All requests from this address
              </ButtonLink>
            )}
          </p>
        </div>
      )}
    </QueryState>
  );
}

function Loaded({
  record,
  access,
  onChange,
}: {
  record: FoundRecord;
  access: OperatorContext;
  onChange: () => Promise<unknown>;
}) {
  const { roles } = useOperator();
  const { item, details, related, sanctions, customer, goodwill } = record;
  // A person's booked work is in the timeline.
  const belonging = item.kind === 'person' ? related.filter(({ kind }) => kind === 'business') : related;
  const moderates = operatorMay(roles, 'moderation');
  const facts = (
    <>
      <FactsCard title={item.kind === 'person' ? 'Account' : customer ? 'Business' : item.title}>
        <Badge>{statusText(item.kind, item.status)}</Badge>
        <Facts
          rows={[
            [item.kind === 'engagement' ? 'Job' : 'Business', item.of],
            ['Email', item.email],
            ...details.map(({ name, value }): [string, string] => [
              detailName(name),
              detailText(name, value),
            ]),
            ...(customer?.person ? [languageRow(customer), signInRow(customer)] : []),
            ['Since', formatDate(item.createdAt, ownTimeZone())],
            ['Id', item.id],
          ]}
        />
        <p className="row g2 wrap mt3">
          {operatorMay(roles, 'search-entries') && item.kind !== 'job' ? (
            <ButtonLink kind="out" size="s" icon="hand-coins" to={entriesPath(item.id, access)}>
              Ledger entries
            </ButtonLink>
          ) : null}
          {operatorMay(roles, 'log') ? (
            <ButtonLink kind="out" size="s" icon="article" to={`/log?record=${item.id}`}>
              What operators did
            </ButtonLink>
          ) : null}
        </p>
      </FactsCard>
      {belonging.length > 0 ? (
        <section className="card flush" aria-label="What belongs to it">
          <ul className="c-cases">
            {belonging.map((record) => (
              <FoundRow key={`${record.kind} ${record.id}`} item={record} access={access} />
            ))}
          </ul>
        </section>
      ) : null}
    </>
  );
  return (
    <>
      {customer ? (
        <div className="row g3 mt3">
          <Avatar name={item.title} />
          <h2 className="h-m break">{item.title}</h2>
        </div>
      ) : null}
      <div className="c-two mt3">
        <div className="col g4">
          {customer && item.kind !== 'job' && item.kind !== 'engagement' ? (
            <CustomerTimeline customer={{ kind: item.kind, id: item.id }} access={access} />
          ) : (
            facts
          )}
        </div>
        {item.kind === 'engagement' ? null : (
          <div className="col g4">
            {customer ? (
              <>
                <OpenCases open={customer.open} />
                {item.kind === 'business' ? facts : null}
                <LinkedAccounts customer={customer} accountId={item.id} access={access} />
                {item.kind === 'person' ? (
                  <>
                    <Checks checks={customer.checks} />
                    {facts}
                  </>
                ) : null}
              </>
            ) : null}
            {item.kind === 'person' || item.kind === 'business' ? (
              <Goodwill
                recipient={{ kind: item.kind, id: item.id, name: item.title }}
                goodwill={goodwill}
                mayGive={operatorMay(roles, 'payments')}
                access={access}
                onChange={onChange}
              />
            ) : null}
            {operatorMay(roles, 'payments') && item.kind === 'business' ? (
              <CreditLimitCard businessId={item.id} access={access} />
            ) : null}
            {moderates ? (
              <ImposeSanction item={item} running={customer?.running} access={access} onChange={onChange} />
            ) : null}
            {moderates && item.kind === 'person' ? <EndSessions accountId={item.id} access={access} /> : null}
            <SanctionList sanctions={sanctions} access={access} mayLift={moderates} onChange={onChange} />
          </div>
        )}
      </div>
    </>
  );
}

export function EndSessions({ accountId, access }: { accountId: string; access: OperatorContext }) {
  const [confirming, setConfirming] = useState(false);
  const action = useAction();
  const end = async () => {
    const call = async () => {
      const { ended } = await api.sessions.endOf({ accountId }, { context: { operator: access } });
      showToast(ended === 1 ? 'Signed out on 1 device' : `Signed out on ${ended} devices`);
    };
    if (await action.run(call)) setConfirming(false);
  };
  return (
    <section className="card" aria-label="Sessions">
      <h2 className="h-s">Sessions</h2>
      <div className="col g3 mt2">
        <p className="sm mute">
          Sign them out on every device, for example after a phone was stolen. Calendar subscriptions end too.
          They can sign in again with their password.
        </p>
        <Refused text={action.refusal} />
        {confirming ? (
          <div className="row g2 wrap">
            <Button kind="bad" size="s" busy={action.busy} onClick={() => void end()}>
              Sign out everywhere
            </Button>
            <Button kind="quiet" size="s" onClick={() => setConfirming(false)}>
              Cancel
            </Button>
          </div>
        ) : (
          <Button kind="out" size="s" onClick={() => setConfirming(true)}>
            Sign out this person
          </Button>
        )}
      </div>
    </section>
  );
}
