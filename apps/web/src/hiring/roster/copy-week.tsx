import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { sumOf } from '@nearhand/contract/arithmetic';
import { addDays, daysPerWeek } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { IfDeclined } from '@nearhand/contract/hiring/rebook';
import type { Business } from '@nearhand/contract/people/businesses';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { allOf, formatCalendarDay, formatSum, formatTime, joined } from '../../lib/words/format.ts';
import { holidayOn } from '../../lib/words/holidays.ts';
import { Banner } from '../../ui/banner.tsx';
import { SumRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Check } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { JobRefusal } from '../job-posting/job-refusal.tsx';
import { IfDeclinedField, unreachableText } from '../rebook/crew-sheet.tsx';
import { type CopyOfShift, copiesOf, type DayShift, sumsOf, withDay } from './roster.rules.ts';

type CopyWeekProps = {
  business: Business;
  /** The first day of the week that the shifts are copied to. */
  first: string;
  /** The shifts already planned in the week that begins with `first`. */
  planned: readonly DayShift[];
  branchId: string | null;
  open: boolean;
  onClose: () => void;
};

/** Previews the shifts of the week before a week later, and posts the chosen ones, or offers them to the same people. */
export function CopyWeekSheet({ open, onClose, ...props }: CopyWeekProps) {
  const { t } = useLingui();
  return (
    <Sheet open={open} onClose={onClose} title={t`Copy last week`}>
      {open ? <LastWeek {...props} onDone={onClose} /> : null}
    </Sheet>
  );
}

type Props = Omit<CopyWeekProps, 'open' | 'onClose'> & { onDone: () => void };

function LastWeek({ business, first, planned, branchId, onDone }: Props) {
  const { t } = useLingui();
  const now = useNow();
  const query = useQuery(
    apiQuery.roster.week.queryOptions({
      input: { businessId: business.id, from: addDays(first, -daysPerWeek) },
      ...neverPersist,
    }),
  );
  return (
    <QueryState query={query} loading={<RowsSkeleton count={4} />} errorTitle={t`We couldn't load last week`}>
      {({ shifts }) => {
        const ofBranch = shifts.filter(({ branch }) => branchId === null || branch?.id === branchId);
        const copies = copiesOf(
          ofBranch.map((shift) => withDay(shift)),
          planned,
          now,
        );
        return copies.length === 0 ? (
          <p className="mute">
            <Trans>No shifts were posted in the week before.</Trans>
          </p>
        ) : (
          <ChooseCopies business={business} copies={copies} onDone={onDone} />
        );
      }}
    </QueryState>
  );
}

type SendOptions = { copies: readonly CopyOfShift[]; asDrafts: boolean; ifDeclined: IfDeclined | null };

/** Posts copies or saves them as drafts. `ifDeclined` is null unless they are offered to the same people. */
function useSendCopies({ business, onDone }: Pick<Props, 'business' | 'onDone'>) {
  const { t } = useLingui();
  const copy = useMutation(
    apiQuery.roster.copy.mutationOptions({ onSuccess: () => refetchChanged(['job']) }),
  );
  const [refused, setRefused] = useState<unknown>(null);
  const send = async ({ copies, asDrafts, ifDeclined }: SendOptions) => {
    if (copy.isPending) return;
    setRefused(null);
    const withPeople = ifDeclined !== null;
    const count = copies.length;
    try {
      const { copies: createdJobs, leftOut } = await copy.mutateAsync({
        businessId: business.id,
        jobIds: copies.map(({ shift }) => shift.jobId),
        days: daysPerWeek,
        asDrafts,
        withPeople,
        ifDeclined: ifDeclined ?? undefined,
      });
      const sentCount = sumOf(createdJobs, ({ offers }) => offers);
      const inReview = createdJobs.filter(({ status }) => status === 'in_review').length;
      const nameOf = (id: string) =>
        copies.flatMap(({ crew }) => crew).find(({ workerId }) => workerId === id)?.name;
      const withoutSpot = leftOut.filter(({ code }) => code === 'offer/no-spot').length;
      const unreachable = leftOut.filter(({ code }) => code !== 'offer/no-spot');
      const missedNames = unreachable.map(({ workerId }) => nameOf(workerId) || t`Someone without a name`);
      const news = joined(
        t`${plural(count, { one: '# shift posted', other: '# shifts posted' })}`,
        withPeople && t`${plural(sentCount, { one: '# offer sent', other: '# offers sent' })}`,
        withoutSpot > 0 &&
          t`${plural(withoutSpot, { one: 'No spot for # person', other: 'No spot for # people' })}`,
      );
      const remarks = [
        inReview > 0 &&
          (withPeople
            ? t`We're checking ${inReview} before workers see them. No offers were sent for these.`
            : t`We're checking ${inReview} before workers see them.`),
        missedNames.length > 0 && unreachableText(missedNames),
      ].filter((text) => text !== false);
      showToast(
        asDrafts
          ? t`${plural(count, { one: '# draft saved', other: '# drafts saved' })}`
          : remarks.length === 0
            ? news
            : `${news}. ${remarks.join(' ')}`,
      );
      onDone();
    } catch (error) {
      setRefused(error);
    }
  };
  return { refused, busy: copy.isPending, send };
}

