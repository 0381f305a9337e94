import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { StoredFile } from '@nearhand/contract/people/files';
import { useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';
import { formatBytes, formatDayTime } from '../../lib/words/format.ts';
import { rejectReasonWords } from '../../lib/words/reject-reason-text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { answerWords, applicantStatusWords } from './applicant.words.ts';

/** What a worker submitted for one job, and what happened with it. */
export function ApplicantDetail({ applicant }: { applicant: Applicant }) {
  const { t } = useLingui();
  return (
    <div className="applicant-parts">
      <section>
        <h3 className="h-s">{t`Cover note`}</h3>
        {applicant.coverNote ? (
          <p className="pre-line mt2">{applicant.coverNote}</p>
        ) : (
          <p className="mute mt2">{t`No cover note.`}</p>
        )}
      </section>
      {applicant.questions.length > 0 ? (
        <section>
          <h3 className="h-s">{t`Their answers`}</h3>
          <dl className="answers mt2">
            {applicant.questions.map((question) => (
              <div key={question.id}>
                <dt dir="auto" className="sm mute">
                  {question.prompt}
                </dt>
                <dd className="mid pre-line">
                  {answerWords(question, applicant.answers) ?? t`Not answered`}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ) : null}
      <section>
        <h3 className="h-s">{t`CV`}</h3>
        {applicant.cv ? <CvFile file={applicant.cv} /> : <p className="mute mt2">{t`No CV attached.`}</p>}
      </section>
      <section>
        <h3 className="h-s">{t`Timeline`}</h3>
        <ol className="so-far mt2">
          {applicant.steps.map((step) => (
            <li key={`${step.status}${step.at}`} className="row base">
              <span className="grow">
                {step.status === 'submitted' ? t`Applied` : applicantStatusWords(step.status).label}
                {step.rejectReason ? (
                  <span className="sm mute block">{rejectReasonWords(step.rejectReason).label}</span>
                ) : null}
                {step.reason ? <span className="sm mute block pre-line">{step.reason}</span> : null}
              </span>
              <time className="sm mute num" dateTime={step.at}>
                {formatDayTime(step.at, applicant.timeZone)}
              </time>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}

function CvFile({ file }: { file: StoredFile }) {
  const { t } = useLingui();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const save = async () => {
    setBusy(true);
    setError(null);
    try {
      await saveStoredFile(file);
    } catch (failure) {
      setError(errorText(failure));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="mt2">
      <Button
        kind="out"
        icon={file.mediaType === 'application/pdf' ? 'file-pdf' : 'file-doc'}
        busy={busy}
        className="cv-button"
        onClick={() => void save()}
      >
        <span className="clip">{t`Save ${file.name}`}</span>
        <span className="xs mute nowrap">{formatBytes(file.bytes)}</span>
      </Button>
      {error ? (
        <div className="mt3">
          <Banner tone="bad" icon="warning-circle" live>
            {error}
          </Banner>
        </div>
      ) : null}
    </div>
  );
}
