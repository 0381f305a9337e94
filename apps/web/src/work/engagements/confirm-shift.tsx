import { useLingui } from '@lingui/react/macro';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import type { Move } from '../../lib/pages/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useQueuedAttendance } from '../attendance/attendance.api.ts';
import { asksToConfirm } from './engagement.labels.ts';
import { useEngagementMove } from './engagement-move.api.ts';
import { useConfirmEngagement } from './engagements.api.ts';

type ConfirmProps = { work: EngagementCard; kind: 'go' | 'ink' | 'out' };

/** Confirms the shift. The caller shows a refusal, because the button is gone once the work reloads. */
export function ConfirmShift({ work, kind, move }: ConfirmProps & { move: Move }) {
  const { t } = useLingui();
  const confirm = useConfirmEngagement();
  const queued = useQueuedAttendance(work.id);
  if (!work.actions.includes('confirm') || queued.length > 0) return null;
  return (
    <Button
      kind={kind}
      full
      icon="check"
      busy={move.busy}
      onClick={async () => {
        const input = { engagementId: work.id, version: work.version };
        if (await move.run(() => confirm.mutateAsync(input))) showToast(t`Shift confirmed`);
      }}
    >
      {t`Confirm I'll be there`}
    </Button>
  );
}

export function ConfirmToday({ work, kind }: ConfirmProps) {
  const move = useEngagementMove(work.side);
  return (
    <>
      <Refused text={move.refusal} />
      {asksToConfirm(work) ? <ConfirmShift work={work} kind={kind} move={move} /> : null}
    </>
  );
}
