import { useLingui } from '@lingui/react/macro';
import { applicantsPath, jobPath } from '@nearhand/contract/app-paths';
import { useState } from 'react';
import { formatCalendarDay, formatTime, joined } from '../../lib/words/format.ts';
import { IconSign } from '../../ui/art/sign.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { DuplicateSheet } from '../jobs/duplicate-sheet.tsx';
import { useJobActions } from '../jobs/job-actions.ts';
import { CrewSheet } from '../rebook/crew-sheet.tsx';
import { crewOf, type DayShift } from './roster.rules.ts';

/** A recruiter's actions on a posted shift of the roster. */
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
  const { run } = useJobActions();
  const [sheet, setSheet] = useState<'menu' | 'copy' | 'crew'>('menu');
  const { jobId, title, day, startsAt, endsAt, timeZone } = shift;
  const people = crewOf(shift);
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
          <ListRow
            lead={<IconSign icon="users" />}
            title={t`Applicants`}
            note={t`See who applied and who is booked.`}
            to={applicantsPath(jobId, null)}
          />
          <ListRow lead={<IconSign icon="eye" />} title={t`Open job`} to={jobPath(jobId)} />
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
        </div>
      </Sheet>
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
