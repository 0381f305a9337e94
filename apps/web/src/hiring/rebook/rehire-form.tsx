import { Trans, useLingui } from '@lingui/react/macro';
import { jobCost } from '@nearhand/contract/hiring/job-cost';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { Offer } from '@nearhand/contract/hiring/offers';
import { limits } from '@nearhand/contract/limits';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { paidMinutes } from '@nearhand/contract/work/timesheets.rules';
import { useState } from 'react';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { settingsNow } from '../../lib/settings.ts';
import { formatMoney, minorDigits } from '../../lib/words/format.ts';
import {
  clockIn,
  instantAt,
  plainTime,
  sameWeekdayAhead,
  skippedText,
  skippedTime,
  spanAt,
  zoneTown,
} from '../../lib/words/zoned-time.ts';
import { HoldPayment } from '../../money/holds/hold-payment.tsx';
import { FundingPick } from '../../money/wallet/funding-pick.tsx';
import { Refused } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { SpanFields } from '../../ui/controls/span-fields.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import '../../ui/desk.css';
import { Form } from '../../ui/controls/form.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { useJob } from '../jobs/jobs.api.ts';
import { useOfferAgain } from './rebook.api.ts';

type AgainProps = {
  jobId: string;
  businessId: string;
  worker: { workerId: string; name: string };
  onSent: () => void;
  onBack: () => void;
};

export function AgainForm(props: AgainProps) {
  const { t } = useLingui();
  const query = useJob(props.jobId);
  const [unpaid, setUnpaid] = useState<Offer | null>(null);
  if (unpaid?.hold)
    return (
      <HoldPayment
        hold={unpaid.hold}
        answerBy={unpaid.expiresAt}
        businessId={props.businessId}
        workerName={props.worker.name}
        onPaid={props.onSent}
      />
    );
  return (
    <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load the job`}>
      {(job) => <RepeatForm {...props} job={job} onUnpaid={setUnpaid} />}
    </QueryState>
  );
}

type Values = { day: string; from: string; to: string; pay: string; message: string };

/** The times of the last job on its next weekday ahead. */
function nextTime(
  { startsAt, endsAt, dueOn, timeZone }: Job,
  now: Date,
): Pick<Values, 'day' | 'from' | 'to'> {
  const lastTime = startsAt ?? (dueOn === null ? null : instantAt(dueOn, '12:00', timeZone));
  const clockOf = (at: string | null) => (at === null ? '' : plainTime(clockIn(at, timeZone).time));
  return {
    day: lastTime === null ? '' : sameWeekdayAhead(lastTime, timeZone, now),
    from: clockOf(startsAt),
    to: clockOf(endsAt),
  };
}

function spanOf({ day, from, to }: Values, timeZone: string) {
  const span = spanAt({ day, from, to }, timeZone);
  return span && { startsAt: span.startsAt, endsAt: span.endsAt };
}

type RepeatFormProps = AgainProps & { job: Job; onUnpaid: (offer: Offer) => void };

function RepeatForm(props: RepeatFormProps) {
  const { job, businessId, worker, onBack } = props;
  const { t } = useLingui();
  const now = useNow();
  const [asks, setAsks] = useState(0);
  const { form, cost, funding, setFunding, action, send } = useRehireOffer(props, now);
  const { values, problems } = form;
  const { currency } = job.pay;
  const isShift = job.kind === 'shift';
  const firstDay = clockIn(now.toISOString(), job.timeZone).day;
  const money = (minor: number) => formatMoney(minor, currency);
  return (
    <Form
      onSubmit={() => {
        setAsks(asks + 1);
        void form.submit(send);
      }}
    >
      <p className="mute">
        <Trans>
          A copy of “{job.title}” for one person. Only {worker.name} sees it. If they decline, you can open it
          to everyone.
        </Trans>
      </p>
      {isShift ? (
        <SpanFields
          idOf={form.idOf}
          typed={values}
          problems={problems}
          firstDay={firstDay}
          timeZone={job.timeZone}
          onChange={form.change}
        />
      ) : (
        <TextInput {...form.textField('day')} type="date" label={t`Due by`} optional min={firstDay} />
      )}
      {isShift ? (
        <p className="help">
          <Trans>{zoneTown(job.timeZone)} time. If it ends before it starts, it ends the next day.</Trans>
        </p>
      ) : null}
      <TextInput
        {...form.textField('pay')}
        label={isShift ? t`Hourly pay` : t`Total pay`}
        help={t`The job's pay or more.`}
        inputMode="decimal"
        autoComplete="off"
        before={currency}
      />
      <TextArea
        {...form.textField('message')}
        label={t`Message to ${worker.name}`}
        optional
        rows={3}
        maxLength={limits.messageMax}
        length={values.message.length}
      />
      <div>
        <SumRow label={t`${worker.name} gets`} value={money(cost.workerGetsMinor)} />
        <SumRow label={t`Your cost`} value={money(cost.totalMinor)} total />
      </div>
      <FundingPick
        businessId={businessId}
        currency={currency}
        amountMinor={cost.totalMinor}
        offers={[{ job: { jobId: job.id, day: values.day || undefined }, amountMinor: cost.totalMinor }]}
        value={funding}
        onChange={setFunding}
        asks={asks}
      />
      <HelpLink article="make-an-offer">{t`How offers work`}</HelpLink>
      <Refused text={action.refusal} />
      <div className="row g2 sheet-act">
        <Button kind="quiet" onClick={onBack}>
          {t`Back`}
        </Button>
        <Button kind="go" type="submit" className="grow" busy={action.busy} disabled={funding === undefined}>
          {t`Offer ${money(cost.workerGetsMinor)}`}
        </Button>
      </div>
    </Form>
  );
}

