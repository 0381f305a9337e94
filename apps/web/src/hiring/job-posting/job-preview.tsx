import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { jobCost } from '@nearhand/contract/hiring/job-cost';
import type { Job, JobCard as JobCardData } from '@nearhand/contract/hiring/jobs';
import type { Business } from '@nearhand/contract/people/businesses';
import { workLimits } from '@nearhand/contract/work/limits';
import { settingsNow } from '../../lib/settings.ts';
import { formatMinutes, formatMoney, formatNumber, formatShare } from '../../lib/words/format.ts';
import { jobText } from '../../lib/words/job.labels.ts';
import { spanAt } from '../../lib/words/zoned-time.ts';
import { Badge } from '../../ui/badge.tsx';
import { PineCard } from '../../ui/card.tsx';
import { JobCard } from '../../ui/job-card.tsx';
import { headCountOf, type JobForm, type JobSetting, typedPaidMinutes, typedPay } from './job-form.rules.ts';
import { placeIn } from './job-place.rules.ts';

type PreviewProps = {
  form: JobForm;
  setting: JobSetting;
  business: Business;
  job: Job | null;
  /** The number of days on which the shift is posted. */
  shifts?: number;
  /** True if they are hired all together or not at all. */
  asBlock?: boolean;
};

/** The fees in force: the saved job's, since the operator may have changed them, otherwise the server's. */
const feesOf = (job: Job | null) => ({
  businessFeeBasisPoints: job?.pay.businessFeeBasisPoints ?? settingsNow().businessFeeBasisPoints,
  workerFeeBasisPoints: job?.pay.workerFeeBasisPoints ?? settingsNow().workerFeeBasisPoints,
});

function costOf({ form, setting, job }: PreviewProps) {
  const payMinor = typedPay(form, setting.currency);
  const minutes = form.kind === 'task' ? 0 : typedPaidMinutes(form, setting.timeZone);
  const headCount = headCountOf(form);
  if (payMinor === null || minutes === null || headCount === null) return null;
  const cost = jobCost({
    kind: form.kind,
    payMinor,
    paidMinutes: minutes,
    headCount,
    ...feesOf(job),
  });
  return { ...cost, payMinor, minutes, headCount };
}

function cardOf(props: PreviewProps): JobCardData | null {
  const { form, setting, business, job, shifts = 1, asBlock = false } = props;
  const payMinor = typedPay(form, setting.currency);
  const span = form.kind === 'shift' ? spanAt(form, setting.timeZone) : null;
  const cost = costOf(props);
  if (payMinor === null) return null;
  const place = placeIn(form, business);
  return {
    id: job?.id ?? '',
    kind: form.kind,
    title: form.title.trim(),
    category: form.category || 'office',
    business: {
      id: business.id,
      name: business.name,
      verified: business.status === 'verified',
      logoPath: business.logo?.path ?? null,
      rating: business.rating,
    },
    pay: {
      minor: payMinor,
      maxMinor: null,
      currency: setting.currency,
      unit: form.kind === 'task' ? 'fixed' : 'hour',
      paidMinutes: form.kind === 'task' ? null : (cost?.minutes ?? null),
      totalMinor: cost?.workerGetsMinor ?? null,
      ...feesOf(job),
    },
    place: {
      label: place.area.trim() || business.area,
      lat: place.point?.lat ?? business.lat,
      lng: place.point?.lng ?? business.lng,
      blurred: place.privateAddress,
    },
    distanceM: null,
    startsAt: span?.startsAt ?? null,
    endsAt: span?.endsAt ?? null,
    dueOn: form.kind === 'task' && form.dueOn ? form.dueOn : null,
    hoursNote: null,
    timeZone: setting.timeZone,
    spotsLeft: headCountOf(form) ?? 1,
    headCount: headCountOf(form) ?? 1,
    publishedAt: null,
    instantHire: form.instantHire,
    funded: form.instantHire,
    series:
      span && shifts > 1
        ? { shifts, firstStartsAt: span.startsAt, lastStartsAt: span.startsAt, payRange: null, asBlock }
        : null,
  };
}

