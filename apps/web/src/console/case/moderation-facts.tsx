import { type OptionalText, optionalTextNames } from '@nearhand/contract/hiring/jobs.rules';
import { textFor } from '@nearhand/contract/texts-by-language';
import type { StaffAppeal } from '@nearhand/contract/trust/appeals';
import type { JobReview } from '@nearhand/contract/trust/job-reviews';
import type { FullReportCase } from '@nearhand/contract/trust/reports';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import type { ReactNode } from 'react';
import { fieldName } from '../../lib/api/issue.labels.ts';
import { formatCalendarDay, formatMoney, formatSpan, joined } from '../../lib/words/format.ts';
import { Link } from '../../ui/controls/link.tsx';
import {
  caseKindText,
  casePath,
  codeText,
  countryName,
  findingText,
  measureText,
  ruleName,
  sanctionTargetText,
  sentenceAround,
  sourceName,
  statusText,
} from '../queue/case.labels.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { CaseFiles, ChatAround, ChatMessages } from './case-messages.tsx';
import { useWhen } from './case-zone.ts';
import { plannedEnd } from './decisions.ts';
import { Facts, FactsCard } from './facts-card.tsx';

export function ReportedFacts({ reported, caseRef }: { reported: FullReportCase; caseRef: CaseRef }) {
  const when = useWhen();
  const { subject, reports, contested, earlier, work, job, company } = reported;
  const author = authorOf(reported);
  return (
    <>
      <FactsCard title={`Reported: ${subject.kind}`}>
        <Facts
          rows={[
            ['Name', subject.kind === 'review' ? null : subject.name],
            ['Business', subject.kind === 'job' ? reported.business?.name : null],
            ['Written by', author && `${author.name} (${reported.author})`],
            [
              'About',
              reported.author === 'worker' ? reported.business?.name : author && reported.worker?.name,
            ],
            [work?.engagementId === null ? 'They wrote about' : 'Work', work && workText(work)],
            [
              'Status',
              subject.kind === 'worker' || company
                ? null
                : subject.status && statusText(subject.kind, subject.status),
            ],
            ['Pay', job && payText(job)],
            ['Starts', job?.startsAt && when(job.startsAt)],
            ['Ends', job?.endsAt && when(job.endsAt)],
            ['Place', job?.area],
            ['Spots', job && `${job.hiredCount} of ${job.headCount} filled`],
            ['Text', subject.text || 'None'],
          ]}
        />
      </FactsCard>
      {work ? (
        <FactsCard title={work.engagementId === null ? 'Their chat' : 'Chat around the work'}>
          <ChatAround caseRef={caseRef} />
        </FactsCard>
      ) : null}
      {company ? (
        <FactsCard title="The business">
          <Facts
            rows={[
              ['Legal name', company.legalName],
              ['Registration number', company.registrationNumber || 'Not given'],
              ['Country', countryName(company.countryCode)],
              ['Owners', company.owners.join(', ')],
              ['Status', statusText('business', company.status)],
              ['Open jobs', String(company.openJobs)],
              ['Registered here', when(company.createdAt)],
            ]}
          />
        </FactsCard>
      ) : null}
      <FactsCard
        title={
          contested ? `Who contests the dismissal: ${reported.reporters}` : `Reports: ${reported.reporters}`
        }
      >
        <ReportWords reports={reports} caseRef={caseRef} />
        <p className="sm mute mt3">The other side must not learn who reported. Don't copy their words.</p>
      </FactsCard>
      {contested ? (
        <ContestedDismissal kind="report" dismissal={contested}>
          <div className="mt3">
            <ReportWords reports={contested.reports} caseRef={caseRef} />
          </div>
        </ContestedDismissal>
      ) : null}
      {earlier.length > 0 ? (
        <FactsCard title="Earlier decisions">
          <Facts rows={earlier.map((sanction) => [when(sanction.decidedAt), sanctionSummary(sanction)])} />
        </FactsCard>
      ) : null}
    </>
  );
}

function ReportWords({ reports, caseRef }: { reports: FullReportCase['reports']; caseRef: CaseRef }) {
  const when = useWhen();
  return (
    <ol className="c-words">
      {reports.map((report) => (
        <li key={report.id}>
          <p className="sm row g2 wrap">
            <span className="strong">{report.by.name}</span>
            <span>{codeText(report.reason)}</span>
            <span className="mute">{when(report.at)}</span>
          </p>
          {report.note ? (
            <p className="pre-line break" dir="auto">
              {report.note}
            </p>
          ) : null}
          <CaseFiles files={report.files} caseRef={caseRef} />
        </li>
      ))}
    </ol>
  );
}