/** The offer of a copy of `job` to one worker, and its cost at the typed times and pay. */
function useRehireOffer({ job, worker, onSent, onUnpaid }: RepeatFormProps, now: Date) {
  const { t } = useLingui();
  const offerAgain = useOfferAgain();
  const action = useAction();
  const [funding, setFunding] = useState<FundingSource | null>();
  const { currency } = job.pay;
  const isShift = job.kind === 'shift';
  const payOf = (values: Values) => minorFromTyped(values.pay, minorDigits(currency));
  const payProblem = (minor: number | null): string | undefined => {
    const floor = formatMoney(job.pay.minor, currency);
    const maxPay = formatMoney(hiringLimits.hourlyPayMaxMinor, currency);
    if (minor === null) return t`Enter an amount, like 18 or 18.50.`;
    if (minor < job.pay.minor) return t`Enter the job's pay of ${floor} or more.`;
    return isShift && minor > hiringLimits.hourlyPayMaxMinor ? t`Enter ${maxPay} or less.` : undefined;
  };
  const form = useFormModel<Values>({
    focusProblems: true,
    start: () => ({
      ...nextTime(job, now),
      pay: typedFromMinor(job.pay.minor, minorDigits(currency)),
      message: '',
    }),
    check: (values) => {
      const span = isShift ? spanOf(values, job.timeZone) : null;
      const skipped = isShift ? skippedTime(values, job.timeZone) : null;
      const pay = payOf(values);
      const long = tooLong(values.message, limits.messageMax);
      return {
        ...(skipped
          ? { [skipped]: skippedText(values[skipped]) }
          : isShift && span === null
            ? { day: t`Check the day and the times.` }
            : {}),
        ...(span && Date.parse(span.startsAt) <= now.getTime()
          ? { day: t`Choose a time in the future.` }
          : {}),
        pay: payProblem(pay),
        message: long,
      };
    },
  });
  const { values } = form;
  const span = isShift ? spanOf(values, job.timeZone) : null;
  const settings = settingsNow();
  const pay = payOf(values) ?? job.pay.minor;
  const cost = jobCost({
    kind: job.kind,
    payMinor: pay,
    headCount: 1,
    paidMinutes: span
      ? paidMinutes(new Date(span.startsAt), new Date(span.endsAt), job.breakMinutes, job.breakPaid)
      : 0,
    businessFeeBasisPoints: settings.businessFeeBasisPoints,
    workerFeeBasisPoints: settings.workerFeeBasisPoints,
  });
  const send = async () => {
    if (!funding) return;
    await action.run(async () => {
      const offer = await offerAgain.mutateAsync({
        jobId: job.id,
        workerId: worker.workerId,
        message: values.message.trim(),
        funding,
        payMinor: pay === job.pay.minor ? undefined : pay,
        ...(span ?? { dueOn: values.day === '' ? null : values.day }),
      });
      if (offer.status === 'funding') onUnpaid(offer);
      else onSent();
    });
  };
  return { form, cost, funding, setFunding, action, send };
}
