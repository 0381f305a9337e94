import { useLingui } from '@lingui/react/macro';
import type { Applicant } from '@nearhand/contract/hiring/applicants';
import { MatchPoints } from '../matching/match-list.part.tsx';
import { HowWeRank } from '../matching/rank-sheet.part.tsx';
import { ApplicantNotes } from '../pipeline/applicant-notes.part.tsx';
import { ApplicantTags } from '../pipeline/applicant-tags.part.tsx';
import { ApplicantActions } from './applicant-actions.tsx';
import { ApplicantDetail } from './applicant-detail.tsx';
import { ApplicantState } from './applicant-state.tsx';
import type { DropMove } from './stage.words.ts';

type ApplicantBodyProps = {
  applicant: Applicant;
  businessId: string | undefined;
  zone: string;
  onMove: (applicant: Applicant, move: DropMove) => void;
};

/** Everything about one application, below the name: the same on a desktop's panel and a phone's page. */
export function ApplicantBody({ applicant, businessId, zone, onMove }: ApplicantBodyProps) {
  const { t } = useLingui();
  return (
    <div className="applicant-parts">
      <ApplicantState applicant={applicant} zone={zone} />
      <ApplicantActions applicant={applicant} onMove={onMove} />
      <ApplicantDetail applicant={applicant} />
      <section>
        <div className="row">
          <h3 className="h-s grow">{t`Match`}</h3>
          <HowWeRank />
        </div>
        <MatchPoints match={applicant.match} score={applicant.matchScore} timeZone={applicant.timeZone} />
      </section>
      <ApplicantTags applicant={applicant} businessId={businessId} />
      <ApplicantNotes applicationId={applicant.id} />
    </div>
  );
}