/** The dismissal that a reporter contests. The closed case has its notes and questions. */
export function ContestedDismissal({
  kind,
  dismissal,
  children,
}: {
  kind: 'report' | 'chat_report';
  dismissal: Omit<NonNullable<FullReportCase['contested']>, 'reports'>;
  children: ReactNode;
}) {
  const when = useWhen();
  return (
    <FactsCard title="The dismissal">
      <Facts
        rows={[
          ['Decided by', dismissal.by],
          ['When', when(dismissal.decidedAt)],
          ['Answer', dismissal.answer],
        ]}
      />
      {children}
      <p className="mt3">
        <Link className="link hit" to={casePath({ kind, subjectId: dismissal.caseId })}>
          Open the first case
        </Link>
      </p>
    </FactsCard>
  );
}

const workText = ({ title, startsAt, endsAt, timeZone }: NonNullable<FullReportCase['work']>): string =>
  joined(title, startsAt && endsAt && formatSpan(startsAt, endsAt, timeZone));

/** The side that wrote a reported review, which a warning goes to. */
export const authorOf = ({ author, worker, business }: FullReportCase) =>
  author === null ? null : author === 'worker' ? worker : business;

const payUnits: Record<JobReview['payUnit'], string> = {
  hour: 'per hour',
  day: 'per day',
  week: 'per week',
  month: 'per month',
  year: 'per year',
  fixed: 'in all',
};

const textNames: Partial<Record<OptionalText, string>> = {
  payReason: 'Why it pays below the minimum wage',
  shortReason: 'Why it is so short',
};

const payText = ({
  payMinor,
  payUnit,
  currency,
}: Pick<JobReview, 'payMinor' | 'payUnit' | 'currency'>): string | null =>
  payMinor === null ? null : `${formatMoney(payMinor, currency)} ${payUnits[payUnit]}`;

/** A decision in one line: its measure, its ending and its facts. */
export const sanctionSummary = ({ measure, ending, facts }: Sanction): string =>
  `${measureText(measure)}${ending ? `, ${ending}` : ''}: ${textFor(facts, 'en')}`;

export function JobReviewFacts({ review }: { review: JobReview }) {
  const when = useWhen();
  return (
    <>
      <FactsCard title="What the check found">
        <Facts
          rows={review.found.map(({ rule, evidence }) => [
            findingText(rule),
            sentenceAround(`${review.title}\n${review.description}`, evidence),
          ])}
        />
      </FactsCard>
      <FactsCard title="Job">
        <Facts
          rows={[
            ['Title', review.title],
            [
              'Business',
              `${review.business.name} (${statusText('business', review.business.status).toLowerCase()})`,
            ],
            ['Category', codeText(review.category)],
            ['Pay', payText(review)],
            ...optionalTextNames.map(
              (name) => [textNames[name] ?? fieldName(name) ?? name, review[name]] as const,
            ),
            ['Starts', review.startsAt && when(review.startsAt)],
            ['Ends', review.endsAt && when(review.endsAt)],
            ['Spots', review.headCount === null ? null : String(review.headCount)],
            ['Place', review.area],
            ['Text', review.description || 'None'],
            ['Requirements', review.requirements.join(', ') || null],
            ['Seen by workers', review.wasPublic ? 'Yes, before it changed' : 'Never'],
            ['In review since', when(review.at)],
          ]}
        />
      </FactsCard>
      {review.earlier.length > 0 ? (
        <FactsCard title="Earlier decisions">
          <Facts
            rows={review.earlier.map((sanction) => [when(sanction.decidedAt), sanctionSummary(sanction)])}
          />
        </FactsCard>
      ) : null}
    </>
  );
}

/** An appeal with the decision and what it was based on; `children` show a refused withdrawal or business. */
export function AppealFacts({
  appeal,
  caseRef,
  children,
}: {
  appeal: StaffAppeal;
  caseRef: CaseRef;
  children: ReactNode;
}) {
  const when = useWhen();
  const { evidence } = appeal;
  return (
    <>
      <FactsCard title="Appeal">
        <Facts
          rows={[
            ['By', appeal.by.name],
            ['When', when(appeal.at)],
            ['Words', appeal.words],
          ]}
        />
      </FactsCard>
      <AppealedDecision appeal={appeal} />
      {children}
      <Evidence evidence={evidence} caseRef={caseRef} />
    </>
  );
}

