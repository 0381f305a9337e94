import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { IconSign } from '../../ui/art/sign.tsx';
import { ListRow } from '../../ui/card.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { type ActedJob, jobActionIcons, movesOf, useJobActions } from './job-actions.ts';

/** The actions for one job in a list. */
export function JobActionsMenu({ job }: { job: ActedJob }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { run, labels } = useJobActions();
  const can = (action: string) => (job.actions as readonly string[]).includes(action);
  if (job.actions.length === 0) return null;
  return (
    <>
      <IconButton
        icon="dots-three"
        label={t`Actions for ${job.title}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      <Sheet open={open} onClose={() => setOpen(false)} title={job.title}>
        {can('see-applicants') ? (
          <ListRow
            lead={<IconSign icon="users" />}
            title={t`Applicants`}
            note={t`See who applied, best match first.`}
            to={`/job-applicants/${job.id}`}
          />
        ) : null}
        {can('see-applicants') && job.status === 'open' ? (
          <ListRow
            lead={<IconSign icon="share-network" />}
            title={t`Share`}
            note={t`Link, QR code, poster, and what they brought.`}
            to={`/share-job?job=${job.id}`}
          />
        ) : null}
        {can('edit') ? (
          <ListRow
            lead={<IconSign icon="pencil-simple" />}
            title={job.status === 'draft' ? t`Continue draft` : t`Edit`}
            note={
              job.status === 'draft'
                ? t`Finish and publish it.`
                : t`Edit the description, hours, pay or location.`
            }
            to={job.status === 'draft' ? `/create-job?job=${job.id}` : `/edit-job/${job.id}`}
          />
        ) : null}
        {movesOf(job).map((action) => (
          <ListRow
            key={action}
            lead={<IconSign icon={jobActionIcons[action]} />}
            title={labels[action].label}
            note={labels[action].note}
            needsNetwork
            onClick={() => {
              setOpen(false);
              void run(action, job);
            }}
          />
        ))}
      </Sheet>
    </>
  );
}
