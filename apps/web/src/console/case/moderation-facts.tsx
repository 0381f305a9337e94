import type { StaffAppeal } from '@nearhand/contract/trust/appeals';
import type { JobReview } from '@nearhand/contract/trust/job-reviews';
import type { FullReportCase } from '@nearhand/contract/trust/reports';
import type { Sanction } from '@nearhand/contract/trust/sanctions';
import { formatMoney } from '../../lib/words/format.ts';
import { plainWords } from '../queue/case-words.ts';
import type { CaseRef } from '../queue/cases-api.ts';
import { CaseFiles } from './case-messages.tsx';
import { useWhen } from './case-zone.ts';
import { Facts, FactsCard } from './facts-card.tsx';

export function ReportedFacts({ reported, caseRef }: { reported: FullReportCase; caseRef: CaseRef }) {
  const when = useWhen();
  const { subject, reports, earlier } = reported;
  return (
    <>
      <FactsCard title={`Reported: ${subject.kind}`}>
        <Facts
          rows={[
            [subject.kind === 'review' ? 'About or by' : 'Name', subject.name],
            ['Business', subject.kind === 'job' ? reported.business?.name : null],
            ['Written by', reported.author],
            ['Status', subject.status ? plainWords(subject.status) : null],
            ['Text', subject.text || 'None'],
          ]}
        />
      </FactsCard>
      <FactsCard title={`Reports: ${reported.reporters}`}>
        <ol className="c-words">
          {reports.map((report) => (
            <li key={report.id}>
              <p className="sm row g2 wrap">
                <span className="strong">{report.by.name}</span>
                <span>{plainWords(report.reason)}</span>
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
        <p className="sm mute mt3">The other side must not learn who reported. Don't copy their words.</p>
      </FactsCard>
      {earlier.length > 0 ? (
        <FactsCard title="Earlier decisions">
          <Facts rows={earlier.map((sanction) => [when(sanction.decidedAt), summary(sanction)])} />
        </FactsCard>
      ) : null}
    </>
  );
}

const payUnits: Record<JobReview['payUnit'], string> = {
  hour: 'per hour',
  day: 'per day',
  week: 'per week',
  month: 'per month',
  year: 'per year',
  fixed: 'in all',
};

const summary = ({ measure, ending, facts }: Sanction): string =>
  `${plainWords(measure)}${ending ? `, ${ending}` : ''}: ${facts}`;

export function JobReviewFacts({ review }: { review: JobReview }) {
  const when = useWhen();
  const pay =
    review.payMinor === null
      ? null
      : `${formatMoney(review.payMinor, review.currency)} ${payUnits[review.payUnit]}`;
  return (
    <>
      <FactsCard title="What the check found">
        <Facts rows={review.found.map(({ rule, evidence }) => [plainWords(rule), evidence])} />
      </FactsCard>
      <FactsCard title="Job">
        <Facts
          rows={[
            ['Title', review.title],
            ['Business', `${review.business.name} (${plainWords(review.business.status)})`],
            ['Category', plainWords(review.category)],
            ['Pay', pay],
            ['Why it pays below the minimum wage', review.payReason],
            ['Why it is so short', review.shortReason],
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
          <Facts rows={review.earlier.map((sanction) => [when(sanction.decidedAt), summary(sanction)])} />
        </FactsCard>
      ) : null}
    </>
  );
}

export function AppealFacts({ appeal }: { appeal: StaffAppeal }) {
  const when = useWhen();
  const { sanction } = appeal;
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
      <FactsCard title="The decision">
        <Facts
          rows={[
            ['Measure', plainWords(sanction.measure)],
            ['About', sanction.target.name],
            ['Business', sanction.target.kind === 'business' ? null : sanction.business?.name],
            ['From', sanction.scope ? plainWords(sanction.scope) : null],
            ['Rule', plainWords(sanction.rule)],
            ['Facts', sanction.facts],
            ['Came from', plainWords(sanction.source)],
            ['Decided', when(sanction.decidedAt)],
            ['Ends', sanction.endsAt ? when(sanction.endsAt) : null],
            ['Ended', sanction.endedAt ? when(sanction.endedAt) : null],
          ]}
        />
      </FactsCard>
    </>
  );
}