function AppealedDecision({ appeal }: { appeal: StaffAppeal }) {
  const when = useWhen();
  const { sanction } = appeal;
  return (
    <FactsCard title="The decision">
      <Facts
        rows={[
          ['Measure', measureText(sanction.measure)],
          ['About', sanctionTargetText(sanction)],
          ['Business', sanction.target.kind === 'business' ? null : sanction.business?.name],
          ['From', sanction.scope ? codeText(sanction.scope) : null],
          ['Rule', ruleName[sanction.rule]],
          ['Facts', sanction.facts],
          [
            'Came from',
            sanction.source === 'staff' && appeal.fromCase
              ? `A case: ${caseKindText[appeal.fromCase.kind].one.toLowerCase()}`
              : sourceName[sanction.source],
          ],
          ['Decided by', appeal.decider],
          ['Decided', when(sanction.decidedAt)],
          ['Ends', plannedEnd(sanction, when)],
          ['Ended', sanction.endedAt ? when(sanction.endedAt) : null],
        ]}
      />
      {appeal.fromCase ? (
        <p className="mt3">
          <Link className="link hit" to={casePath(appeal.fromCase)}>
            Open the case that it came from
          </Link>
        </p>
      ) : null}
    </FactsCard>
  );
}

/** The material that the appealed decision was based on. */
function Evidence({ evidence, caseRef }: { evidence: StaffAppeal['evidence']; caseRef: CaseRef }) {
  const when = useWhen();
  return (
    <>
      {evidence.certificate ? (
        <CertificateFacts certificate={evidence.certificate} caseRef={caseRef} />
      ) : null}
      {evidence.text === null ? null : (
        <FactsCard title="What it was about">
          <p className="pre-line break" dir="auto">
            {evidence.text}
          </p>
        </FactsCard>
      )}
      {evidence.work ? (
        <FactsCard title={evidence.work.engagementId === null ? 'Their chat' : 'Chat around the work'}>
          <p className="mb3">{workText(evidence.work)}</p>
          <ChatAround caseRef={caseRef} />
        </FactsCard>
      ) : null}
      {evidence.messages.length > 0 ? (
        <FactsCard
          title={evidence.seq === null ? 'The newest messages' : 'The message and what is around it'}
        >
          <ChatMessages messages={evidence.messages} reported={evidence.seq} caseRef={caseRef} />
        </FactsCard>
      ) : null}
      {evidence.findings.length > 0 ? (
        <FactsCard title="What the check found">
          <Facts
            rows={evidence.findings.map(({ rule, evidence: words }) => [
              findingText(rule),
              sentenceAround(evidence.text ?? '', words),
            ])}
          />
        </FactsCard>
      ) : null}
      {evidence.reports.length > 0 ? (
        <FactsCard title="What was reported">
          <Facts
            rows={evidence.reports.map(({ reason, note, at }) => [when(at), joined(codeText(reason), note)])}
          />
        </FactsCard>
      ) : null}
      {evidence.others.length > 0 ? (
        <FactsCard title="Other decisions about them">
          <Facts rows={evidence.others.map((other) => [when(other.decidedAt), sanctionSummary(other)])} />
        </FactsCard>
      ) : null}
      {evidence.notes.length > 0 ? (
        <FactsCard title="Notes in the case">
          <Facts rows={evidence.notes.map(({ by, body, at }) => [`${by}, ${when(at)}`, body])} />
        </FactsCard>
      ) : null}
    </>
  );
}

type AppealedCertificate = NonNullable<StaffAppeal['evidence']['certificate']>;

function CertificateFacts({ certificate, caseRef }: { certificate: AppealedCertificate; caseRef: CaseRef }) {
  const when = useWhen();
  return (
    <FactsCard title="The certificate">
      <Facts
        rows={[
          ['Valid until, as they typed it', formatCalendarDay(certificate.expiresOn)],
          ['Name to compare', certificate.name],
          ['Identity document', certificate.identityChecked ? 'Checked under this name' : 'Not checked'],
          ['Sent', when(certificate.submittedAt)],
          ['Copy', certificate.file ? null : 'Deleted. If you reverse the decision, they send another one.'],
        ]}
      />
      <CaseFiles files={certificate.file ? [certificate.file] : []} caseRef={caseRef} />
    </FactsCard>
  );
}