export function JobPreview(props: PreviewProps) {
  const { t } = useLingui();
  const card = cardOf(props);
  const words = card ? jobText(card) : null;
  return (
    <section aria-label={t`Preview for workers`} className="job-preview">
      <h2 className="label">{t`Preview for workers`}</h2>
      <div inert className="mt3">
        <JobCard
          pay={words?.pay ?? t`Pay`}
          payNotes={words?.payNotes ?? []}
          title={props.form.title.trim() || t`Job title`}
          who={props.business.name}
          verified={props.business.status === 'verified'}
          category={props.form.category || props.business.category}
          near={words?.near ?? props.business.area}
          when={words?.when ?? null}
          to="#"
          level={3}
          badges={
            props.form.instantHire ? (
              <>
                <Badge tone="good" icon="shield-check">{t`Funded`}</Badge>
                <Badge icon="sparkle">{t`Instant hire`}</Badge>
              </>
            ) : null
          }
        />
      </div>
      <p className="xs mute mt2">
        <Trans>Workers see the distance from them instead of the town.</Trans>
      </p>
      {props.form.instantHire ? (
        <p className="xs mute mt1">
          <Trans>The first qualified people to apply are hired right away.</Trans>
        </p>
      ) : null}
      <div className="mt5">
        <CostCard {...props} />
      </div>
    </section>
  );
}

/** The business's cost (product.md, Money). An instant hire is reserved at publishing, the rest with the offer. */
export function CostCard(props: PreviewProps) {
  const { t } = useLingui();
  const cost = costOf(props);
  const { form, setting } = props;
  const money = (minor: number) => formatMoney(minor, setting.currency);
  const fees = feesOf(props.job);
  if (!cost) {
    return (
      <PineCard label={t`What it costs`}>
        <p className="sm mute">{t`Your total cost`}</p>
        <p className="sm mt2">
          {form.kind === 'shift'
            ? t`Fill in the hours and the pay to see what it costs.`
            : t`Fill in the pay to see what it costs.`}
        </p>
      </PineCard>
    );
  }
  const { shifts = 1 } = props;
  const rate = money(cost.payMinor);
  const length = formatMinutes(cost.minutes);
  const minimum = formatMinutes(Math.min(cost.minutes, workLimits.sentHomeMinutes));
  return (
    <PineCard label={t`What it costs`}>
      <p className="sm mute">{shifts > 1 ? t`Your total cost for ${shifts} shifts` : t`Your total cost`}</p>
      <p className="desk-figure" aria-live="polite">
        {money(cost.totalMinor * shifts)}
      </p>
      <div className="mt4 sm">
        <p className="pine-sum">
          <span>
            {form.kind === 'shift' ? (
              <Plural
                value={cost.headCount}
                one={`# person, ${length} at ${rate}`}
                other={`# people, ${length} at ${rate}`}
              />
            ) : (
              <Plural value={cost.headCount} one={`# person at ${rate}`} other={`# people at ${rate}`} />
            )}
            {shifts > 1 ? ` × ${formatNumber(shifts)}` : null}
          </span>
          <b className="strong">{money(cost.payAllMinor * shifts)}</b>
        </p>
        <p className="pine-sum">
          <span>{t`Nearhand fee, ${formatShare(fees.businessFeeBasisPoints)}`}</span>
          <b className="strong">{money(cost.businessFeeMinor * shifts)}</b>
        </p>
        <p className="pine-sum">
          {fees.workerFeeBasisPoints === 0 ? (
            <span>{t`Workers pay no fee`}</span>
          ) : (
            <>
              <span>{t`Workers pay`}</span>
              <b className="strong">{formatShare(fees.workerFeeBasisPoints)}</b>
            </>
          )}
        </p>
      </div>
      <p className="xs mt3 mute">
        {form.instantHire ? (
          <Trans>
            Publishing sets this aside from your balance to guarantee the pay. Whatever isn't used goes back
            to your balance.
          </Trans>
        ) : (
          <Trans>
            Publishing is free. We set the money aside when you make an offer, and return whatever isn't used
            to your balance.
          </Trans>
        )}
      </p>
      {form.instantHire && form.kind === 'shift' ? (
        <p className="xs mt2 mute">
          {t`If you send someone home early who came on time, you pay for at least ${minimum}, or for the time worked if it’s longer.`}
        </p>
      ) : null}
    </PineCard>
  );
}
