import { Trans, useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import type { Engagement } from '@nearhand/contract/work/engagements';
import type { ReleasePreview } from '@nearhand/contract/work/pay';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useSessionDraft, useTextDraft } from '../../lib/device/session-draft.ts';
import type { Action } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatDate, formatMinutes, formatMoney, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Check } from '../../ui/controls/choices.tsx';
import { ReasonForm } from '../../ui/controls/reason-form.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useCheckInFor, useCheckOutFor } from '../attendance/attendance-records.api.ts';
import { claimDoubt } from '../engagements/engagement.labels.ts';
import { useEngagementMove } from '../engagements/engagement-move.api.ts';
import {
  useCancelEngagement,
  useCancellationCost,
  useReportNoShowEngagement,
} from '../engagements/engagements.api.ts';
import { Cover } from '../pay/cover.tsx';
import { useReleasePreview } from '../pay/pay.api.ts';
import { ReleasePreviewState } from '../pay/release-cost.tsx';
import { compareHours } from '../timesheets/hours-compare.rules.ts';
import { ReleaseHold } from '../timesheets/release-hold.tsx';
import { useApprove, useRequestChanges } from '../timesheets/timesheets.api.ts';
import { isReplaceable, restText, useFindReplacement } from './replacement.tsx';

export type BusinessWorkFormProps = { work: Engagement; onDone: (text: string) => void; onClose: () => void };

const inputOf = ({ id, version }: Engagement) => ({ engagementId: id, version });
const workerName = ({ worker }: Engagement, fallback: string) => worker.name || fallback;

export function ApproveForm({ work, onDone, onClose }: BusinessWorkFormProps) {
  const { t } = useLingui();
  const approve = useApprove();
  const action = useEngagementMove(work.side);
  const name = workerName(work, t`The worker`);
  const preview = useReleasePreview(work.id);
  return (
    <ReleasePreviewState preview={preview}>
      {(data) => {
        const hold = <ReleaseHold work={work} preview={data} />;
        return data.missingMinor > 0 ? (
          <div className="col g4">
            {hold}
            <Cover
              engagementId={work.id}
              businessId={work.business.id}
              currency={data.currency}
              missingMinor={data.missingMinor}
              owed={false}
              beyondPlan={data.alreadyPaidMinor + data.payMinor > work.terms.payTotalMinor}
              onDone={() => void preview.refetch()}
            />
          </div>
        ) : (
          <ReleaseQuestion
            work={work}
            preview={data}
            action={action}
            onSend={() => approve.mutateAsync(inputOf(work))}
            onDone={() => onDone(t`Released to ${name}`)}
            onClose={onClose}
          >
            {hold}
          </ReleaseQuestion>
        );
      }}
    </ReleasePreviewState>
  );
}

/** Asks before pay is released: how much, to whom, when they have it, and that it is final. */
export function ReleaseQuestion({
  work,
  preview,
  tipMinor = 0,
  action,
  onSend,
  onDone,
  onClose,
  children,
}: {
  work: Engagement;
  preview: ReleasePreview;
  tipMinor?: number;
  action: Action;
  onSend: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
  children?: ReactNode;
}) {
  const { t } = useLingui();
  const name = workerName(work, t`The worker`);
  const money = (minor: number) => formatMoney(minor, preview.currency);
  const amount = money(preview.workerGetsMinor + tipMinor);
  const [recorded, claimed] = (['recorded', 'claimed'] as const).map(
    (kind) => compareHours(work).find((row) => row.kind === kind)?.paidMinutes ?? null,
  );
  const isBeyondRecord = claimDoubt(work) !== null && recorded && claimed && claimed > recorded;
  return (
    <ReasonForm send={t`Release ${amount}`} action={action} onSend={onSend} onDone={onDone} onClose={onClose}>
      {isBeyondRecord ? (
        <Banner tone="wait" icon="clock-countdown">
          <Trans>
            {name} submitted {formatMinutes(claimed)}, but {formatMinutes(recorded)} were recorded.
          </Trans>
        </Banner>
      ) : null}
      {tipMinor > 0 ? (
        <div>
          <SumRow label={t`Pay for the work`} value={money(preview.workerGetsMinor)} />
          <SumRow label={t`Tip`} value={money(tipMinor)} />
          <SumRow total label={t`${name} gets`} value={amount} />
        </div>
      ) : null}
      <p>
        {preview.clearsAt ? (
          <Trans>
            {amount} goes to {name}'s Nearhand balance. They can withdraw the pay from{' '}
            {formatDate(preview.clearsAt, ownTimeZone())}.
          </Trans>
        ) : (
          <Trans>
            {amount} goes to {name}'s Nearhand balance right away.
          </Trans>
        )}
      </p>
      <p className="strong">
        {work.actions.includes('counter') ? (
          <Trans>You can't take it back. If the hours aren't right, propose other hours instead.</Trans>
        ) : work.actions.includes('request-changes') ? (
          <Trans>You can't take it back. If the work isn't finished, request changes instead.</Trans>
        ) : (
          <Trans>You can't take it back.</Trans>
        )}
      </p>
      {children}
    </ReasonForm>
  );
}

