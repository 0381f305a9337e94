import { t } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { dayIn, minuteMs } from '@nearhand/contract/durations';
import { jobCost } from '@nearhand/contract/hiring/job-cost';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { IfDeclined, OfferCandidate } from '@nearhand/contract/hiring/rebook';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useFormModel } from '../../lib/forms/form-model.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { settingsNow } from '../../lib/settings.ts';
import { formatMoney, formatTime, joined } from '../../lib/words/format.ts';
import { sameWeekdayAhead } from '../../lib/words/zoned-time.ts';
import { FundingPick } from '../../money/wallet/funding-pick.tsx';
import { Refused } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CheckGroup, RadioGroup } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useJob } from '../jobs/jobs.api.ts';
import { missedDoubt, weekDoubt } from '../matching/match.labels.ts';
import { useOfferCandidates, useOfferCrew } from './rebook.api.ts';

export type Crew = { jobId: string; people: { workerId: string; name: string }[] };

/** The people who got no offer because the business can't contact them. */
export function unreachableText(names: readonly string[]): string {
  const missed = joined(...names);
  return t`You can't contact ${missed}.`;
}

/** The reasons to check before a shift is offered to someone: a no-show, another booking, a full week. */
export function bookingDoubts(
  candidate: Pick<OfferCandidate, 'missedAt' | 'isBooked' | 'weekMinutes' | 'weekHoursMax'>,
  { startsAt, endsAt, timeZone }: { startsAt: string; endsAt: string; timeZone: string },
): string[] {
  const minutes = (Date.parse(endsAt) - Date.parse(startsAt)) / minuteMs;
  return [
    missedDoubt(candidate.missedAt, timeZone),
    candidate.isBooked ? t`Booked at that time` : null,
    weekDoubt(candidate, minutes),
  ].filter((text) => text !== null);
}

type CrewProps = { crew: Crew | null; businessId: string | undefined; onClose: () => void };

