import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import type { StoredFile } from '@nearhand/contract/people/files';
import { useState } from 'react';
import { useDoubleClickGuard } from '../../lib/forms/guard-double-click.ts';
import { saveStoredFile } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatBytes, formatDayTime, ownTimeZone } from '../../lib/words/format.ts';
import { rejectReasonText } from '../../lib/words/reject-reason.labels.ts';
import { MessageLink } from '../../talk/conversations/message-link.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { MatchPoints } from '../matching/match-list.tsx';
import { HowWeRank } from '../matching/rank-sheet.tsx';
import { NotesSection } from '../pipeline/notes-section.tsx';
import { useAddNote, useDeleteNote, useNotes, useSetTags, useTags } from '../pipeline/pipeline.api.ts';
import { TagsSection } from '../pipeline/tags-section.tsx';
import { answerText, applicantName, applicantStatusText } from './applicant.labels.ts';
import { ApplicantState } from './applicant-state.tsx';
import { useSeriesOf } from './applicants.api.ts';
import { CardMenu } from './card-menu.tsx';
import { SeriesDecision } from './series-decision.tsx';
import { type DropMove, mainMove, moveText } from './stage.labels.ts';

type ApplicantBodyProps = {
  applicant: Applicant;
  businessId: string | undefined;
  zone: string;
  onMove: (applicant: Applicant, move: DropMove) => void;
};

export function ApplicantBody({ applicant, businessId, zone, onMove }: ApplicantBodyProps) {
  const { t } = useLingui();
  const series = useSeriesOf(applicant);
  return (
    <div className="applicant-parts">
      <ApplicantState applicant={applicant} zone={zone} />
      {series.length > 0 ? (
        <SeriesDecision applications={series} businessId={businessId} />
      ) : (
        <ApplicantActions applicant={applicant} onMove={onMove} />
      )}
      <ApplicantDetail applicant={applicant} />
      {applicant.engagementId ? null : (
        <section>
          <div className="row">
            <h3 className="h-s grow">{t`Match`}</h3>
            <HowWeRank />
          </div>
          <MatchPoints match={applicant.match} score={applicant.matchScore} timeZone={applicant.timeZone} />
        </section>
      )}
      <ApplicantTags applicant={applicant} businessId={businessId} />
      <ApplicantNotes applicationId={applicant.id} />
    </div>
  );
}

export function ApplicantNotes({ applicationId }: { applicationId: string }) {
  const query = useNotes(applicationId);
  const add = useAddNote();
  const remove = useDeleteNote();
  return (
    <NotesSection
      draftKey={`note ${applicationId}`}
      query={query}
      onAdd={(text) => add.mutateAsync({ applicationId, text })}
      remove={{ run: (noteId) => remove.mutateAsync({ noteId }), busy: remove.isPending }}
    />
  );
}

function ApplicantTags({ applicant, businessId }: { applicant: Applicant; businessId: string | undefined }) {
  const used = useTags(businessId);
  const save = useSetTags();
  return (
    <TagsSection
      // The submitted tags stay until the record is refetched.
      tags={save.isPending ? save.variables.tags : applicant.tags}
      used={(used.data ?? []).map(({ tag }) => tag)}
      error={save.error}
      onSet={(tags) => save.mutate({ applicationId: applicant.id, tags })}
    />
  );
}

/** Moves shown next to the main action, likeliest first. Back to New is in the menu. */
const secondaryMoves: readonly DropMove[] = ['propose-interview', 'offer', 'shortlist', 'reject'];

export function ApplicantActions({
  applicant,
  onMove,
}: {
  applicant: Applicant;
  onMove: (applicant: Applicant, move: DropMove) => void;
}) {
  const { t } = useLingui();
  const [menu, setMenu] = useState(false);
  const main = mainMove(applicant);
  const otherActions = secondaryMoves.filter((move) => move !== main && applicant.actions.includes(move));
  const menuActions = applicant.actions.includes('unshortlist');
  const guardClick = useDoubleClickGuard(applicant.id, `${main} ${otherActions}`);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields, not for buttons.
    <div className="row wrap g2" role="group" aria-label={t`Actions`} onClickCapture={guardClick}>
      {main ? (
        <Button
          kind={main === 'offer' ? 'go' : 'ink'}
          size="s"
          needsNetwork
          onClick={() => onMove(applicant, main)}
        >
          {moveText(main)}
        </Button>
      ) : null}
      {otherActions.map((move) => (
        <Button
          key={move}
          kind={move === 'reject' ? 'bad' : 'out'}
          size="s"
          needsNetwork
          onClick={() => onMove(applicant, move)}
        >
          {moveText(move)}
        </Button>
      ))}
      <MessageLink jobId={applicant.jobId} workerId={applicant.worker.workerId} />
      {menuActions ? (
        <IconButton
          icon="dots-three"
          label={t`Actions for ${applicantName(applicant)}`}
          aria-haspopup="dialog"
          onClick={() => setMenu(true)}
        />
      ) : null}
      <CardMenu
        applicant={menu ? applicant : null}
        checked={false}
        onClose={() => setMenu(false)}
        onMove={onMove}
      />
    </div>
  );
}

function ApplicantDetail({ applicant }: { applicant: Applicant }) {
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
                <dd className="mid pre-line">{answerText(question, applicant.answers) ?? t`Not answered`}</dd>
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
                {step.status === 'submitted' ? t`Applied` : applicantStatusText(step.status).label}
                {step.rejectReason ? (
                  <span className="sm mute block">{rejectReasonText(step.rejectReason).label}</span>
                ) : null}
                {step.reason ? <span className="sm mute block pre-line">{step.reason}</span> : null}
              </span>
              <time className="sm mute num" dateTime={step.at}>
                {formatDayTime(step.at, ownTimeZone())}
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
  const save = useAction();
  return (
    <div className="col g3 mt2">
      <Button
        kind="out"
        icon={file.mediaType === 'application/pdf' ? 'file-pdf' : 'file-doc'}
        busy={save.busy}
        className="cv-button"
        onClick={() => void save.run(() => saveStoredFile(file))}
      >
        <span className="clip">{t`Save ${file.name}`}</span>
        <span className="xs mute nowrap">{formatBytes(file.bytes)}</span>
      </Button>
      <Refused text={save.refusal} />
    </div>
  );
}
