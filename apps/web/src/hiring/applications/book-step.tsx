import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { confirmByFor } from '@nearhand/contract/work/confirm.rules';
import { workLimits } from '@nearhand/contract/work/limits';
import { useNow } from '../../lib/pages/use-now.ts';
import { useSettings } from '../../lib/settings.ts';
import { formatMinutes, formatShare } from '../../lib/words/format.ts';
import { payText, whenText } from '../../lib/words/job.labels.ts';
import { Banner } from '../../ui/banner.tsx';
import { Fact, PineCard } from '../../ui/card.tsx';
import { feeText } from '../jobs/job-desc.labels.ts';
import { lateCancelText, PromiseFacts } from '../offers/promise-facts.tsx';
import { Answers } from './apply-steps.tsx';
import type { ApplyFormState } from './use-apply-form.ts';

const { freeCancelMinutes } = workLimits;

/** The booking step of an instant hire: its pay, and what cancelling costs either side. */
export function BookStep({ job, form, online }: { job: Job; form: ApplyFormState; online: boolean }) {
  const { t } = useLingui();
  const settings = useSettings();
  const { lateCancelHours, lateCancelShareBasisPoints, lateCancelMinutesMax } = settings;
  const startsAt = job.startsAt === null ? null : new Date(job.startsAt);
  const now = useNow();
  const confirmBy = confirmByFor(startsAt, job.timeZone, settings, now);
  const pay = payText(job.pay);
  const when = whenText(job);
  const isShift = job.kind === 'shift';
  const lateText = isShift ? lateCancelText(job.startsAt, lateCancelHours, now) : null;
  const minimumMinutes = isShift ? Math.min(job.pay.paidMinutes ?? 0, workLimits.sentHomeMinutes) : 0;
  const maxTime = formatMinutes(lateCancelMinutesMax);
  const part = formatShare(lateCancelShareBasisPoints);
  return (
    <>
      <PineCard label={t`Pay`}>
        <p className="desk-figure">{pay.figure}</p>
        <p className="mute">{pay.notes.join(' · ')}</p>
        <p className="mt2">{feeText(job)}</p>
      </PineCard>
      <div className="facts">
        <Fact icon="briefcase" title={job.title} note={job.business.name} />
        {when ? <Fact icon="calendar-blank" title={when} /> : null}
        <Fact
          icon="seal-check"
          title={t`You're booked as soon as you press the button`}
          note={t`${job.business.name} doesn't have to answer, and your pay is already set aside.`}
        />
        <Fact
          icon="calendar-x"
          title={
            lateText ??
            (isShift
              ? t`You can cancel until ${lateCancelHours} hours before the start`
              : t`You can cancel until you start`)
          }
          note={
            lateText
              ? t`A late cancellation, or not turning up, lowers your reliability, which businesses see when you apply.`
              : isShift
                ? t`If you cancel later, or don’t turn up, it lowers your reliability, which businesses see when you apply. Within ${freeCancelMinutes} minutes of booking, cancelling is free.`
                : t`If you cancel after that, it lowers your reliability, which businesses see when you apply.`
          }
        />
        <PromiseFacts
          minimumMinutes={minimumMinutes}
          confirmBy={confirmBy?.toISOString()}
          timeZone={job.timeZone}
        />
        {isShift ? (
          <Fact
            icon="shield-check"
            title={t`If they cancel late, you're still paid`}
            note={t`Less than ${lateCancelHours} hours before the start, you get ${part} of your pay for up to ${maxTime}.`}
          />
        ) : null}
      </div>
      <Answers form={form} />
      {online ? null : (
        <Banner tone="wait" icon="wifi-slash" live>
          <Trans>You're offline. You can book when you're back online.</Trans>
        </Banner>
      )}
    </>
  );
}