/** Offers a copy of a shift on another day to everyone who worked it, as one job. */
export function CrewSheet({ crew, businessId, onClose }: CrewProps) {
  const { t } = useLingui();
  const query = useJob(crew?.jobId ?? '');
  return (
    <Sheet open={crew !== null} onClose={onClose} title={t`Book the same crew`}>
      {crew && businessId ? (
        <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load the job`}>
          {(job) => <CrewForm key={job.id} crew={crew} job={job} businessId={businessId} onDone={onClose} />}
        </QueryState>
      ) : null}
    </Sheet>
  );
}

type Values = { day: string };

type CrewFormProps = { crew: Crew; job: Job; businessId: string; onDone: () => void };

function CrewForm(props: CrewFormProps) {
  const { crew, job, businessId } = props;
  const { t } = useLingui();
  const offer = useCrewOffer(props);
  const { form, chosenIds, totalMinor, funding, action } = offer;
  const [asks, setAsks] = useState(0);
  const { timeZone, startsAt, endsAt } = job;
  const { currency } = job.pay;
  const count = chosenIds.length;
  return (
    <Form
      onSubmit={() => {
        setAsks(asks + 1);
        void form.submit(offer.send);
      }}
    >
      <p className="mute">
        {startsAt && endsAt ? (
          <Trans>
            “{job.title}” on another day, {formatTime(startsAt, timeZone)}–{formatTime(endsAt, timeZone)}.
            Only these people see it, and each has 48 hours to accept.
          </Trans>
        ) : null}
      </p>
      <TextInput {...form.textField('day')} type="date" label={t`Day`} min={offer.today} />
      <CrewPick
        people={crew.people}
        job={job}
        day={offer.isPast ? null : form.values.day}
        value={chosenIds}
        onChange={offer.setChosenIds}
      />
      <IfDeclinedField value={offer.ifDeclined} onChange={offer.setIfDeclined} />
      <SumRow label={t`Your cost`} value={formatMoney(totalMinor, currency)} total />
      <FundingPick
        businessId={businessId}
        currency={currency}
        amountMinor={totalMinor}
        offers={[{ job: { jobId: job.id, day: form.values.day || undefined }, amountMinor: totalMinor }]}
        value={funding}
        onChange={offer.setFunding}
        asks={asks}
      />
      <Refused text={action.refusal} />
      <div className="row g2 sheet-act">
        <Button
          kind="go"
          type="submit"
          className="grow"
          needsNetwork
          busy={action.busy}
          disabled={funding === undefined || count === 0}
        >
          <Plural value={count} one="Send # offer" other="Send # offers" />
        </Button>
      </div>
    </Form>
  );
}

/** The day, people and funding of the offers, their cost, and sending them. */
function useCrewOffer({ crew: { people }, job, onDone }: CrewFormProps) {
  const { t } = useLingui();
  const now = useNow();
  const navigate = useNavigate();
  const offerCrew = useOfferCrew();
  const action = useAction();
  const [chosenIds, setChosenIds] = useState<readonly string[]>(() =>
    people.map(({ workerId }) => workerId).slice(0, hiringLimits.crewMax),
  );
  const [funding, setFunding] = useState<FundingSource | null>();
  const [ifDeclined, setIfDeclined] = useState<IfDeclined>('nobody');
  const { timeZone, startsAt } = job;
  const today = dayIn(timeZone, now);
  const dayProblem = (day: string): string | undefined => {
    if (day === '') return t`Choose a day.`;
    return day < today ? t`This day has passed. Choose a later one.` : undefined;
  };
  const form = useFormModel<Values>({
    focusProblems: true,
    start: () => ({ day: startsAt === null ? '' : sameWeekdayAhead(startsAt, timeZone, now) }),
    check: ({ day }) => ({ day: dayProblem(day) }),
  });
  const count = chosenIds.length;
  const settings = settingsNow();
  const { totalMinor } = jobCost({
    kind: 'shift',
    payMinor: job.pay.minor,
    paidMinutes: job.pay.paidMinutes ?? 0,
    headCount: count,
    businessFeeBasisPoints: settings.businessFeeBasisPoints,
    workerFeeBasisPoints: settings.workerFeeBasisPoints,
  });
  const send = async ({ day }: Values) => {
    if (!funding || count === 0) return;
    await action.run(async () => {
      const { offers, leftOut } = await offerCrew.mutateAsync({
        jobId: job.id,
        workerIds: [...chosenIds],
        day,
        funding,
        ifDeclined,
      });
      const sentCount = offers.filter(({ status }) => status === 'sent').length;
      const sentText = t`${sentCount} of ${count} offers sent`;
      const missedNames = leftOut.map(({ workerId }) => nameIn(people, workerId));
      showToast(missedNames.length === 0 ? sentText : `${sentText}. ${unreachableText(missedNames)}`, {
        label: t`Show in roster`,
        run: () => navigate(`/roster?week=${day}`),
      });
      onDone();
      // Offers by card are sent once it is charged; the others are paid from there.
      if (sentCount < offers.length) navigate('/saved-workers');
    });
  };
  const isPast = form.values.day < today;
  const choices = { chosenIds, setChosenIds, funding, setFunding, ifDeclined, setIfDeclined };
  return { ...choices, form, action, send, totalMinor, today, isPast };
}

const nameIn = (people: Crew['people'], id: string): string =>
  people.find(({ workerId }) => workerId === id)?.name ?? '';

type CrewPickProps = {
  people: Crew['people'];
  job: Job;
  /** Null for a day that has passed: nobody is asked to be free on it. */
  day: string | null;
  value: readonly string[];
  onChange: (ids: readonly string[]) => void;
};

/** The people to offer the shift to, with what to check before. */
function CrewPick({ people, job, day, value, onChange }: CrewPickProps) {
  const { t } = useLingui();
  const { timeZone, startsAt, endsAt } = job;
  const readIds = people.map(({ workerId }) => workerId).slice(0, hiringLimits.offerCandidatesMax);
  const candidates = useOfferCandidates(job.id, {
    day: day ?? '',
    workerIds: readIds.join(','),
    enabled: day !== null,
  });
  const helpOf = (id: string) => {
    const candidate = candidates.data?.find(({ worker }) => worker.workerId === id);
    if (!candidates.data || !readIds.includes(id) || !startsAt || !endsAt) return null;
    const doubts =
      candidate && candidate.refusal !== 'blocked'
        ? bookingDoubts(candidate, { startsAt, endsAt, timeZone })
        : [unreachableText([nameIn(people, id)])];
    return doubts.length === 0 ? null : <span className="warn">{joined(...doubts)}</span>;
  };
  const hasUnchecked = candidates.data !== undefined && value.some((id) => !readIds.includes(id));
  return (
    <>
      <CheckGroup
        legend={t`Who?`}
        options={people.map(({ workerId, name }) => ({
          value: workerId,
          label: name,
          help: helpOf(workerId),
        }))}
        value={value}
        onChange={onChange}
      />
      {candidates.isLoading ? (
        <p className="help" role="status">{t`Checking who is free…`}</p>
      ) : candidates.isError || hasUnchecked ? (
        <p className="help warn" role="status">
          {t`We couldn’t check whether everyone is free that day. Ask them before you send offers.`}
        </p>
      ) : null}
    </>
  );
}

/** Asks what becomes of an offered spot that is free again (ADR 407). */
export function IfDeclinedField({
  value,
  onChange,
}: {
  value: IfDeclined;
  onChange: (value: IfDeclined) => void;
}) {
  const { t } = useLingui();
  return (
    <RadioGroup
      legend={t`If someone declines or doesn’t answer`}
      options={[
        {
          value: 'pools',
          label: t`Offer it to the next in your pools`,
          help: t`We offer it to one person at a time who has the skills and is free, and pay from your balance. If nobody accepts, it opens to everyone.`,
        },
        {
          value: 'everyone',
          label: t`Open the spot to everyone`,
          help: t`People with a matching saved search, your followers and your people get a notice.`,
        },
        {
          value: 'colleagues',
          label: t`Open it and ask your people`,
          help: t`People who’ve done this work for you or are in your pools, and who have the skills and are free.`,
        },
        {
          value: 'nobody',
          label: t`Keep it paused`,
          help: t`You get a notice, and the roster shows the spot until you open it or offer it.`,
        },
      ]}
      value={value}
      onChange={onChange}
    />
  );
}
