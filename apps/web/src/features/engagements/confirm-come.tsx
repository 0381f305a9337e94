import { useLingui } from '@lingui/react/macro';
import type { EngagementCard } from '@nearhand/contract/engagements';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useQueuedAttendance } from '../attendance/attendance.api.ts';
import { useConfirmEngagement } from './engagements.api.ts';
import { useEngagementMove } from './use-engagement-move.ts';

type ConfirmProps = { work: EngagementCard; kind: 'go' | 'ink' | 'out' };

/** Says that one comes, where the server offers it. Who has recorded on this device that they are here need not. */
export function ConfirmCome({ work, kind }: ConfirmProps) {
  const { t } = useLingui();
  const confirm = useConfirmEngagement();
  const { run, busy, refusal } = useEngagementMove(work.side);
  const queued = useQueuedAttendance(work.id);
  if (!work.actions.includes('confirm') || queued.length > 0) return <Refused text={refusal} />;
  return (
    <>
      <Refused text={refusal} />
      <Button
        kind={kind}
        full
        icon="check"
        busy={busy}
        onClick={async () => {
          const one = { engagementId: work.id, version: work.version };
          if (await run(() => confirm.mutateAsync(one))) showToast(t`You said that you come`);
        }}
      >
        {t`Confirm that I come`}
      </Button>
    </>
  );
}
