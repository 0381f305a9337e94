import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { AttendanceEvent, Engagement } from '@nearhand/contract/work/engagements';
import { useState } from 'react';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { Button } from '../../ui/controls/button.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useContestRecord } from '../attendance/attendance-records.api.ts';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';

/** Objects to a time that the business recorded for the worker. */
export function ContestRecord({ work, event }: { work: Engagement; event: AttendanceEvent }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const contest = useContestRecord();
  const move = useEngagementMove(work.side);
  const draft = useTextDraft(`contest ${event.id}`);
  const { name } = work.business;
  return (
    <>
      <Button kind="text" size="s" needsNetwork onClick={() => setOpen(true)}>
        {t`Contest this time`}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Contest this time`}>
        {open ? (
          <ReasonForm
            note={{
              label: t`What's wrong with it?`,
              max: limits.reasonMax,
              missing: t`Write a sentence about what happened.`,
              draft,
            }}
            send={t`Contest this time`}
            move={move}
            onSend={(note) => contest.mutateAsync({ engagementId: work.id, eventId: event.id, note })}
            onDone={() => {
              setOpen(false);
              showToast(t`We've told ${name}`);
            }}
          >
            <p>
              <Trans>
                {name} sees what you write, and it stays on the record. You still submit the hours you worked.
              </Trans>
            </p>
          </ReasonForm>
        ) : null}
      </Sheet>
    </>
  );
}
