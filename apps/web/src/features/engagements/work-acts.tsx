import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { useTextDraft } from '../../lib/session-draft.ts';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ReasonForm } from '../../ui/reason-form.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { showToast } from '../../ui/toast.tsx';
import { ClockPart } from '../attendance/clock.part.tsx';
import { ConfirmCome } from './confirm-come.tsx';
import { CounterCard } from './counter-card.tsx';
import { DeliveryForm } from './delivery-form.tsx';
import { stamp } from './engagement-words.ts';
import { useContestEngagement, useStartEngagement } from './engagements.api.ts';
import { HoursForm } from './hours-form.tsx';
import { useEngagementMove } from './use-engagement-move.ts';
import type { MyPosition } from './work-map.tsx';

type Open = 'hours' | 'deliver' | 'contest';

type ActsProps = { work: Engagement; now: Date; onPosition: (position: MyPosition) => void };

/** What the worker can do now, as the server says; the next step first and large. */
export function WorkActs({ work, now, onPosition }: ActsProps) {
  const { t } = useLingui();
  const start = useStartEngagement();
  const move = useEngagementMove(work.side);
  const { run, busy, refusal } = move;
  const [open, setOpen] = useState<Open | null>(null);
  const { actions, status, business } = work;
  // Hours can be sent from the start on: the clock says so where the server has not been asked since.
  const begun = work.terms.startsAt !== null && now.getTime() >= Date.parse(work.terms.startsAt);
  const can = (action: Engagement['actions'][number]) =>
    actions.includes(action) || (action === 'submit-hours' && status === 'checked_out' && begun);
  const one = { engagementId: work.id, version: work.version };
  const close = () => setOpen(null);
  // Who is still here, or has not come yet, sends hours afterwards; it then stands second.
  const hoursFirst = status === 'checked_out';
  const confirm = <ConfirmCome work={work} kind={can('check-in') ? 'out' : 'go'} move={move} />;
  const hoursButton =
    can('submit-hours') && status !== 'counter_proposed' ? (
      <Button kind={hoursFirst ? 'go' : 'out'} full icon="timer" onClick={() => setOpen('hours')}>
        {t`Send my hours`}
      </Button>
    ) : null;
  return (
    <div className="col">
      <Refused text={refusal} />
      {status === 'counter_proposed' ? <CounterCard work={work} onOther={() => setOpen('hours')} /> : null}
      {can('contest') && work.noShow ? (
        <>
          <Banner tone="bad" icon="warning">
            <Trans>
              {business.name} reported that you did not come. If that is not right, say so by{' '}
              {stamp(work.noShow.contestBy, work.terms.timeZone, now)}. One of us then looks at it, and until
              then it does not count.
            </Trans>
          </Banner>
          <Button kind="go" full onClick={() => setOpen('contest')}>
            {t`Contest it`}
          </Button>
        </>
      ) : null}
      {can('check-in') ? null : confirm}
      {hoursFirst ? hoursButton : null}
      <ClockPart work={work} now={now} onPosition={onPosition} />
      {can('check-in') ? confirm : null}
      {can('start') ? (
        <Button
          kind="go"
          full
          icon="play"
          busy={busy}
          onClick={async () => {
            if (await run(() => start.mutateAsync(one))) showToast(t`You have begun`);
          }}
        >
          {t`Start this task`}
        </Button>
      ) : null}
      {can('deliver') ? (
        <Button
          kind={can('start') ? 'out' : 'go'}
          full
          icon="upload-simple"
          onClick={() => setOpen('deliver')}
        >
          {status === 'changes_requested' ? t`Deliver again` : t`Deliver the work`}
        </Button>
      ) : null}
      {hoursFirst ? null : hoursButton}
      <Sheet open={open === 'hours'} onClose={close} title={t`Your hours`}>
        {open === 'hours' ? <HoursForm work={work} onDone={close} /> : null}
      </Sheet>
      <Sheet open={open === 'deliver'} onClose={close} title={t`Deliver the work`}>
        {open === 'deliver' ? <DeliveryForm work={work} onDone={close} /> : null}
      </Sheet>
      <Sheet open={open === 'contest'} onClose={close} title={t`You were there`}>
        {open === 'contest' ? <ContestForm work={work} onDone={close} /> : null}
      </Sheet>
    </div>
  );
}

function ContestForm({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const contest = useContestEngagement();
  const move = useEngagementMove(work.side);
  const draft = useTextDraft(`contest ${work.id}`);
  return (
    <ReasonForm
      note={{ label: t`What happened`, max: limits.reasonMax, missing: t`Write a sentence about it.`, draft }}
      send={t`Contest the report`}
      move={move}
      onSend={(note) => contest.mutateAsync({ engagementId: work.id, version: work.version, note })}
      onDone={() => {
        onDone();
        showToast(t`We look at it and tell you both`);
      }}
    >
      <p>
        <Trans>Say when you were there and whom you met. One of us reads what both of you say.</Trans>
      </p>
    </ReasonForm>
  );
}
