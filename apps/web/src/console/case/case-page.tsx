import { caseKinds } from '@nearhand/contract/case-kinds';
import { operatorReasonMax, operatorReasonMin } from '@nearhand/contract/operator-context';
import { operatorMay } from '@nearhand/contract/operator-roles';
import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import type { CaseFile, ClosedCaseFile } from '@nearhand/contract/trust/cases';
import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import type { FoundKind } from '@nearhand/contract/trust/staff-search.rules';
import { useState } from 'react';
import { useParams } from 'react-router';
import { isApiError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { allOf, formatDate } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { AccessReasonForm } from '../access-reason-form.tsx';
import { api } from '../console-api.ts';
import { NotFoundPage } from '../not-found-page.tsx';
import { Page } from '../page.tsx';
import {
  ageText,
  caseKindText,
  casePath,
  codeText,
  itemTagText,
  measureText,
  priorityText,
  ruleName,
  sanctionTargetText,
  statusText,
} from '../queue/case.labels.ts';
import {
  type CaseRef,
  refetchCases,
  useCaseFile,
  useCaseViewers,
  useClosedFile,
} from '../queue/cases-api.ts';
import { entriesPath, foundKindOf, foundRecordPath, foundText } from '../search/search.labels.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import { ApprovalCard } from './approval-card.tsx';
import { AuthorityReportCard, AuthorityReports } from './authority-reports.tsx';
import { CaseFactsView } from './case-facts.tsx';
import { CaseWork, Entries } from './case-work.tsx';
import { CaseZone, ClosedAccess, zoneOf, zoneText } from './case-zone.ts';
import { decidedText } from './decided-text.ts';
import { Decision } from './decision.tsx';
import { decisionLabel, reasonLabel } from './decisions.ts';
import { Facts, FactsCard } from './facts-card.tsx';
import { authorOf } from './moderation-facts.tsx';
import { Question, Questions } from './questions.tsx';
import { FollowUp, OtherRequests, TicketCustomer } from './ticket-work.tsx';

export function CasePage() {
  const { kind: kindParam, subjectId } = useParams();
  const kind = caseKinds.find((caseKind) => caseKind === kindParam);
  if (!kind || !subjectId) return <NotFoundPage />;
  return <KnownCase key={`${kind} ${subjectId}`} caseRef={{ kind, subjectId }} />;
}

const up = { to: '/cases', label: 'Back to the queue' };

function KnownCase({ caseRef }: { caseRef: CaseRef }) {
  const [reason, setReason] = useState<string | null>(null);
  const query = useCaseFile(caseRef, reason);
  const title = query.data ? titleOf(query.data) : caseKindText[caseRef.kind].one;
  // Also once the claim has ended: the case is no longer theirs to read.
  if (isApiError(query.error, 'operator/reason-required'))
    return <CaseGate caseRef={caseRef} up={up} onReason={setReason} />;
  if (isApiError(query.error, 'case/not-found'))
    return <DecidedCase caseRef={caseRef} firstReason={reason} />;
  return (
    <Page title={title} up={up} lead={query.data ? <CaseLead file={query.data} /> : null}>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle="We couldn't open the case"
        describe={caseErrorText}
      >
        {(file) => (
          <CaseZone value={zoneOf(file)}>
            <OpenCase file={file} />
          </CaseZone>
        )}
      </QueryState>
    </Page>
  );
}

/** The queue names no people; the page of a case about a person or a document does. */
function titleOf({ item, facts }: { item: { title: string }; facts: CaseFacts }): string {
  switch (facts.kind) {
    case 'report': {
      const { subject } = facts.reported;
      if (subject.kind === 'review') return `Review by ${authorOf(facts.reported)?.name || 'nobody known'}`;
      return (subject.kind === 'worker' && subject.name) || item.title;
    }
    case 'identity':
      return `${item.title} of ${facts.check.name}`;
    case 'certificate':
      return `${item.title} of ${facts.certificate.name}`;
    case 'payout_held':
      return `Withdrawal of ${facts.held.person.name}`;
    case 'appeal': {
      const { sanction, by } = facts.appeal;
      // The measure, what it is about, and whose that is: "Job hidden: Terrace waiter, Kopi Corner".
      const owner = sanction.business?.name ?? by.name;
      const names = new Set([sanctionTargetText(sanction), owner].filter(Boolean));
      return `${measureText(sanction.measure)}: ${[...names].join(', ')}`;
    }
    default:
      return item.title;
  }
}

const caseErrorText = (error: unknown): string =>
  isApiError(error, 'case/not-found')
    ? 'The case is closed, or it is not for your roles. The queue has what is open.'
    : errorText(error);

/** A closed case, read-only: what was decided, by whom and why, and on what evidence. */
function DecidedCase({ caseRef, firstReason }: { caseRef: CaseRef; firstReason: string | null }) {
  const [reason, setReason] = useState(firstReason);
  const [asking, setAsking] = useState(false);
  const query = useClosedFile(caseRef, reason);
  const now = useNow();
  const operator = useOperator();
  if (query.data === undefined && isApiError(query.error, 'operator/reason-required'))
    return (
      <Page title={caseKindText[caseRef.kind].one} up={up}>
        <div className="card c-gate col g4">
          <h2 className="h-s">This case is closed</h2>
          <AccessReasonForm
            label="Why do you need access?"
            help={`It has people's personal data, and the log keeps your reason. ${operatorReasonMin} to ${operatorReasonMax} characters.`}
            action="Read the decision"
            onReason={setReason}
          />
        </div>
      </Page>
    );
  const item = query.data?.item;
  const facts = query.data?.facts ?? null;
  const title = item && facts ? titleOf({ item, facts }) : (item?.title ?? caseKindText[caseRef.kind].one);
  const zone = zoneOf({ facts });
  const lead = item
    ? `${caseKindText[item.kind].one} · No. ${caseNumber(item)} · ${closedText(query.data)} · All times ${zoneText(zone, now)}`
    : null;
  return (
    <Page title={title} up={up} lead={lead}>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle="We couldn't open the case"
        describe={caseErrorText}
      >
        {(file) => (
          <ClosedAccess value={{ reason, onReasonNeeded: () => setAsking(true) }}>
            <CaseZone value={zone}>
              <div className="c-two">
                <div className="col g4">
                  <DecidedCard file={file} zone={zone} />
                  {file.item.kind === 'ticket' && file.facts ? null : (
                    <p className="sm mute">
                      {file.ended
                        ? 'No operator decided, so no evidence was stored. Open the record it was about to see what happened.'
                        : file.factsGone
                          ? evidenceGone[file.factsGone]
                          : 'The evidence is shown as it was when the case was decided.'}
                    </p>
                  )}
                  {file.facts ? <CaseFactsView facts={file.facts} caseRef={caseRef} mine={false} /> : null}
                  {file.questions.map((question) => (
                    <Question key={question.ticketId} question={question} caseRef={caseRef} />
                  ))}
                  {file.authorityReports.map((report) => (
                    <AuthorityReportCard key={report.id} report={report} reason={reason} mayChange />
                  ))}
                </div>
                <div className="col g4">
                  {file.facts?.kind === 'ticket' && file.item.by?.id === operator.id ? (
                    <FollowUp ticket={file.facts.ticket} />
                  ) : null}
                  <section className="card" aria-label="Notes">
                    <h2 className="h-s">Notes</h2>
                    <Entries entries={file.entries} />
                  </section>
                </div>
              </div>
            </CaseZone>
          </ClosedAccess>
        )}
      </QueryState>
      <Sheet open={asking} onClose={() => setAsking(false)} title="Open files of a closed case">
        <AccessReasonForm
          label="Why do you need access?"
          help={`The log keeps your reason. ${operatorReasonMin} to ${operatorReasonMax} characters.`}
          action="Save the reason"
          onReason={(text) => {
            setReason(text);
            setAsking(false);
          }}
        />
      </Sheet>
    </Page>
  );
}

/** A decided case that comes back with an answer is not closed for the people concerned. */
function closedText(file: ClosedCaseFile | undefined): string {
  if (file?.facts?.kind === 'ticket') return statusText('ticket', file.facts.ticket.status);
  return file?.item.decision === 'request-info' ? 'Asked for more' : 'Closed';
}

const evidenceGone: Record<NonNullable<ClosedCaseFile['factsGone']>, string> = {
  expired: 'The evidence was deleted a year after the decision. The decision and its reason remain.',
  removed:
    'The evidence was deleted because someone it concerned removed their account. The decision and its reason remain.',
  'not-kept': 'No evidence was kept with this decision. The decision and its reason remain.',
};

/** The decision in sentences, and everything that the people concerned were told. */
function DecidedCard({ file, zone }: { file: ClosedCaseFile; zone: string }) {
  const { item } = file;
  const { kind, decision, terms } = item;
  const sentences = decidedText(file);
  return (
    <FactsCard title={file.ended ? 'Ended without a decision' : decisionLabel(kind, decision)}>
      {sentences ? <p className="strong mb3">{sentences}</p> : null}
      <Facts
        rows={[
          ['By', item.by?.name],
          ['When', formatDate(item.decidedAt, zone)],
          ['Rule', terms?.rule && ruleName[terms.rule]],
          ['Kept from', terms?.scope && codeText(terms.scope)],
          [
            'Ends',
            terms?.endsAt ? formatDate(terms.endsAt, zone) : terms?.scope ? 'When it is lifted' : null,
          ],
          ['Statement of reasons', terms?.statement],
          // The messages below have an answer as it was sent.
          [
            reasonLabel(kind, decision),
            isAnswer(decision) || item.reason === '' ? null : <Reason key="reason" item={item} />,
          ],
          ['Business', item.business?.name],
          ['Opened', formatDate(item.openedAt, zone)],
        ]}
      />
      {file.ended?.record ? (
        <p className="mt3">
          <Link className="link hit" to={foundRecordPath(file.ended.record, null)}>
            Open the {foundText[file.ended.record.kind].one.toLowerCase()} it was about
          </Link>
        </p>
      ) : null}
    </FactsCard>
  );
}

const isAnswer = (decision: string): boolean => decision === 'answer' || decision === 'answer-solve';

/** A merged request names the request that has its messages. */
function Reason({ item: { decision, reason } }: { item: ClosedCaseFile['item'] }) {
  if (decision !== 'merge') return reason;
  const path = casePath({ kind: 'ticket', subjectId: reason });
  return <Link to={path}>Open the request that has its messages</Link>;
}

/** "Waiting for Omar Aziz until Thu 16:16"; null once they answered or their time is over. */
function waitingText(file: CaseFile, now: Date): string | null {
  const waiting = file.questions.filter(
    ({ status, dueAt }) => status === 'waiting' && Date.parse(dueAt) > now.getTime(),
  );
  const until = waiting
    .map(({ dueAt }) => dueAt)
    .sort()
    .at(-1);
  return until === undefined
    ? null
    : `Waiting for ${allOf(waiting.map(({ to }) => to.name))} until ${formatDate(until, zoneOf(file), now)}`;
}

function CaseLead({ file }: { file: CaseFile }) {
  const { item } = file;
  const now = useNow();
  const age = ageText(item, now);
  const waiting = waitingText(file, now);
  const priority = priorityText[item.priority];
  return (
    <span className="row g2 wrap">
      <span>
        {[caseKindText[item.kind].one, itemTagText(item), `No. ${caseNumber(item)}`]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <Badge tone={priority.tone}>{priority.text}</Badge>
      {waiting ? (
        <Badge tone="wait" icon="clock">
          {waiting}
        </Badge>
      ) : (
        <Badge tone={age.tone} icon="clock">
          {age.due}
        </Badge>
      )}
      <span>Open for {age.open}</span>
      <span className="strong">All times {zoneText(zoneOf(file), now)}</span>
    </span>
  );
}

function OpenCase({ file }: { file: CaseFile }) {
  const operator = useOperator();
  const isMine = file.item.claimedBy?.id === operator.id;
  return (
    <div className="c-two">
      <div className="col g4">
        <CaseViewers caseRef={file.item} />
        <CaseFactsView facts={file.facts} caseRef={file.item} mine={isMine} />
        {isMine && file.facts.kind === 'ticket' ? <OtherRequests ticket={file.facts.ticket} /> : null}
        <Questions file={file} mine={isMine} />
        {isMine ? <CaseLinks file={file} /> : null}
        <AuthorityReports file={file} mine={isMine} />
      </div>
      <div className="col g4">
        {file.approval ? <ApprovalCard approval={file.approval} onChange={refetchCases} /> : null}
        {isMine && file.approval?.state !== 'waiting' ? <Decision file={file} /> : null}
        {isMine && file.facts.kind === 'ticket' && operatorMay(operator.roles, 'search') ? (
          <TicketCustomer ticket={file.facts.ticket} />
        ) : null}
        <CaseWork file={file} mine={isMine} />
      </div>
    </div>
  );
}

/** Names the colleagues who have the same case open, so that two people don't work on it. */
function CaseViewers({ caseRef }: { caseRef: CaseRef }) {
  const { data: viewers = [] } = useCaseViewers(caseRef);
  if (viewers.length === 0) return null;
  return (
    <Banner tone="here" icon="eye" live>
      {allOf(viewers.map(({ name }) => name))} {viewers.length === 1 ? 'is' : 'are'} looking at this case now.
    </Banner>
  );
}

type GateProps = {
  caseRef: CaseRef;
  up: { to: string; label: string };
  onReason: (reason: string) => void;
};

/** Requires the operator to claim the case or give a reason before reading it (ADR 176). */
function CaseGate({ caseRef, up, onReason }: GateProps) {
  const action = useAction();
  return (
    <Page title={caseKindText[caseRef.kind].one} up={up}>
      <div className="card c-gate col g4">
        <div>
          <h2 className="h-s">Claim the case to read it</h2>
          <p className="mute mt1">It has people's personal data. Everything you open is in the log.</p>
        </div>
        <Refused text={action.refusal} />
        <Button
          kind="go"
          busy={action.busy}
          onClick={() => void action.run(() => api.cases.claim(caseRef).then(refetchCases))}
        >
          Claim the case
        </Button>
        <AccessReasonForm
          label="Or say why you need access"
          help={`For example, a colleague asked you about it. ${operatorReasonMin} to ${operatorReasonMax} characters.`}
          action="Read without claiming"
          onReason={onReason}
        />
      </div>
    </Page>
  );
}

type RecordLink = { kind: FoundKind; id: string; name?: string | undefined };
type PersonRef = { id: string; name: string } | null | undefined;

/** The records that a case is about, each with its name where the case has it. */
function recordsOf({ item, facts }: CaseFile): RecordLink[] {
  const business: RecordLink[] = item.business ? [{ kind: 'business', ...item.business }] : [];
  const job = (id: string, name: string): RecordLink => ({ kind: 'job', id, name });
  const work = (id: string | null | undefined): RecordLink[] => (id ? [{ kind: 'engagement', id }] : []);
  const person = (account: PersonRef): RecordLink[] =>
    account ? [{ kind: 'person', id: account.id, name: account.name }] : [];
  switch (facts.kind) {
    case 'dispute':
    case 'no_show':
      return [...work(facts.engagementId), ...person(facts.worker), ...business];
    case 'chat_report':
      return [...person(facts.report.worker), ...business];
    case 'frozen_chat':
      return [...person(facts.frozen.worker), ...business];
    case 'report': {
      const { subject, worker, work: about } = facts.reported;
      return [
        ...(subject.kind === 'job' ? [job(subject.id, subject.name)] : person(worker)),
        ...work(about?.engagementId),
        ...business,
      ];
    }
    case 'appeal': {
      const { sanction, by } = facts.appeal;
      const { target } = sanction;
      return [
        ...(target.kind === 'job' && target.id ? [job(target.id, target.name)] : []),
        ...person({ id: by.accountId, name: by.name }),
        ...business,
      ];
    }
    case 'job_review':
      return [job(facts.review.jobId, facts.review.title), ...business];
    case 'identity':
      return person(facts.check.account);
    case 'certificate':
      return person(facts.certificate.account);
    case 'payout_held':
      return person(facts.held.person);
    case 'second_approval':
      return [
        ...work(facts.pay?.engagementId),
        ...person(facts.pay?.worker),
        ...(facts.recipient?.kind === 'person' ? person(facts.recipient) : []),
        ...business,
      ];
    case 'correction':
      return [...work(facts.correction.engagementId), ...person(facts.correction.worker), ...business];
    case 'chargeback':
      return [...work(facts.chargeback.engagementId), ...business];
    case 'referral':
      return [
        ...person(facts.referral.inviter),
        ...person(facts.referral.invited),
        ...work(facts.referral.engagementId),
      ];
    case 'ticket': {
      const { from, refs } = facts.ticket;
      const records = refs.flatMap((ref): RecordLink[] => {
        const kind = foundKindOf(ref.kind);
        return kind ? [{ kind, id: ref.id }] : [];
      });
      return [...(from.accountId ? person({ id: from.accountId, name: from.name }) : []), ...records];
    }
    case 'flagged_review':
      return [...person(facts.review.worker), ...business];
    default:
      return business;
  }
}

function CaseLinks({ file }: { file: CaseFile }) {
  const { roles } = useOperator();
  const { kind, subjectId } = file.item;
  const access = { case: { kind, subjectId } };
  const records = recordsOf(file);
  if (records.length === 0 || !operatorMay(roles, 'search')) return null;
  const paidRecordId =
    kind === 'payout_held' ? subjectId : records.find((record) => record.kind === 'engagement')?.id;
  return (
    <FactsCard title="Records">
      <div className="row g2 wrap">
        {records.map((record) => (
          <ButtonLink
            key={record.id}
            kind="out"
            size="s"
            icon={foundText[record.kind].icon}
            to={foundRecordPath(record, access)}
          >
            {record.name || foundText[record.kind].one}
          </ButtonLink>
        ))}
        {paidRecordId && operatorMay(roles, 'search-entries') ? (
          <ButtonLink kind="out" size="s" icon="hand-coins" to={entriesPath(paidRecordId, access)}>
            Payments and corrections
          </ButtonLink>
        ) : null}
      </div>
    </FactsCard>
  );
}