export function ChangesForm({ work, onDone, onClose }: BusinessWorkFormProps) {
  const { t } = useLingui();
  const request = useRequestChanges();
  const action = useEngagementMove(work.side);
  const draft = useTextDraft(`changes ${work.id} ${work.deliveries.length}`);
  const name = workerName(work, t`The worker`);
  return (
    <ReasonForm
      note={{
        label: t`What needs to change?`,
        help: t`The worker will see this.`,
        max: limits.messageMax,
        missing: t`Say what needs to change.`,
        draft,
      }}
      send={t`Request changes`}
      action={action}
      onSend={(note) => request.mutateAsync({ ...inputOf(work), note })}
      onDone={() => onDone(t`We've told ${name} what to change`)}
      onClose={onClose}
    >
      <p className="mute">
        <Trans>
          {name} can then deliver again. The countdown to automatic approval starts over with the new
          delivery.
        </Trans>
      </p>
    </ReasonForm>
  );
}

export function RecordForm({
  work,
  action,
  onDone,
  onClose,
}: BusinessWorkFormProps & { action: 'check-in-for' | 'check-out-for' }) {
  const { t } = useLingui();
  const into = useCheckInFor();
  const out = useCheckOutFor();
  const request = useEngagementMove(work.side);
  const draft = useSessionDraft(`${action} ${work.id}`, () => ({ reason: '', sentHome: false }));
  const { sentHome } = draft.value;
  const name = workerName(work, t`The worker`);
  const isArriving = action === 'check-in-for';
  const now = useNow();
  const { minimumMinutes, endsAt } = work.terms;
  const mayEndEarly = !isArriving && endsAt !== null && now < new Date(endsAt);
  return (
    <ReasonForm
      note={{
        label: t`Reason`,
        help: t`The worker will see this.`,
        max: limits.reasonMax,
        missing: t`Enter a reason.`,
        draft: {
          value: draft.value.reason,
          set: (reason) => draft.set({ ...draft.value, reason }),
          drop: draft.drop,
        },
      }}
      send={isArriving ? t`Check ${name} in now` : t`Check ${name} out now`}
      action={request}
      onSend={(reason) =>
        isArriving
          ? into.mutateAsync({ ...inputOf(work), reason })
          : out.mutateAsync({ ...inputOf(work), reason, sentHome: mayEndEarly && sentHome })
      }
      onDone={() => onDone(isArriving ? t`${name} is checked in` : t`${name} is checked out`)}
      onClose={onClose}
    >
      <p className="mute">
        <Trans>
          For someone who is with you but can't use their phone. The time is now. {name} is told and can
          contest it.
        </Trans>
      </p>
      {mayEndEarly ? (
        <Check
          label={t`You’re sending ${name} home early`}
          help={
            minimumMinutes
              ? t`If they came on time, you pay for at least ${formatMinutes(minimumMinutes)}.`
              : t`They’ll see that you ended the shift.`
          }
          checked={sentHome}
          onChange={(event) => draft.set({ ...draft.value, sentHome: event.target.checked })}
        />
      ) : null}
    </ReasonForm>
  );
}

