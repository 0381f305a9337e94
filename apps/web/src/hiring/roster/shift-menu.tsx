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
import { crewOf, type DayShift, isMovable, isPosted, mayOfferSpots } from './roster.rules.ts';

const draftMoves = ['publish', 'delete-draft'] as const;
const postedMoves = ['pause', 'reopen', 'close'] as const;

/** A recruiter's actions on a shift of the roster. Booked people are asked about changes to it (ADR 389). */
export function ShiftMenu({
  shift,
  businessId,
  onClose,
}: {
  shift: DayShift;
  businessId: string;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const { run, labels } = useJobActions();
  const [sheet, setSheet] = useState<'menu' | 'offer' | 'move' | 'copy' | 'crew'>('menu');
  const { jobId, title, day, startsAt, endsAt, timeZone } = shift;
  const people = crewOf(shift);
  const isDraft = shift.status === 'draft';
  const now = useNow();
  const isUpcoming = Date.parse(startsAt) > now.getTime();
  const mayOffer = mayOfferSpots(shift, now);
  const moves = isDraft
    ? draftMoves
    : postedMoves.filter((action) => {
        const next = nextJobStatus(shift.status, action, 'business');
        return next !== null && next !== shift.status && (action !== 'reopen' || isUpcoming);
      });
  const runMove = async (action: (typeof draftMoves)[number] | (typeof postedMoves)[number]) => {
    onClose();
    try {
      const job = await api.jobs.get({ jobId });
      await run(action, { ...job, applicants: shift.applicants });
      refetchChanged(['job']);
    } catch (error) {
      showToast(errorText(error));
    }
  };
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
          {isPosted(shift) ? (
            <ListRow
              lead={<IconSign icon="users" />}
              title={t`Applicants`}
              note={t`See who applied and who is booked.`}
              to={applicantsPath(jobId, null)}
            />
          ) : null}
          {mayOffer ? (
            <ListRow
              lead={<IconSign icon="hand-coins" />}
              title={t`Offer to people you know`}
              note={t`Choose from your pools and past workers.`}
              needsNetwork
              onClick={() => setSheet('offer')}
            />
          ) : null}
          {isDraft || isUpcoming ? (
            <ListRow
              lead={<IconSign icon="pencil-simple" />}
              title={isDraft ? t`Continue draft` : t`Edit`}
              note={isDraft ? t`Finish and publish it.` : t`Edit the description, hours, pay or location.`}
              to={isDraft ? `/create-job?job=${jobId}` : `/edit-job/${jobId}`}
            />
          ) : null}
          {isDraft ? null : (
            <ListRow lead={<IconSign icon="eye" />} title={t`Open job`} to={jobPath(jobId)} />
          )}
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
              onClick={() => setSheet('move')}
            />
          ) : null}
          <ListRow
            lead={<IconSign icon="copy" />}
            title={t`Copy to another day`}
            note={t`The people on it are not copied.`}
            needsNetwork
            onClick={() => setSheet('copy')}
          />
          {people.length > 0 ? (
            <ListRow
              lead={<IconSign icon="user-plus" />}
              title={t`Book the same crew`}
              note={joined(...people.map(({ name }) => name))}
              needsNetwork
              onClick={() => setSheet('crew')}
            />
          ) : null}
          {moves.map((action) => (
            <ListRow
              key={action}
              lead={<IconSign icon={jobActionIcons[action]} />}
              title={labels[action].label}
              note={labels[action].note}
              needsNetwork
              onClick={() => void runMove(action)}
            />
          ))}
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
        crew={sheet === 'crew' ? { jobId, people } : null}
        businessId={businessId}
        onClose={onClose}
      />
    </>
  );
}
