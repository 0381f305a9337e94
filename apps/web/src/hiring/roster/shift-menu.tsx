import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { applicantsPath, jobPath } from '@nearhand/contract/app-paths';
import { nextJobStatus } from '@nearhand/contract/hiring/jobs.rules';
import { useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatCalendarDay, formatTime, joined } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { DuplicateSheet } from '../jobs/duplicate-sheet.tsx';
import { jobActionIcons, useJobActions } from '../jobs/job-actions.ts';
import { CrewSheet } from '../rebook/crew-sheet.tsx';
import { MoveSheet } from './move-shift.tsx';
import { OfferToSheet } from './offer-to.tsx';
import { crewOf, type DayShift, hasSpotsToFill, isMovable, isPosted, mayOfferSpots } from './roster.rules.ts';

const draftMoves = ['publish', 'delete-draft'] as const;
const postedMoves = ['pause', 'reopen', 'close'] as const;

type MenuSheet = 'menu' | 'offer' | 'move' | 'copy' | 'crew';
type ShiftMenuProps = { shift: DayShift; businessId: string; onClose: () => void };

/** A recruiter's actions on a shift of the roster. Booked people are asked about changes to it (ADR 389). */
export function ShiftMenu({ shift, businessId, onClose }: ShiftMenuProps) {
  const { run } = useJobActions();
  const [sheet, setSheet] = useState<MenuSheet>('menu');
  const { jobId, title, day, startsAt, endsAt, timeZone } = shift;
  return (
    <>
      <Sheet open={sheet === 'menu'} onClose={onClose} title={title}>
        <p className="mute num">
          {joined(
            formatCalendarDay(day, { style: 'long' }),
            `${formatTime(startsAt, timeZone)}–${formatTime(endsAt, timeZone)}`,
          )}
        </p>
        <div className="mt2">
          <ShiftLinks shift={shift} onOffer={() => setSheet('offer')} />
          <ShiftCopies shift={shift} onSheet={setSheet} />
          <ShiftMoves shift={shift} onClose={onClose} />
        </div>
      </Sheet>
      <OfferToSheet shift={shift} businessId={businessId} open={sheet === 'offer'} onClose={onClose} />
      <MoveSheet shift={shift} businessId={businessId} open={sheet === 'move'} onClose={onClose} />
      <DuplicateSheet
        job={{ ...shift, id: jobId, businessId, branchId: shift.branch?.id ?? null }}
        open={sheet === 'copy'}
        onClose={onClose}
        run={run}
      />
      <CrewSheet
        crew={sheet === 'crew' ? { jobId, people: crewOf(shift) } : null}
        businessId={businessId}
        onClose={onClose}
      />
    </>
  );
}

const isUpcoming = ({ startsAt }: DayShift, now: Date): boolean => Date.parse(startsAt) > now.getTime();

/** The job, its applicants, and offers to people the business knows. */
function ShiftLinks({ shift, onOffer }: { shift: DayShift; onOffer: () => void }) {
  const { t } = useLingui();
  const now = useNow();
  const { jobId } = shift;
  const isDraft = shift.status === 'draft';
  return (
    <>
      {isPosted(shift) ? (
        <ListRow
          lead={<IconSign icon="users" />}
          title={t`Applicants`}
          note={t`See who applied and who is booked.`}
          to={applicantsPath(jobId, null)}
        />
      ) : null}
      {mayOfferSpots(shift, now) ? (
        <ListRow
          lead={<IconSign icon="hand-coins" />}
          title={t`Offer to people you know`}
          note={t`Choose from your pools and past workers.`}
          needsNetwork
          onClick={onOffer}
        />
      ) : null}
      {shift.asBlock && hasSpotsToFill(shift, now) ? (
        <p className="sm mute">
          {t`The dates of this job go together. Invite people, who then apply for all of them.`}
        </p>
      ) : null}
      {isDraft || isUpcoming(shift, now) ? (
        <ListRow
          lead={<IconSign icon="pencil-simple" />}
          title={isDraft ? t`Continue draft` : t`Edit`}
          note={isDraft ? t`Finish and publish it.` : t`Edit the description, hours, pay or location.`}
          to={isDraft ? `/create-job?job=${jobId}` : `/edit-job/${jobId}`}
        />
      ) : null}
      {isDraft ? null : <ListRow lead={<IconSign icon="eye" />} title={t`Open job`} to={jobPath(jobId)} />}
    </>
  );
}

/** Moving the shift, copying it, and booking its people again. */
function ShiftCopies({ shift, onSheet }: { shift: DayShift; onSheet: (sheet: MenuSheet) => void }) {
  const { t } = useLingui();
  const now = useNow();
  const people = crewOf(shift);
  return (
    <>
      {isMovable(shift, now) ? (
        <ListRow
          lead={<IconSign icon="calendar-blank" />}
          title={t`Move to another day`}
          note={
            people.length > 0
              ? t`${plural(people.length, { one: '# person is asked to agree.', other: '# people are asked to agree.' })}`
              : t`Or to other hours.`
          }
          needsNetwork
          onClick={() => onSheet('move')}
        />
      ) : null}
      <ListRow
        lead={<IconSign icon="copy" />}
        title={t`Copy to another day`}
        note={t`The people on it are not copied.`}
        needsNetwork
        onClick={() => onSheet('copy')}
      />
      {people.length > 0 ? (
        <ListRow
          lead={<IconSign icon="user-plus" />}
          title={t`Book the same crew`}
          note={joined(...people.map(({ name }) => name))}
          needsNetwork
          onClick={() => onSheet('crew')}
        />
      ) : null}
    </>
  );
}

/** Publishing or deleting a draft; pausing, reopening or closing a posted shift. */
function ShiftMoves({ shift, onClose }: { shift: DayShift; onClose: () => void }) {
  const { run, labels } = useJobActions();
  const now = useNow();
  const postedNow = postedMoves.filter((action) => {
    const next = nextJobStatus(shift.status, action, 'business');
    return next !== null && next !== shift.status && (action !== 'reopen' || isUpcoming(shift, now));
  });
  const runMove = async (action: (typeof draftMoves)[number] | (typeof postedMoves)[number]) => {
    onClose();
    try {
      const job = await api.jobs.get({ jobId: shift.jobId });
      await run(action, { ...job, applicants: shift.applicants });
      refetchChanged(['job']);
    } catch (error) {
      showToast(errorText(error));
    }
  };
  return (shift.status === 'draft' ? draftMoves : postedNow).map((action) => (
    <ListRow
      key={action}
      lead={<IconSign icon={jobActionIcons[action]} />}
      title={labels[action].label}
      note={labels[action].note}
      needsNetwork
      onClick={() => void runMove(action)}
    />
  ));
}
