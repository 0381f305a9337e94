import { moneyLimits } from '@nearhand/contract/money/limits';
import { operatorMay } from '@nearhand/contract/operator-roles';
import { otherSide } from '@nearhand/contract/sides';
import type { CaseFacts } from '@nearhand/contract/trust/case-facts';
import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import { use, useEffect, useState } from 'react';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatCalendarDay, formatSpan, joined } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { readFile } from '../console-api.ts';
import {
  businessMoveText,
  caseKindText,
  casePath,
  codeText,
  countryName,
  statusText,
} from '../queue/case.labels.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { foundKindOf, foundRecordPath } from '../search/search.labels.ts';
import { useOperator } from '../sign-in/operator-session.ts';
import { CorrectionFacts, SecondApprovalFacts } from './approval-facts.tsx';
import { AuthorityReportFacts } from './authority-reports.tsx';
import { BankPaymentFacts } from './bank-payment-facts.tsx';
import { CaseFiles, CaseTicketMessages, ChatAround, ChatMessages } from './case-messages.tsx';
import { ClosedAccess, useWhen } from './case-zone.ts';
import { ChargebackFacts } from './chargeback-facts.tsx';
import { Facts, FactsCard } from './facts-card.tsx';
import { FileViewer, type ViewedFile } from './file-viewer.tsx';
import { AppealFacts, ContestedDismissal, JobReviewFacts, ReportedFacts } from './moderation-facts.tsx';
import { PayFacts } from './pay-facts.tsx';
import { PayoutFacts, ReferralFacts } from './payment-facts.tsx';
import { UnclaimedFacts } from './unclaimed-facts.tsx';

export function CaseFactsView({
  facts,
  caseRef,
  mine,
}: {
  facts: CaseFacts;
  caseRef: CaseRef;
  mine: boolean;
}) {
  switch (facts.kind) {
    case 'dispute':
    case 'no_show':
      return <PayFacts facts={facts} caseRef={caseRef} />;
    case 'chat_report':
      return <ReportFacts {...facts} caseRef={caseRef} />;
    case 'frozen_chat':
      return <FrozenFacts {...facts} caseRef={caseRef} />;
    case 'report':
      return <ReportedFacts {...facts} caseRef={caseRef} />;
    case 'appeal':
      return (
        <AppealFacts {...facts} caseRef={caseRef}>
          {facts.appeal.evidence.payout ? (
            <PayoutFacts heldPayout={facts.appeal.evidence.payout} caseRef={caseRef} inAppeal />
          ) : null}
          {facts.appeal.evidence.business ? (
            <BusinessFacts review={facts.appeal.evidence.business} caseRef={caseRef} />
          ) : null}
          {facts.appeal.evidence.identity ? (
            <IdentityFacts check={facts.appeal.evidence.identity} caseRef={caseRef} />
          ) : null}
        </AppealFacts>
      );
    case 'flagged_review':
      return <FlaggedFacts {...facts} caseRef={caseRef} />;
    case 'job_review':
      return <JobReviewFacts {...facts} />;
    case 'ticket':
      return <TicketFacts {...facts} caseRef={caseRef} />;
    case 'referral':
      return <ReferralFacts {...facts} />;
    case 'business_verification':
      return <BusinessFacts {...facts} caseRef={caseRef} />;
    case 'identity':
      return <IdentityFacts {...facts} caseRef={caseRef} />;
    case 'certificate':
      return <CertificateFacts {...facts} caseRef={caseRef} />;
    case 'chargeback':
      return <ChargebackFacts {...facts} mine={mine} />;
    case 'unclaimed':
      return <UnclaimedFacts {...facts} mine={mine} />;
    case 'bank_payment':
      return <BankPaymentFacts {...facts} mine={mine} />;
    case 'payout_held':
      return <PayoutFacts heldPayout={facts.held} caseRef={caseRef} />;
    case 'second_approval':
      return <SecondApprovalFacts {...facts} caseRef={caseRef} />;
    case 'authority_report':
      return (
        <FactsCard title="Report to an authority">
          <AuthorityReportFacts report={facts.report} />
          <p className="mt3">
            <Link className="link hit" to={casePath(facts.report.case)}>
              Open the case it is about
            </Link>
          </p>
        </FactsCard>
      );
    case 'correction':
      return <CorrectionFacts {...facts} />;
  }
}

