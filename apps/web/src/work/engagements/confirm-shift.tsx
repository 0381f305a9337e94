import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { dayMs } from '@nearhand/contract/durations';
import type { EngagementCard } from '@nearhand/contract/work/engagements';
import { workLimits } from '@nearhand/contract/work/limits';
import type { Action } from '../../lib/pages/use-action.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useQueuedAttendance } from '../attendance/attendance.api.ts';
import { asksToConfirm, confirmByText, workDate } from './engagement.labels.ts';
import { useEngagementMove } from './engagement-move.api.ts';
import { engagementsOf, useConfirmEngagement, useMyEngagements } from './engagements.api.ts';

type ConfirmProps = { work: EngagementCard; kind: 'go' | 'ink' | 'out' };

/** The other unconfirmed shifts at the business that start within a few days of this one, soonest first. */
function othersToConfirm(work: EngagementCard, items: readonly EngagementCard[]): EngagementCard[] {
  const until = Date.parse(work.terms.startsAt ?? '') + workLimits.confirmTogetherDays * dayMs;
  return items
    .filter(
      ({ id, business, actions, terms }) =>
        id !== work.id &&
        business.id === work.business.id &&
        actions.includes('confirm') &&
        Date.parse(terms.startsAt ?? '') <= until,
    )
    .slice(0, workLimits.confirmTogetherMax);
}

/**
 * Confirms the shift. Once confirmation was requested, it can be confirmed together with others at the
 * business. The caller shows a refusal and that it is done, because the button disappears once the work reloads.
 */
export function ConfirmShift({
  work,
  kind,
  action,
  onDone,
}: ConfirmProps & { action: Action; onDone: (text: string) => void }) {
  const { t } = useLingui();
  const confirm = useConfirmEngagement();
  const queued = useQueuedAttendance(work.id);
  if (!work.actions.includes('confirm') || queued.length > 0) return null;
  const send = async (alsoFor: string[], toast: string) => {
    const input = { engagementId: work.id, version: work.version };
    const confirmAll = () => confirm.mutateAsync(alsoFor.length > 0 ? { ...input, alsoFor } : input);
    if (await action.run(confirmAll)) onDone(toast);
  };
  return (
    <>
      <Button kind={kind} full icon="check" busy={action.busy} onClick={() => send([], t`Shift confirmed`)}>
        {t`Confirm I'll be there`}
      </Button>
      {asksToConfirm(work) ? <ConfirmTogether work={work} busy={action.busy} onSend={send} /> : null}
    </>
  );
}

function ConfirmTogether({
  work,
  busy,
  onSend,
}: {
  work: EngagementCard;
  busy: boolean;
  onSend: (alsoFor: string[], toast: string) => void;
}) {
  const { t } = useLingui();
  const otherShifts = othersToConfirm(work, engagementsOf(useMyEngagements('live').data));
  if (otherShifts.length === 0) return null;
  const count = otherShifts.length + 1;
  const toastText = plural(count, { one: '# shift confirmed', other: '# shifts confirmed' });
  const ids = otherShifts.map(({ id }) => id);
  return (
    <>
      <Button kind="out" full icon="check" busy={busy} onClick={() => onSend(ids, toastText)}>
        {plural(count, { one: 'Confirm # shift', other: 'Confirm all # shifts' })}
      </Button>
      <p className="sm mute">
        {t`Also at ${work.business.name}: ${otherShifts.map(({ terms }) => workDate(terms)).join('; ')}.`}
      </p>
    </>
  );
}

export function ConfirmToday({ work, kind }: ConfirmProps) {
  const action = useEngagementMove(work.side);
  return (
    <>
      <Refused text={action.refusal} />
      {asksToConfirm(work) ? (
        <>
          {work.next?.kind === 'confirm-by' ? (
            <p className="sm">{confirmByText(work.next.at, work.terms.timeZone)}</p>
          ) : null}
          <ConfirmShift work={work} kind={kind} action={action} onDone={(text) => showToast(text)} />
        </>
      ) : null}
    </>
  );
}
