import { useLingui } from '@lingui/react/macro';
import type { EngagementCard } from '@nearhand/contract/engagements';
import type { Move } from '../../lib/use-move.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useQueuedAttendance } from '../attendance/attendance.api.ts';
import { asksToConfirm } from './engagement-words.ts';
import { useConfirmEngagement } from './engagements.api.ts';
import { useEngagementMove } from './use-engagement-move.ts';

type ConfirmProps = { work: EngagementCard; kind: 'go' | 'ink' | 'out' };

/**
 * Says that one comes, where the server offers it. Who has recorded on this device that they are here need not. Why it was refused is said by whoever holds the
 * move: the button is gone by then, for the work has been loaded anew.
 */
export function ConfirmCome({ work, kind, move }: ConfirmProps & { move: Move }) {
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
        const one = { engagementId: work.id, version: work.version };
        if (await move.run(() => confirm.mutateAsync(one))) showToast(t`You said that you come`);
      }}
    >
      {t`Confirm that I come`}
    </Button>
  );
}

/** The same on a card of the work, where its worker was asked for it. */
export function ConfirmToday({ work, kind }: ConfirmProps) {
  const move = useEngagementMove(work.side);
  return (
    <>
      <Refused text={move.refusal} />
      {asksToConfirm(work) ? <ConfirmCome work={work} kind={kind} move={move} /> : null}
    </>
  );
}