type Of<Kind extends CaseFacts['kind']> = Extract<CaseFacts, { kind: Kind }>;

function ReportFacts({ report, caseRef }: Of<'chat_report'> & { caseRef: CaseRef }) {
  const when = useWhen();
  return (
    <>
      <FactsCard title="Report">
        <Facts
          rows={[
            ['Reason', codeText(report.reason)],
            ['Words', report.note || 'None'],
            ['Reported by', `${report.by.name} (${report.by.side})`],
            ['When', when(report.at)],
            ['Worker', report.worker.name],
            ['Business', report.business.name],
            ['Job', report.job.title],
          ]}
        />
        <p className="sm mute mt3">The other side must not learn who reported.</p>
      </FactsCard>
      {report.contested ? (
        <ContestedDismissal kind="chat_report" dismissal={report.contested}>
          <Facts rows={[['First report', report.contested.note]]} />
        </ContestedDismissal>
      ) : null}
      <Sender report={report} caseRef={caseRef} />
      <ReportedMessages seq={report.seq} messages={report.messages} caseRef={caseRef} />
    </>
  );
}

/**
 * The person that the report is against, with ways to warn or suspend them. A message for a business has two addressees
 * of a measure: its author alone, or the business with everyone who hires for it.
 */
function Sender({ report, caseRef }: { report: Of<'chat_report'>['report']; caseRef: CaseRef }) {
  const { roles } = useOperator();
  const isClosed = use(ClosedAccess) !== null;
  const sender = report.messages.find(({ seq }) => seq === report.seq)?.from;
  const side = sender?.side ?? otherSide(report.by.side);
  const { worker, business } = report;
  const name = sender?.name ?? (side === 'worker' ? worker.name : business.name);
  const access = { case: { kind: caseRef.kind, subjectId: caseRef.subjectId } };
  const personId = sender?.accountId ?? (side === 'worker' ? worker.id : null);
  const mayAct = !isClosed && operatorMay(roles, 'search') && operatorMay(roles, 'moderation');
  return (
    <FactsCard title={report.seq === null ? 'The other side' : 'The sender'}>
      <p>
        {name}
        {side === 'worker' ? ' (worker)' : sender ? ` (for ${business.name})` : null}
      </p>
      {mayAct && personId ? (
        <>
          <p className="mt3">
            <ButtonLink
              kind="out"
              size="s"
              icon="user"
              to={foundRecordPath({ kind: 'person', id: personId }, access)}
            >
              Warn or suspend {name}
            </ButtonLink>
          </p>
          <p className="sm mute mt1">
            {side === 'worker'
              ? 'This affects only their account.'
              : `This affects only this person, wherever they hire or work. ${business.name} keeps hiring.`}
          </p>
        </>
      ) : null}
      {mayAct && side === 'business' ? (
        <>
          <p className="mt3">
            <ButtonLink
              kind="out"
              size="s"
              icon="storefront"
              to={foundRecordPath({ kind: 'business', id: business.id }, access)}
            >
              Warn or suspend {business.name}
            </ButtonLink>
          </p>
          <p className="sm mute mt1">
            Everyone who hires for it reads the statement of reasons. A suspension stops its hiring and hides
            its jobs.
          </p>
        </>
      ) : null}
    </FactsCard>
  );
}

