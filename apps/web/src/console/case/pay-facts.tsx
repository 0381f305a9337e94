import { minuteMs } from '@nearhand/contract/durations';
import { operatorMay } from '@nearhand/contract/operator-roles';
import { otherSide, type Step } from '@nearhand/contract/sides';
import type { PayCase, SideHistory } from '@nearhand/contract/trust/case-facts';
import { use } from 'react';
import { formatDate, formatMinutes, formatMoney, formatSpan, joined } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Timeline } from '../../ui/steps.tsx';
import { codeText } from '../queue/case.labels.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { foundRecordPath } from '../search/search.labels.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import { CaseFiles, ChatAround, hasChat } from './case-messages.tsx';
import { ClosedAccess } from './case-zone.ts';
import { Facts, FactsCard } from './facts-card.tsx';

export function PayFacts({ facts, caseRef }: { facts: PayCase & { kind: string }; caseRef: CaseRef }) {
  const money = (minor: number) => formatMoney(minor, facts.currency);
  const when = (instant: string) => formatDate(instant, facts.timeZone);
  const { proposal, worker, business } = facts;
  const paidMinor = facts.effects[0]?.alreadyPaidMinor ?? 0;
  const nameOf = (side: 'worker' | 'business') => (side === 'worker' ? worker.name : business.name);
  return (
    <>
      <FactsCard title="The work">
        <Facts
          rows={[
            ['Job', facts.title],
            ['Worker', worker.name],
            ['Business', business.name],
            [
              'When',
              facts.startsAt && facts.endsAt
                ? formatSpan(facts.startsAt, facts.endsAt, facts.timeZone)
                : null,
            ],
            ['Agreed pay', money(facts.plannedMinor)],
            ['Paid before', paidMinor > 0 ? money(paidMinor) : null],
            ['On hold, with fee', money(facts.heldMinor)],
            ['Funding', codeText(facts.funding)],
            ['Ends by itself', facts.stopAt ? when(facts.stopAt) : null],
          ]}
        />
      </FactsCard>
      <FactsCard title="What both sides say">
        <div className="c-sides">
          <div>
            <p className="label">{worker.name}</p>
            <p className="h-m num">
              {facts.workerAmountMinor === null ? 'Named no amount' : money(facts.workerAmountMinor)}
            </p>
          </div>
          <div>
            <p className="label">{business.name}</p>
            <p className="h-m num">
              {facts.businessAmountMinor === null ? 'Named no amount' : money(facts.businessAmountMinor)}
            </p>
          </div>
        </div>
        <Facts
          rows={[
            ...(facts.kind === 'no_show'
              ? ([
                  [`${worker.name} says`, statement(facts, 'contest', when)],
                  [`${business.name} says`, statement(facts, 'report-no-show', when)],
                ] as const)
              : wordsOf(facts, nameOf, when)),
            [
              'Last proposal',
              proposal
                ? `${money(proposal.amountMinor)} by ${nameOf(proposal.by)}, ${when(proposal.at)}${proposal.note ? `\n${proposal.note}` : ''}`
                : null,
            ],
          ]}
        />
      </FactsCard>
      {facts.jobKind === 'shift' ? <Attempts facts={facts} /> : null}
      <EarlierWork facts={facts} caseRef={caseRef} />
      {hasChat(caseRef) ? (
        <FactsCard title="Chat around the work">
          <ChatAround caseRef={caseRef} />
        </FactsCard>
      ) : null}
      <FactsCard title="Evidence">
        <Evidence facts={facts} caseRef={caseRef} />
      </FactsCard>
      <FactsCard title="History">
        <Timeline
          items={facts.steps.map((step) => ({
            title: moveText(step, { worker: worker.name, business: business.name }),
            note: [step.amountMinor === null ? null : money(step.amountMinor), step.reason]
              .filter(Boolean)
              .join(' · '),
            time: when(step.at),
            state: 'done' as const,
          }))}
        />
      </FactsCard>
    </>
  );
}

/**
 * The words of the side that filed the dispute, then of the other: its answer, otherwise what it last wrote about the work,
 * such as with its own hours.
 */
function wordsOf(
  { steps, reason }: PayCase,
  nameOf: (side: 'worker' | 'business') => string,
  when: (instant: string) => string,
): [string, string][] {
  const filed = steps.findLast(({ action }) => action === 'file');
  const first = filed?.by === 'business' ? 'business' : 'worker';
  const words = ([first, otherSide(first)] as const).map((side): [string, string] => {
    const sideSteps = steps.filter(({ by }) => by === side);
    const step =
      sideSteps.findLast(({ action }) => action === 'file' || action === 'answer') ??
      sideSteps.findLast((candidate) => candidate.reason);
    return [
      `${nameOf(side)} says`,
      step ? `${step.reason || 'Gave no reason'}\n${when(step.at)}` : 'Nothing so far',
    ];
  });
  return filed ? words : [['Reason of the dispute', reason || 'None given'], ...words];
}