function ChooseCopies({
  business,
  copies,
  onDone,
}: Pick<Props, 'business' | 'onDone'> & { copies: readonly CopyOfShift[] }) {
  const { t } = useLingui();
  const { refused, busy, send } = useSendCopies({ business, onDone });
  const [chosenIds, setChosenIds] = useState<readonly string[]>(() =>
    copies
      .filter(({ clash }) => clash === null)
      .map(({ shift }) => shift.jobId)
      .slice(0, hiringLimits.copiedShiftsMax),
  );
  const [withPeople, setWithPeople] = useState(false);
  const [ifDeclined, setIfDeclined] = useState<IfDeclined>('everyone');
  const chosenCopies = copies.filter(({ shift }) => chosenIds.includes(shift.jobId));
  const count = chosenCopies.length;
  const offerCount = sumOf(chosenCopies, ({ crew }) => crew.length);
  const isOverPeople = withPeople && offerCount > hiringLimits.copiedPeopleMax;
  const days = [...new Set(copies.map(({ day }) => day))];
  const { costs } = sumsOf(chosenCopies.map(({ shift }) => shift));
  const toggle = (jobId: string) =>
    setChosenIds((before) =>
      before.includes(jobId)
        ? before.filter((id) => id !== jobId)
        : [...before, jobId].slice(0, hiringLimits.copiedShiftsMax),
    );
  const post = async (asDrafts: boolean) => {
    if (chosenCopies.length === 0 || isOverPeople) return;
    await send({ copies: chosenCopies, asDrafts, ifDeclined: withPeople && !asDrafts ? ifDeclined : null });
  };
  return (
    <Form onSubmit={() => void post(false)}>
      <p className="mute">
        <Trans>The same shifts, seven days later.</Trans>
      </p>
      <JobRefusal
        error={refused}
        isStored={false}
        businessId={business.id}
        again={{ label: (amount) => t`Add ${amount} and publish`, run: () => void post(false) }}
      />
      {days.map((day) => (
        <CopiesOfDay
          key={day}
          day={day}
          countryCode={business.countryCode}
          copies={copies.filter((shift) => shift.day === day)}
          chosenIds={chosenIds}
          withPeople={withPeople}
          onToggle={toggle}
        />
      ))}
      {copies.length > hiringLimits.copiedShiftsMax ? (
        <p className="help">{t`You can copy up to ${hiringLimits.copiedShiftsMax} shifts at once.`}</p>
      ) : null}
      <Check
        label={t`Offer them to the same people`}
        help={
          withPeople && offerCount > 0
            ? t`${plural(offerCount, {
                one: '# offer, paid from your balance, or a week before the shift if it is a series.',
                other: '# offers, paid from your balance, or a week before each shift of a series.',
              })}`
            : t`Everyone booked last week gets an offer. Spots without an offer stay open to others.`
        }
        checked={withPeople}
        onChange={() => setWithPeople(!withPeople)}
      />
      {withPeople && offerCount > 0 ? <IfDeclinedField value={ifDeclined} onChange={setIfDeclined} /> : null}
      {isOverPeople ? (
        <Banner tone="bad">{t`You can send up to ${hiringLimits.copiedPeopleMax} offers at once. Choose fewer shifts.`}</Banner>
      ) : null}
      <SumRow total label={t`Cost with our fee`} value={formatSum(costs)} />
      <div className="row g2 wrap sheet-act">
        <Button
          kind="quiet"
          needsNetwork
          disabled={chosenCopies.length === 0 || withPeople}
          busy={busy}
          onClick={() => void post(true)}
        >
          {t`Save as drafts`}
        </Button>
        <Button
          kind="go"
          className="grow"
          type="submit"
          needsNetwork
          disabled={chosenCopies.length === 0 || isOverPeople}
          busy={busy}
        >
          {withPeople && offerCount > 0 ? (
            <Plural value={offerCount} one="Post and send # offer" other="Post and send # offers" />
          ) : (
            <Plural value={count} one="Post shift" other="Post # shifts" />
          )}
        </Button>
      </div>
    </Form>
  );
}

type CopiesOfDayProps = {
  day: string;
  countryCode: Business['countryCode'];
  copies: readonly CopyOfShift[];
  chosenIds: readonly string[];
  withPeople: boolean;
  onToggle: (jobId: string) => void;
};

function CopiesOfDay({ day, countryCode, copies, chosenIds, withPeople, onToggle }: CopiesOfDayProps) {
  const { t } = useLingui();
  const now = useNow();
  const reason: Record<NonNullable<CopyOfShift['clash']>, string> = {
    planned: t`Already planned`,
    past: t`In the past`,
    instant: t`Instant hire, to be posted on its own`,
  };
  return (
    <fieldset className="bare-set">
      <legend className="flabel">
        {joined(formatCalendarDay(day, { style: 'long', now }), holidayOn(countryCode, day))}
      </legend>
      {copies.map(({ shift, crew, clash }) => {
        const { jobId, title, startsAt, endsAt, timeZone, headCount, branch } = shift;
        return (
          <Check
            key={jobId}
            label={`${formatTime(startsAt, timeZone)}–${formatTime(endsAt, timeZone)} ${title}`}
            help={joined(
              clash ? reason[clash] : null,
              branch?.name,
              t`${plural(headCount, { one: '# person', other: '# people' })}`,
              withPeople && crew.length > 0 && allOf(crew.map(({ name }) => name)),
              formatSum(sumsOf([shift]).costs),
            )}
            checked={chosenIds.includes(jobId)}
            disabled={clash === 'past' || clash === 'instant'}
            onChange={() => onToggle(jobId)}
          />
        );
      })}
    </fieldset>
  );
}