function FrozenFacts({ frozen, caseRef }: Of<'frozen_chat'> & { caseRef: CaseRef }) {
  const when = useWhen();
  return (
    <>
      <FactsCard title="Conversation">
        <Facts
          rows={[
            ['Worker', frozen.worker.name],
            ['Business', frozen.business.name],
            ['Job', frozen.job.title],
            ['Frozen since', when(frozen.at)],
            ['Reason given to both', frozen.reason],
          ]}
        />
      </FactsCard>
      <FactsCard title="Why it was frozen">
        <ol className="c-words">
          {frozen.reports.map((report) => (
            <li key={report.id}>
              <p className="sm row g2 wrap">
                <span className="strong">
                  {report.by.name} ({report.by.side})
                </span>
                <span>{codeText(report.reason)}</span>
                <span className="mute">{when(report.at)}</span>
              </p>
              {report.note ? (
                <p className="pre-line break" dir="auto">
                  {report.note}
                </p>
              ) : null}
              <Link className="link hit sm" to={casePath({ kind: 'chat_report', subjectId: report.id })}>
                Open the case of this report
              </Link>
            </li>
          ))}
        </ol>
        <p className="sm mute mt3">The other side must not learn who reported.</p>
      </FactsCard>
      <ReportedMessages seq={frozen.seq} messages={frozen.messages} caseRef={caseRef} />
    </>
  );
}

/** The messages that a report is about, deleted text included. Opening the case is in the log, with its reason. */
function ReportedMessages({
  seq,
  messages,
  caseRef,
}: Pick<Of<'frozen_chat'>['frozen'], 'seq' | 'messages'> & { caseRef: CaseRef }) {
  return (
    <FactsCard title={seq === null ? 'The newest messages' : 'The message and what is around it'}>
      <ChatMessages messages={messages} reported={seq} caseRef={caseRef} />
    </FactsCard>
  );
}