function statement(facts: PayCase, action: string, when: (instant: string) => string): string {
  const step = facts.steps.findLast((candidate) => candidate.action === action);
  return step ? `${step.reason || 'Gave no reason'}\n${when(step.at)}` : 'Nothing';
}

/** Check-ins that were refused. Accepted ones are part of the evidence. */
function Attempts({ facts }: { facts: PayCase }) {
  const when = (instant: string) => formatDate(instant, facts.timeZone);
  const attempts = [
    ...facts.attempts.map(({ at, receivedAt, distanceM, accuracyM, allowedM }) => ({
      at,
      text: joined(
        `Too far away: ${distanceM} m from the workplace, measured to ${accuracyM} m, limit ${allowedM} m`,
        Date.parse(receivedAt) - Date.parse(at) > minuteMs ? `sent ${when(receivedAt)}` : null,
      ),
    })),
    ...facts.wrongCodes.map(({ at, onKiosk }) => ({
      at,
      text: onKiosk ? 'Wrong PIN on the tablet at the door' : 'Wrong code of the place',
    })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const isCheckedIn = facts.attendance.some(({ kind }) => kind === 'check_in');
  return (
    <FactsCard title="Refused check-ins">
      {attempts.length === 0 ? (
        <p className="mute">
          {isCheckedIn ? 'None.' : `No attempts. ${facts.worker.name} never tried to check in.`}
        </p>
      ) : (
        <Facts rows={attempts.map(({ at, text }) => [when(at), text])} />
      )}
    </FactsCard>
  );
}

const noShowOutcomeText: Record<SideHistory['noShows'][number]['outcome'], string> = {
  reported: 'not contested',
  open: 'contested, not decided yet',
  confirmed: 'contested, and we confirmed it',
  worked: 'contested, and we decided that they worked',
};

/** Shows both sides' earlier work, so that one word against another can be weighed. */
function EarlierWork({
  facts: { worker, business, timeZone, history },
  caseRef,
}: {
  facts: PayCase;
  caseRef: CaseRef;
}) {
  return (
    <FactsCard title="Before this work">
      <p>
        {history.together === 0
          ? `${worker.name} never completed work for ${business.name}.`
          : `${worker.name} completed work for ${business.name} ${timesText(history.together)}.`}
      </p>
      <div className="c-sides mt3">
        <EarlierWorkOf
          name={worker.name}
          side={history.worker}
          missed="no-show of theirs"
          timeZone={timeZone}
          caseRef={caseRef}
        />
        <EarlierWorkOf
          name={business.name}
          side={history.business}
          missed="no-show that they reported"
          timeZone={timeZone}
          caseRef={caseRef}
        />
      </div>
    </FactsCard>
  );
}

const timesText = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function EarlierWorkOf({
  name,
  side,
  missed,
  timeZone,
  caseRef: { kind, subjectId },
}: {
  name: string;
  side: SideHistory;
  missed: string;
  timeZone: string;
  caseRef: CaseRef;
}) {
  const { roles } = useOperator();
  const access = use(ClosedAccess) === null ? { case: { kind, subjectId } } : null;
  const mayOpen = operatorMay(roles, 'search');
  return (
    <div>
      <p className="label">{name}</p>
      <p>
        {side.completed} completed, {side.noShowCount} reported as a no-show, {side.disputes} with a dispute
      </p>
      {side.noShowCount === 0 ? <p className="sm mute mt2">No other {missed}.</p> : null}
      <ul className="c-words">
        {side.noShows.map(({ engagementId, title, at, outcome }) => (
          <li key={engagementId}>
            <p className="sm">
              {formatDate(at, timeZone)}:{' '}
              {mayOpen ? (
                <Link className="link" to={foundRecordPath({ kind: 'engagement', id: engagementId }, access)}>
                  {title}
                </Link>
              ) : (
                title
              )}
              , {noShowOutcomeText[outcome]}
            </p>
          </li>
        ))}
      </ul>
      {side.noShowCount > side.noShows.length ? (
        <p className="sm mute">{side.noShowCount - side.noShows.length} older ones are not listed.</p>
      ) : null}
    </div>
  );
}

function Evidence({ facts, caseRef }: { facts: PayCase; caseRef: CaseRef }) {
  const when = (instant: string) => formatDate(instant, facts.timeZone);
  const { attendance, claims, deliveries, shown: evidence, worker, business } = facts;
  if (attendance.length + claims.length + deliveries.length + evidence.length === 0)
    return <p className="mute">No check-in, hours, delivery or file is on record.</p>;
  return (
    <ol className="c-words">
      {attendance.map((event) => (
        <li key={event.id}>
          <p className="row g2 wrap">
            <span className="strong">{codeText(event.kind)}</span>
            <span className="mute sm">{when(event.at)}</span>
            {event.flags.map((flag) => (
              <Badge key={flag} tone="wait">
                {codeText(flag)}
              </Badge>
            ))}
          </p>
          <p className="sm mute">{proofText(event)}</p>
        </li>
      ))}
      {claims.map((claim) => (
        <li key={claim.id}>
          <p className="row g2 wrap">
            <span className="strong">
              {claim.by === 'worker' ? worker.name : claim.by === 'business' ? business.name : 'Automatic'}:{' '}
              {formatMinutes(claim.paidMinutes)}, {formatMoney(claim.amountMinor, facts.currency)}
            </span>
            {claim.flags.map((flag) => (
              <Badge key={flag} tone="wait">
                {codeText(flag)}
              </Badge>
            ))}
          </p>
          <p className="sm mute">
            {formatSpan(claim.startsAt, claim.endsAt, facts.timeZone)}
            {claim.breakMinutes > 0 ? `, ${formatMinutes(claim.breakMinutes)} break` : ''}. Round{' '}
            {claim.round}, {when(claim.at)}
          </p>
          {claim.note ? <p className="pre-line">{claim.note}</p> : null}
        </li>
      ))}
      {deliveries.map((delivery) => (
        <li key={delivery.id}>
          <p className="row g2 wrap">
            <span className="strong">Delivery {delivery.round}</span>
            <span className="mute sm">{when(delivery.at)}</span>
          </p>
          {delivery.note ? <p className="pre-line">{delivery.note}</p> : null}
          <CaseFiles files={delivery.files} caseRef={caseRef} />
          {delivery.changesAsked ? (
            <p className="sm">
              {business.name} asked for changes, {when(delivery.changesAsked.at)}:{' '}
              {delivery.changesAsked.note}
            </p>
          ) : null}
        </li>
      ))}
      {evidence.map(({ by, at, files }) => (
        <li key={`${by} ${at}`}>
          <p className="row g2 wrap">
            <span className="strong">Files from {by === 'worker' ? worker.name : business.name}</span>
            <span className="mute sm">{when(at)}</span>
          </p>
          <CaseFiles files={files} caseRef={caseRef} />
        </li>
      ))}
    </ol>
  );
}

const pastTense: Record<string, string> = {
  book: 'was booked',
  confirm: 'confirmed',
  'check-in': 'checked in',
  'check-out': 'checked out',
  start: 'started',
  'submit-hours': 'submitted hours',
  'auto-submit': 'submitted the planned hours',
  counter: 'proposed other hours',
  'accept-counter': 'accepted the hours',
  deliver: 'delivered',
  'request-changes': 'asked for changes',
  approve: 'approved',
  'approve-planned': 'approved by the rule of the business',
  cancel: 'cancelled',
  'report-no-show': 'reported a no-show',
  contest: 'contested the report',
  dispute: 'opened a dispute',
  file: 'filed the dispute',
  answer: 'answered',
  propose: 'proposed an amount',
  'accept-proposal': 'accepted the proposal',
  agree: 'agreed',
  escalate: 'passed it to Nearhand',
  settle: 'settled it',
  decide: 'decided',
  uphold: 'confirmed the no-show',
  overturn: 'decided that they worked',
};

function proofText({ how, distanceM, accuracyM }: PayCase['attendance'][number]): string {
  if (how === 'position' && distanceM !== null)
    return `${distanceM} m from the workplace, measured to ${accuracyM ?? '?'} m`;
  if (how === 'code') return 'With the code of the place';
  return how === 'kiosk' ? 'By PIN on the tablet at the door' : 'Without a position';
}

function moveText(
  { action, by }: Pick<Step, 'action' | 'by'>,
  names: { worker: string; business: string },
): string {
  if (action === 'book') return `${names.worker} was booked`;
  const person = { ...names, operator: 'Nearhand', timer: 'The system' }[by];
  return pastTense[action] ? `${person} ${pastTense[action]}` : `${codeText(action)} (${person})`;
}
