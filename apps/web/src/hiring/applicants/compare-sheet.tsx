import { Plural, useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { ReactNode } from 'react';
import { formatDistance, joined } from '../../lib/words/format.ts';
import { ratingWords } from '../../lib/words/rating-words.ts';
import { skillText } from '../../lib/words/taxonomy-text.ts';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { matchWords } from '../matching/match.words.ts';
import { answerWords, applicantName } from './applicant.words.ts';
import { Face, Tags } from './card-facts.part.tsx';
import { stageWords } from './stage.words.ts';
import { availabilityWords, languageWords } from './worker-words.ts';

/** Compares up to four applicants, one fact per row. */
export function CompareSheet({
  applicants,
  onClose,
}: {
  applicants: readonly Applicant[];
  onClose: () => void;
}) {
  const { t } = useLingui();
  const none = <span className="mute">{t`Not set`}</span>;
  const reason = (kind: string) => (one: Applicant) => {
    const found = one.match.find((part) => part.kind === kind);
    return (found && matchWords(found, one.timeZone)) ?? (kind === 'history' ? t`Not yet` : none);
  };
  const questions = [
    ...new Map(
      applicants.flatMap((one) => one.questions).map((question) => [question.id, question]),
    ).values(),
  ];
  const rows: { head: string; cell: (applicant: Applicant) => ReactNode }[] = [
    { head: t`Match`, cell: (one) => <b className="num">{t`${one.matchScore} of 100`}</b> },
    { head: t`Stage`, cell: (one) => stageWords(one.stage) },
    {
      head: t`Distance`,
      cell: (one) =>
        one.distanceM === null
          ? none
          : t`about ${formatDistance(Math.max(500, one.distanceM), one.timeZone)}`,
    },
    { head: t`Reviews`, cell: (one) => ratingWords(one.worker.rating) ?? none },
    { head: t`Reliability`, cell: reason('reliability') },
    { head: t`Worked for you before`, cell: reason('history') },
    { head: t`During the job`, cell: reason('availability') },
    {
      head: t`Skills`,
      cell: (one) =>
        one.worker.skills.length === 0 ? (
          none
        ) : (
          <ul>
            {one.worker.skills.map(({ skill, years }) => (
              <li key={skill}>
                {skillText(skill)}
                {years > 0 ? (
                  <span className="mute">
                    {' '}
                    <Plural value={years} one="# year" other="# years" />
                  </span>
                ) : null}
              </li>
            ))}
          </ul>
        ),
    },
    {
      head: t`Languages`,
      cell: (one) =>
        one.worker.languages.length === 0 ? none : joined(...one.worker.languages.map(languageWords)),
    },
    {
      head: t`Usually free`,
      cell: (one) => {
        const free = availabilityWords(one.worker.availability);
        return free.length === 0 ? none : free.map(({ day, parts }) => `${day}: ${parts}`).join('; ');
      },
    },
    ...questions.map((question) => ({
      head: question.prompt,
      cell: (one: Applicant) => answerWords(question, one.answers) ?? none,
    })),
    {
      head: t`Cover note`,
      cell: (one) => (one.coverNote ? <span className="pre-line">{one.coverNote}</span> : none),
    },
    { head: t`Tags`, cell: (one) => (one.tags.length === 0 ? none : <Tags tags={one.tags} />) },
  ];
  return (
    <div className="wide-sheet">
      <Sheet open={applicants.length > 0} onClose={onClose} title={t`Compare`}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys. */}
        <section className="table-scroll" aria-label={t`Compare`} tabIndex={0}>
          <table className="compare">
            <thead>
              <tr>
                <td />
                {applicants.map((one) => (
                  <th key={one.id} scope="col">
                    <Face applicant={one} />
                    <span className="block mt1">{applicantName(one)}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ head, cell }) => (
                <tr key={head}>
                  <th scope="row">{head}</th>
                  {applicants.map((one) => (
                    <td key={one.id}>{cell(one)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </Sheet>
    </div>
  );
}