function FlaggedFacts({ review, caseRef }: Of<'flagged_review'> & { caseRef: CaseRef }) {
  const when = useWhen();
  return (
    <>
      <FactsCard title="Review">
        <Facts
          rows={[
            ['Written by', `${review.author} (${review.side})`],
            [
              'Work',
              joined(
                review.work.title,
                review.work.startsAt &&
                  review.work.endsAt &&
                  formatSpan(review.work.startsAt, review.work.endsAt, review.work.timeZone),
              ),
            ],
            ['Worker', review.worker.name],
            ['Business', review.business.name],
            ['Stars', String(review.stars)],
            ['Words', review.body || 'None'],
            ['Reply', review.replyBody],
            ['Flagged for', review.words.join(', ')],
            ['Status', statusText('review', review.state)],
            ['Flagged', when(review.flaggedAt)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Chat around the work">
        <ChatAround caseRef={caseRef} />
      </FactsCard>
    </>
  );
}

const ratingText = (helpful: boolean): string => (helpful ? 'It helped' : 'It didn’t help');

/** A request with its messages. */
export function TicketFacts({ ticket, caseRef }: Pick<Of<'ticket'>, 'ticket'> & { caseRef: CaseRef }) {
  const when = useWhen();
  const { from } = ticket;
  return (
    <>
      <FactsCard title="Request">
        <Facts
          rows={[
            [
              'From',
              // Isolated, an Arabic name doesn't turn the line around.
              <span key="from">
                <bdi>{from.name || 'No name'}</bdi>, {from.email}
              </span>,
            ],
            ['Account', from.accountId === null ? 'None: a guest, answered by mail' : null],
            ['About', codeText(ticket.category)],
            ['Written on', ticket.page || null],
            ...ticket.refs
              // Records with a page are linked below.
              .filter(({ kind }) => foundKindOf(kind) === null)
              .map((ref): [string, string] => [`${codeText(ref.kind)} they named`, ref.id]),
            ['Merged with', ticket.merged.map((subject) => `“${subject}”`).join('\n')],
            ['Since', when(ticket.createdAt)],
            [
              'Closed before',
              // The newest closing of a solved request is its present state, which the row 'Now' shows.
              ticket.closings
                .slice(ticket.status === 'solved' ? 1 : 0)
                .map(({ by, at, helpful }) =>
                  joined(`${when(at)} by ${by ?? 'its author'}`, helpful !== null && ratingText(helpful)),
                )
                .join('\n'),
            ],
            [
              'Now',
              ticket.mergedInto === null
                ? statusText('ticket', ticket.status)
                : 'Merged into another request',
            ],
            [
              'Answers a question of',
              ticket.ofCase && (
                <Link key="case" className="link hit" to={casePath(ticket.ofCase)}>
                  {caseKindText[ticket.ofCase.kind].one}, No. {caseNumber(ticket.ofCase)}
                </Link>
              ),
            ],
            ['Rating', ticket.helpful === null ? null : ratingText(ticket.helpful)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Messages">
        <CaseTicketMessages messages={ticket.messages} name={from.name || from.email} caseRef={caseRef} />
      </FactsCard>
    </>
  );
}

/** Photos of documents are for the operator who decides (ADR 183). */
const closedCopies =
  'Only the operator of an appeal can open it after the decision, until it is deleted 30 days later.';

function CertificateFacts({
  certificate,
  caseRef,
}: Extract<CaseFacts, { kind: 'certificate' }> & { caseRef: CaseRef }) {
  const when = useWhen();
  const isClosed = use(ClosedAccess) !== null;
  const { account } = certificate;
  return (
    <>
      <FactsCard title="Certificate">
        <Facts
          rows={[
            ['Kind', codeText(certificate.kind)],
            ['Valid until, as they typed it', formatCalendarDay(certificate.expiresOn)],
            ['Name to compare', certificate.name],
            ['Name now', account.name === certificate.name ? null : account.name],
            ['Identity document', certificate.identityChecked ? 'Checked under this name' : 'Not checked'],
            ['Email', account.email],
            ['Account since', when(account.createdAt)],
            ['Sent', when(certificate.submittedAt)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Copy">
        {isClosed ? (
          <p className="sm mute">{closedCopies}</p>
        ) : (
          <>
            <CaseFiles files={[certificate.file]} caseRef={caseRef} />
            <p className="sm mute mt2">
              Only you can open it, while this case is yours. Each view is logged. Delete your own copy when
              you have decided.
            </p>
          </>
        )}
      </FactsCard>
      {isClosed ? null : (
        <FactsCard title="What to compare">
          <ul className="c-compare">
            <li>The name in the certificate is the name above.</li>
            <li>
              The last day in the certificate is the day above. Refuse another day; they can send it again.
            </li>
            <li>The issuer exists and gives this kind of certificate.</li>
          </ul>
        </FactsCard>
      )}
    </>
  );
}

function BusinessFacts({
  review,
  caseRef,
}: Pick<Of<'business_verification'>, 'review'> & { caseRef: CaseRef }) {
  const when = useWhen();
  const { domain } = review;
  return (
    <>
      <FactsCard title="Business">
        <Facts
          rows={[
            ['Name', review.name],
            ['Status', statusText('business', review.status)],
            ['Legal name', review.legalName],
            ['Registration number', review.registrationNumber || 'Not given'],
            [
              'Also used by',
              review.sameRegistration
                .map(({ name, status }) => `${name} (${statusText('business', status).toLowerCase()})`)
                .join('\n'),
            ],
            ['VAT ID', review.vatId || 'Not given'],
            ['Registered address', review.registeredAddress.join('\n') || 'Not given'],
            ['Country', countryName(review.countryCode)],
            ['Address', `${review.address}\n${review.area}`],
            ['Website', review.website],
            ['Domain', domain && domainText(domain, when)],
            ['Email', review.email],
            ['Phone', review.phone],
            ['Open jobs', String(review.openJobs)],
            ['Registered here', when(review.createdAt)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Documents">
        {review.documents.length === 0 ? <p className="mute">None.</p> : null}
        {review.documents.map(({ id, kind, file, addedAt }) => (
          <div key={id}>
            <CaseFiles files={[file]} caseRef={caseRef} />
            <p className="xs mute">
              {codeText(kind)}, added {when(addedAt)}
            </p>
          </div>
        ))}
      </FactsCard>
      <FactsCard title="Owners">
        <Facts
          rows={review.owners.map((owner): [string, string] => [
            owner.name || 'No name',
            `${owner.email}, phone number ${owner.phoneChecked ? 'checked' : 'not checked'}`,
          ])}
        />
      </FactsCard>
      <FactsCard title="History">
        <Facts
          rows={review.history.map((move): [string, string] => [
            when(move.at),
            `${businessMoveText(move.action)}${move.reason ? `\n${move.reason}` : ''}`,
          ])}
        />
      </FactsCard>
    </>
  );
}

type Domain = NonNullable<Extract<CaseFacts, { kind: 'business_verification' }>['review']['domain']>;

const domainText = ({ domain, checkedAt, method }: Domain, when: (at: string) => string): string =>
  checkedAt === null
    ? `${domain}, not checked`
    : `${domain}, checked ${when(checkedAt)} by ${method === 'dns' ? 'a DNS record' : 'a tag on its home page'}`;

type Check = Extract<CaseFacts, { kind: 'identity' }>['check'];

function IdentityFacts({ check, caseRef }: { check: Check; caseRef: CaseRef }) {
  const when = useWhen();
  const { account } = check;
  return (
    <>
      <FactsCard title="Person">
        <Facts
          rows={[
            ['Name to compare', check.name],
            ['Name now', account.name === check.name ? null : account.name],
            ['Document', codeText(check.document)],
            ['Email', account.email],
            ['Account since', when(account.createdAt)],
            ['Sent', when(check.submittedAt)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Photos">
        <IdentityPhotos key={check.checkId} photos={check.photos} caseRef={caseRef} />
      </FactsCard>
      <FactsCard title="What to compare">
        <ul className="c-compare">
          <li>The face in the selfie is the face in the document.</li>
          <li>The name in the document is the name above.</li>
          <li>
            The document is valid today, and is the document itself: no copy, no screen, no edited text.
          </li>
          <li>They are {moneyLimits.identityAgeMin} or older.</li>
        </ul>
      </FactsCard>
      {check.earlier.length > 0 ? (
        <FactsCard title="Sent before">
          <Facts
            rows={check.earlier.map((document): [string, string] => [
              when(document.submittedAt),
              `${codeText(document.document)}, ${statusText('document', document.status).toLowerCase()}${document.reason ? `\n${document.reason}` : ''}`,
            ])}
          />
        </FactsCard>
      ) : null}
    </>
  );
}

/** Photos are fetched on request because each view is logged. They are dropped with the page. */
function IdentityPhotos({
  photos,
  caseRef: { kind, subjectId },
}: {
  photos: Check['photos'];
  caseRef: CaseRef;
}) {
  const [openPhotos, setOpenPhotos] = useState<(ViewedFile & { address: string })[]>([]);
  const [viewed, setViewed] = useState<ViewedFile | null>(null);
  const isClosed = use(ClosedAccess) !== null;
  const action = useAction();
  useEffect(
    () => () => {
      for (const { address } of openPhotos) URL.revokeObjectURL(address);
    },
    [openPhotos],
  );
  const show = async () => {
    const files = await Promise.all(
      photos.map(async ({ side, file }) => ({
        name: codeText(side),
        mediaType: file.mediaType,
        blob: await readFile(file.path, { case: { kind, subjectId } }),
      })),
    );
    setOpenPhotos(files.map((file) => ({ ...file, address: URL.createObjectURL(file.blob) })));
  };
  if (isClosed) return <p className="sm mute">{closedCopies}</p>;
  if (photos.length === 0)
    return <p className="sm mute">Deleted. If you reverse the decision, they send new ones.</p>;
  if (openPhotos.length > 0)
    return (
      <>
        <div className="c-photos">
          {openPhotos.map((photo) => (
            <figure key={photo.name}>
              <button type="button" aria-label={`Zoom: ${photo.name}`} onClick={() => setViewed(photo)}>
                <img src={photo.address} alt="" />
              </button>
              <figcaption className="sm mute">{photo.name}. Press it to zoom.</figcaption>
            </figure>
          ))}
        </div>
        <FileViewer file={viewed} mayDownload={false} onClose={() => setViewed(null)} />
      </>
    );
  return (
    <div className="col g3">
      <p className="sm mute">
        {photos.length} photos. Only you can open them, while this case is yours. Each view is logged.
      </p>
      <Refused text={action.refusal} />
      <Button kind="out" icon="image" busy={action.busy} onClick={() => void action.run(show)}>
        Show the photos
      </Button>
    </div>
  );
}
