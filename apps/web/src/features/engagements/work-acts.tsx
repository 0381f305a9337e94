import { Trans, useLingui } from '@lingui/react/macro';
import type { Engagement } from '@nearhand/contract/engagements';
import { limits } from '@nearhand/contract/limits';
import { useState } from 'react';
import { formatMoney } from '../../lib/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useQueuedAttendance } from '../attendance/attendance.api.ts';
import { ClockPart } from '../attendance/clock.part.tsx';
import { CounterCard } from './counter-card.tsx';
import { DeliveryForm } from './delivery-form.tsx';
import { mostAtStake } from './dispute-card.tsx';
import { stamp } from './engagement-words.ts';
import {
  useCancelEngagement,
  useConfirmEngagement,
  useContestEngagement,
  useFileDispute,
  useStartEngagement,
} from './engagements.api.ts';
import { HoursForm } from './hours-form.tsx';
import { NoteForm } from './note-form.tsx';
import { useMove } from './use-move.ts';
import type { MyPosition } from './work-map.tsx';

type Open = 'hours' | 'deliver' | 'contest';

type ActsProps = { work: Engagement; now: Date; onPosition: (position: MyPosition) => void };

/** What the worker can do now, as the server says; the next step first and large. */
export function WorkActs({ work, now, onPosition }: ActsProps) {
  const { t } = useLingui();
  const confirm = useConfirmEngagement();
  const start = useStartEngagement();
  const { run, busy, refusal } = useMove();
  const [open, setOpen] = useState<Open | null>(null);
  const { actions, status, business } = work;
  const can = (action: Engagement['actions'][number]) => actions.includes(action);
  const one = { engagementId: work.id, version: work.version };
  const queued = useQueuedAttendance(work.id);
  const close = () => setOpen(null);
  // Who is still here, or has not come yet, sends hours afterwards; it then stands second.
  const hoursFirst = status === 'checked_out';
  // Who has recorded that they are here need not say that they come.
  const confirmButton =
    can('confirm') && queued.length === 0 ? (
      <Button
        kind={can('check-in') ? 'out' : 'go'}
        full
        icon="check"
        busy={busy}
        onClick={async () => {
          if (await run(() => confirm.mutateAsync(one))) showToast(t`You said that you come`);
        }}
      >
        {t`Confirm that I come`}
      </Button>
    ) : null;
  return (
    <div className="col">
      {refusal ? (
        <Banner tone="bad" icon="warning-circle" live>
          {refusal}
        </Banner>
      ) : null}
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
      {can('check-in') ? null : confirmButton}
      <ClockPart work={work} now={now} onPosition={onPosition} />
      {can('check-in') ? confirmButton : null}
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
      {can('submit-hours') && status !== 'counter_proposed' ? (
        <Button kind={hoursFirst ? 'go' : 'out'} full icon="timer" onClick={() => setOpen('hours')}>
          {t`Send my hours`}
        </Button>
      ) : null}
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

/** The ways out, at the end of the page: calling it off, a dispute. */
export function WorkExits({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<'cancel' | 'dispute' | null>(null);
  const close = () => setOpen(null);
  const can = (action: 'cancel' | 'dispute') => work.actions.includes(action);
  if (!can('cancel') && !can('dispute') && open === null) return null;
  return (
    <div className="col">
      {can('dispute') ? (
        <Button kind="out" full icon="warning-circle" onClick={() => setOpen('dispute')}>
          {t`Open a dispute`}
        </Button>
      ) : null}
      {can('cancel') ? (
        <Button kind="quiet" full icon="calendar-x" onClick={() => setOpen('cancel')}>
          {t`Call it off`}
        </Button>
      ) : null}
      <Sheet open={open === 'cancel'} onClose={close} title={t`Call this work off?`}>
        {open === 'cancel' ? <CancelForm work={work} onDone={close} /> : null}
      </Sheet>
      <Sheet open={open === 'dispute'} onClose={close} title={t`Open a dispute`}>
        {open === 'dispute' ? <DisputeForm work={work} onDone={close} /> : null}
      </Sheet>
    </div>
  );
}

type FormProps = { work: Engagement; onDone: () => void };

/** Says before it is done whether it is late, and what that means. */
function CancelForm({ work, onDone }: FormProps) {
  const { t } = useLingui();
  const cancel = useCancelEngagement();
  const late = work.cancelling?.late === true;
  return (
    <NoteForm
      label={t`Why, for ${work.business.name}`}
      send={t`Call it off`}
      kind="bad"
      onSend={(reason) => cancel.mutateAsync({ engagementId: work.id, version: work.version, reason })}
      onDone={() => {
        onDone();
        showToast(t`You called it off`);
      }}
    >
      <Banner tone={late ? 'bad' : 'here'} icon={late ? 'warning' : 'info'}>
        {late ? (
          <>
            <p className="strong">{t`This is late.`}</p>
            <p>
              {work.terms.kind === 'shift' ? (
                <Trans>
                  It starts in less than {limits.lateCancelHours} hours. It lowers your reliability, which
                  businesses see when you apply. You are not paid.
                </Trans>
              ) : (
                <Trans>
                  You have begun. It lowers your reliability, which businesses see when you apply.
                </Trans>
              )}
            </p>
          </>
        ) : (
          <p>
            <Trans>
              You are in time: it does not count against your reliability. You are not paid for it.
            </Trans>
          </p>
        )}
      </Banner>
    </NoteForm>
  );
}

function ContestForm({ work, onDone }: FormProps) {
  const { t } = useLingui();
  const contest = useContestEngagement();
  return (
    <NoteForm
      label={t`What happened`}
      send={t`Contest the report`}
      onSend={(note) => contest.mutateAsync({ engagementId: work.id, version: work.version, note })}
      onDone={() => {
        onDone();
        showToast(t`We look at it and tell you both`);
      }}
    >
      <p>
        <Trans>Say when you were there and whom you met. One of us reads what both of you say.</Trans>
      </p>
    </NoteForm>
  );
}

function DisputeForm({ work, onDone }: FormProps) {
  const { t } = useLingui();
  const file = useFileDispute();
  const { terms } = work;
  const claimed = work.claims.findLast(({ by }) => by !== 'business')?.amountMinor ?? terms.payTotalMinor;
  return (
    <NoteForm
      label={t`What is wrong`}
      max={limits.messageMax}
      send={t`Open the dispute`}
      amount={{
        label: t`What you hold right, in ${terms.currency}`,
        currency: terms.currency,
        start: claimed,
        most: mostAtStake(work),
      }}
      onSend={(reason, amountMinor) =>
        file.mutateAsync({ engagementId: work.id, version: work.version, reason, amountMinor })
      }
      onDone={() => {
        onDone();
        showToast(t`The dispute is open`);
      }}
    >
      <p>
        <Trans>
          {work.business.name} has {limits.disputeAnswerDays} days to answer; then either of you proposes an
          amount, and after two days one of us looks at it. It ends after {limits.disputeStopDays} days at the
          latest. Now it stands at {formatMoney(work.amountMinor, terms.currency)}.
        </Trans>
      </p>
    </NoteForm>
  );
}
