import { Trans, useLingui } from '@lingui/react/macro';
import { isUpcoming } from '@nearhand/contract/engagement-statuses';
import { limits } from '@nearhand/contract/limits';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { mayClaimHours } from '@nearhand/contract/work/timesheets.rules';
import { useState } from 'react';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { announce, showToast } from '../../ui/overlays/toast.tsx';
import { ClockPart } from '../attendance/clock.tsx';
import { RunningLate } from '../attendance/running-late.tsx';
import { useKioskPin } from '../kiosks/kiosks.api.ts';
import { CounterCard } from '../timesheets/counter-card.tsx';
import { DeliveryForm } from '../timesheets/delivery-form.tsx';
import { HoursForm } from '../timesheets/hours-form.tsx';
import { ConfirmShift } from './confirm-shift.tsx';
import { asksToConfirm, nextText } from './engagement.labels.ts';
import { useEngagementMove } from './engagement-move.api.ts';
import { useContestEngagement, useStartEngagement } from './engagements.api.ts';
import type { MyPosition } from './site-strip.tsx';

type Open = 'hours' | 'deliver' | 'contest';

type ActsProps = { work: Engagement; now: Date; onPosition: (position: MyPosition) => void };

/** The worker's possible actions, from the server; the next step first. */
export function WorkActs({ work, now, onPosition }: ActsProps) {
  const { t } = useLingui();
  const start = useStartEngagement();
  const request = useEngagementMove(work.side);
  const { run, busy, refusal } = request;
  const [open, setOpen] = useState<Open | null>(null);
  const { actions, status } = work;
  // Hours can be submitted once the work has started. If the last response is from before the start, the
  // clock decides.
  const hasStarted = work.terms.startsAt !== null && now.getTime() >= Date.parse(work.terms.startsAt);
  const can = (action: Engagement['actions'][number]) =>
    actions.includes(action) || (action === 'submit-hours' && status === 'checked_out' && hasStarted);
  const input = { engagementId: work.id, version: work.version };
  const close = () => setOpen(null);
  const isCheckedOut = status === 'checked_out';
  const confirm = (
    <ConfirmShift
      work={work}
      kind={can('check-in') || !asksToConfirm(work) ? 'out' : 'go'}
      action={request}
      onDone={announce}
    />
  );
  const hoursButton =
    can('submit-hours') && status !== 'counter_proposed' ? (
      <Button
        kind={isCheckedOut ? 'go' : 'out'}
        full
        icon="timer"
        needsNetwork
        onClick={() => setOpen('hours')}
      >
        {status === 'submitted' ? t`Correct your hours` : t`Submit hours`}
      </Button>
    ) : null;
  const noCorrectionLeft =
    status === 'submitted' && !mayClaimHours(work.claims) ? (
      <p className="mute">{t`You can't correct these hours again. Open a dispute instead.`}</p>
    ) : null;
  return (
    <div className="col">
      <Refused text={refusal} />
      {status === 'counter_proposed' ? <CounterCard work={work} /> : null}
      {can('contest') && work.noShow ? (
        <NoShowReport work={work} now={now} onContest={() => setOpen('contest')} />
      ) : null}
      {can('check-in') ? null : confirm}
      {isCheckedOut ? hoursButton : null}
      <ClockPart work={work} now={now} onPosition={onPosition} />
      {isUpcoming(status) || status === 'checked_in' ? <KioskPin engagementId={work.id} /> : null}
      {can('say-late') ? <RunningLate work={work} /> : null}
      {can('check-in') ? confirm : null}
      {can('start') ? (
        <Button
          kind="go"
          full
          icon="play"
          busy={busy}
          onClick={async () => {
            if (await run(() => start.mutateAsync(input))) announce(t`Task started`);
          }}
        >
          {t`Start task`}
        </Button>
      ) : null}
      {can('deliver') ? (
        <Button
          kind={can('start') ? 'out' : 'go'}
          full
          icon="upload-simple"
          needsNetwork
          onClick={() => setOpen('deliver')}
        >
          {status === 'changes_requested' ? t`Deliver again` : t`Deliver work`}
        </Button>
      ) : null}
      {isCheckedOut ? null : hoursButton}
      {noCorrectionLeft}
      <Sheet
        open={open === 'hours'}
        onClose={close}
        title={status === 'submitted' ? t`Correct your hours` : t`Your hours`}
      >
        {open === 'hours' ? <HoursForm work={work} onDone={close} /> : null}
      </Sheet>
      <Sheet open={open === 'deliver'} onClose={close} title={t`Deliver work`}>
        {open === 'deliver' ? <DeliveryForm work={work} onDone={close} /> : null}
      </Sheet>
      <Sheet open={open === 'contest'} onClose={close} title={t`You were there`}>
        {open === 'contest' ? <ContestForm work={work} onDone={close} /> : null}
      </Sheet>
    </div>
  );
}

function NoShowReport({ work, now, onContest }: { work: Engagement; now: Date; onContest: () => void }) {
  const { t } = useLingui();
  const { business } = work;
  return (
    <>
      <Banner tone="bad" icon="warning">
        <p className="strong">{t`${business.name} reported that you didn't show up`}</p>
        <p>{nextText(work, now)}</p>
        <p>{t`Someone at Nearhand will review it, and it won't count in the meantime.`}</p>
      </Banner>
      <Button kind="go" full needsNetwork onClick={onContest}>
        {t`Contest report`}
      </Button>
    </>
  );
}

function ContestForm({ work, onDone }: { work: Engagement; onDone: () => void }) {
  const { t } = useLingui();
  const contest = useContestEngagement();
  const action = useEngagementMove(work.side);
  const draft = useTextDraft(`contest ${work.id}`);
  return (
    <ReasonForm
      note={{
        label: t`What happened`,
        max: limits.reasonMax,
        missing: t`Write a sentence about what happened.`,
        draft,
      }}
      send={t`Contest report`}
      action={action}
      onSend={(note) => contest.mutateAsync({ engagementId: work.id, version: work.version, note })}
      onDone={() => {
        onDone();
        showToast(t`We'll review it and let you both know`);
      }}
    >
      <p>
        <Trans>Say when you were there and who you met. Someone at Nearhand will read both sides.</Trans>
      </p>
    </ReasonForm>
  );
}

/** The PIN for the tablet at the door. Renders nothing where the branch has none. */
function KioskPin({ engagementId }: { engagementId: string }) {
  const pin = useKioskPin(engagementId).data?.pin;
  return pin ? (
    <p className="mute row g2 act-note">
      <Icon name="key" />
      <span>
        <Trans>
          Without your phone, check in on the tablet at the door. Your PIN for this shift is{' '}
          <b className="num">{pin}</b>.
        </Trans>
      </span>
    </p>
  ) : null;
}