export function NoShowForm({ work, onDone, onClose }: BusinessWorkFormProps) {
  const { t } = useLingui();
  const report = useReportNoShowEngagement();
  const action = useEngagementMove(work.side);
  const name = workerName(work, t`The worker`);
  const heldAmount = formatMoney(work.terms.holdMinor, work.terms.currency);
  const find = useFindReplacement();
  const now = useNow();
  const mayReplace = isReplaceable(work, now);
  const [replaces, setReplaces] = useState(true);
  // The report is done, so the sheet closes, and the work's page offers the search again if it is refused.
  const search = async () => {
    onClose();
    const text = await find.mutateAsync({ engagementId: work.id }).then(
      () => t`Reported. We've notified ${name} and are looking for a replacement.`,
      (error) =>
        t`Reported, and ${name} is notified. The search for a replacement didn't start: ${errorText(error)}`,
    );
    showToast(text);
  };
  const started = work.terms.startsAt ? formatDate(work.terms.startsAt, work.terms.timeZone) : '';
  return (
    <ReasonForm
      kind="bad"
      send={t`Report no-show`}
      action={action}
      onSend={() => report.mutateAsync(inputOf(work))}
      onDone={() => (mayReplace && replaces ? void search() : onDone(t`Reported. We've notified ${name}.`))}
      onClose={onClose}
    >
      <p className="mute">
        <Trans>
          The shift started {started} and there's no check-in. {name} will be notified and has{' '}
          {settingDefaults.contestHours} hours to contest the report. If they don't, {heldAmount} goes back to
          your balance then. If they do, Nearhand decides. A no-show lowers a worker's reliability, so only
          report it if you're sure.
        </Trans>
      </p>
      {mayReplace ? (
        <Check
          label={t`Find a replacement`}
          help={
            <>
              {restText()} {t`When someone takes it, we set aside their pay too, at most ${heldAmount}.`}
            </>
          }
          checked={replaces}
          onChange={(event) => setReplaces(event.target.checked)}
        />
      ) : null}
    </ReasonForm>
  );
}

export function CancelBookingForm({ work, onDone, onClose }: BusinessWorkFormProps) {
  const { t } = useLingui();
  const cancel = useCancelEngagement();
  const action = useEngagementMove(work.side);
  const draft = useTextDraft(`cancel ${work.id}`);
  const name = workerName(work, t`The worker`);
  const { lateCancelHours } = useSettings();
  const { terms } = work;
  const { late, compensationMinor, freeUntil } = useCancellationCost(work);
  const amount = formatMoney(compensationMinor, terms.currency);
  const heldAmount = formatMoney(terms.holdMinor, terms.currency);
  const setAsideAgain = work.cancelling?.setAsideAgain ?? false;
  const [closesJob, setClosesJob] = useState(false);
  const staysHeld = setAsideAgain && !closesJob;
  const sendText =
    compensationMinor > 0
      ? closesJob
        ? t`Cancel booking, pay ${amount} and close job`
        : t`Cancel booking and pay ${amount}`
      : closesJob
        ? t`Cancel booking and close job`
        : t`Cancel booking`;
  return (
    <ReasonForm
      note={{
        label: t`Reason`,
        help: t`The worker will see this.`,
        max: limits.reasonMax,
        missing: t`Enter a reason.`,
        draft,
      }}
      kind="bad"
      send={sendText}
      action={action}
      onSend={(reason) =>
        cancel.mutateAsync({
          ...inputOf(work),
          reason,
          closeJob: closesJob,
          expects: { late, compensationMinor },
        })
      }
      onDone={() => onDone(t`Cancelled. We've notified ${name}.`)}
      onClose={onClose}
    >
      {late ? (
        <div>
          <p>
            {compensationMinor > 0 ? (
              <Trans>
                It starts in less than {lateCancelHours} hours, so this is a late cancellation. {name} gets{' '}
                {amount}, and it lowers your business's reliability.
              </Trans>
            ) : (
              <Trans>
                It starts in less than {lateCancelHours} hours, so this is a late cancellation. It lowers your
                business's reliability.
              </Trans>
            )}
          </p>
          <p className="sm mute mt2">
            {compensationMinor > 0 ? (
              <Trans>
                It's paid right away from the {heldAmount} you set aside, with no fee. The rest goes back to
                your balance.
              </Trans>
            ) : staysHeld ? null : (
              <Trans>The {heldAmount} you set aside goes back to your balance.</Trans>
            )}
          </p>
        </div>
      ) : (
        <p>
          {freeUntil
            ? t`You’ve just booked ${name}: until ${formatTime(freeUntil, terms.timeZone)} cancelling is free.`
            : t`Cancelling now is free.`}{' '}
          {staysHeld
            ? null
            : closesJob
              ? t`The ${heldAmount} you set aside goes back to your balance.`
              : t`The ${heldAmount} you set aside goes back to your balance and the spot opens up for others.`}
        </p>
      )}
      {setAsideAgain ? (
        <>
          {staysHeld ? (
            <p>
              {t`Hiring is instant for this job: the spot opens up for others, and ${heldAmount} is set aside again for the next person.`}
            </p>
          ) : null}
          <Check
            label={t`Close the job too`}
            help={t`Nobody else is hired for it, and its money goes back to your balance.`}
            checked={closesJob}
            onChange={(event) => setClosesJob(event.target.checked)}
          />
        </>
      ) : null}
    </ReasonForm>
  );
}
