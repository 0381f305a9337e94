import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { minuteMs } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { OfferCandidate } from '@nearhand/contract/hiring/rebook';
import type { FundingSource } from '@nearhand/contract/money/wallet';
import { type PointerEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { isNetworkError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatMinutes, formatMoney, joined } from '../../lib/words/format.ts';
import { FundingPick } from '../../money/wallet/funding-pick.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { CheckGroup, type Choice } from '../../ui/controls/choices.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { matchText } from '../matching/match.labels.ts';
import { useMakeOffer } from '../offers/offers.api.ts';
import { useSavedWorkers } from '../pools/pools.api.ts';
import { bookingDoubts } from '../rebook/crew-sheet.tsx';
import { useOfferCandidates } from '../rebook/rebook.api.ts';
import { type DayShift, mayOfferSpots, openSpots } from './roster.rules.ts';

type OfferToProps = {
  shift: DayShift;
  businessId: string;
  /** The person who was dragged onto the shift, chosen at first. */
  person?: Person;
  open: boolean;
  onClose: () => void;
};

/** Offers the open spots of a shift to people of the business's pools and those who applied or worked there before. */
export function OfferToSheet({ open, onClose, ...props }: OfferToProps) {
  const { t } = useLingui();
  return (
    <Sheet open={open} onClose={onClose} title={t`Offer to people you know`}>
      {open ? <Candidates {...props} onDone={onClose} /> : null}
    </Sheet>
  );
}

type Props = Omit<OfferToProps, 'open' | 'onClose'> & { onDone: () => void };

function Candidates(props: Props) {
  const { t } = useLingui();
  const query = useOfferCandidates(props.shift.jobId);
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={5} />}
      errorTitle={t`We couldn't load your people`}
    >
      {(candidates) => (
        <>
          <WhyNotChosen {...props} candidates={candidates} />
          {candidates.length === 0 ? (
            <p className="mute">
              <Trans>
                People you saved, and people who applied or worked for you before, will appear here. Until
                then, invite people you find.
              </Trans>
            </p>
          ) : (
            <OfferForm {...props} candidates={candidates} />
          )}
        </>
      )}
    </QueryState>
  );
}

/** Says why the person who was dragged onto the shift is not chosen, if so. */
function WhyNotChosen({ shift, person, candidates }: Props & { candidates: readonly OfferCandidate[] }) {
  const { t } = useLingui();
  const suitabilityOf = useSuitability(shift);
  if (!person) return null;
  const candidate = candidates.find(({ worker }) => worker.workerId === person.workerId);
  if (candidate && candidate.refusal === null) return null;
  const name = person.name || t`Someone without a name`;
  return (
    <Banner tone="wait">
      {candidate
        ? `${name}: ${joined(...suitabilityOf(candidate).doubts)}`
        : t`${name} isn’t among the people you can offer this shift to.`}
    </Banner>
  );
}

const warningKinds = ['skills', 'distance', 'availability'] as const;

/** The reasons of the match against an offer: missing skills, a long way, or usual hours. */
function doubtsOf({ match }: OfferCandidate, timeZone: string): string[] {
  const warnings = match.filter(
    ({ kind, tone }) => tone === 'warning' && (warningKinds as readonly string[]).includes(kind),
  );
  return warnings.flatMap((reason) => matchText(reason, timeZone) ?? []);
}

type Suitability = { isDoubted: boolean; doubts: string[]; facts: string };

/**
 * Returns the doubts about offering someone the shift, and the facts for it. Only a refusal prevents an offer, never a
 * doubt.
 */
function useSuitability(shift: DayShift) {
  const { t } = useLingui();
  const refusals: Record<NonNullable<OfferCandidate['refusal']>, string> = {
    offered: t`Has an offer for this job`,
    ended: t`Declined this job or was rejected`,
    blocked: t`You blocked them`,
  };
  const { timeZone } = shift;
  return (candidate: OfferCandidate): Suitability => {
    const { pools, weekMinutes, refusal, match } = candidate;
    const distance = match.find(({ kind }) => kind === 'distance');
    const facts = [
      distance && distance.tone !== 'warning' ? matchText(distance, timeZone) : null,
      candidate.timesWorked > 0
        ? plural(candidate.timesWorked, { one: 'worked here once', other: 'worked here # times' })
        : null,
      weekMinutes > 0 ? t`${formatMinutes(weekMinutes)} with you that week` : null,
      ...pools,
    ];
    if (refusal !== null) return { isDoubted: true, doubts: [refusals[refusal]], facts: '' };
    const doubts = [...bookingDoubts(candidate, shift), ...doubtsOf(candidate, timeZone)];
    return { isDoubted: doubts.length > 0, doubts, facts: joined(...facts) };
  };
}

function useChoices(shift: DayShift) {
  const suitabilityOf = useSuitability(shift);
  return (candidates: readonly OfferCandidate[]) => {
    const suited: Choice<string>[] = [];
    const doubted: Choice<string>[] = [];
    for (const candidate of candidates) {
      const { worker, refusal } = candidate;
      const { isDoubted, doubts, facts } = suitabilityOf(candidate);
      (isDoubted ? doubted : suited).push({
        value: worker.workerId,
        label: worker.name,
        help: (
          <>
            {doubts.map((doubt) => (
              <span key={doubt} className="block warn">
                {doubt}
              </span>
            ))}
            {facts}
          </>
        ),
        disabled: refusal !== null,
      });
    }
    return { suited, doubted };
  };
}

export type Person = { workerId: string; name: string };

const hoverMs = 200;

/** Says whether the person who is dragged over a shift can take it, with a thumb. Needs the shift as its key. */
export function DropVerdict({ person, shift }: { person: Person; shift: DayShift }) {
  const { t } = useLingui();
  const suitabilityOf = useSuitability(shift);
  const [isHeld, setIsHeld] = useState(false);
  // A pointer crosses many shifts on its way, and each would be a request.
  useEffect(() => {
    const timer = setTimeout(() => setIsHeld(true), hoverMs);
    return () => clearTimeout(timer);
  }, []);
  const { data, error } = useOfferCandidates(shift.jobId, { enabled: isHeld, staleTime: minuteMs });
  const name = person.name || t`Someone without a name`;
  const candidate = data?.find(({ worker }) => worker.workerId === person.workerId);
  if (!data) return error ? errorText(error) : t`Checking whether ${name} can take it…`;
  if (!candidate) return t`Drop to see who you can offer it to`;
  const { isDoubted, doubts, facts } = suitabilityOf(candidate);
  return (
    <span className="row g2">
      <Icon name={isDoubted ? 'thumbs-down' : 'thumbs-up'} />
      {isDoubted ? joined(name, ...doubts) : joined(t`${name} can take it`, facts)}
    </span>
  );
}

/** People that the strip shows at first, and adds each time. */
const stripStep = 40;

/**
 * People to drag onto a shift: those on the week's shifts, the saved ones, and those who worked for the business. A second way in to *Offer to people
 * you know*, which the menu of a shift opens by keyboard and touch.
 */
export function PeopleStrip({
  shifts,
  businessId,
  onGrab,
}: {
  shifts: readonly DayShift[];
  businessId: string;
  onGrab: (event: PointerEvent<HTMLElement>, person: Person) => void;
}) {
  const { t } = useLingui();
  const saved = useSavedWorkers(businessId, {});
  const now = useNow();
  const openShift = shifts.find((shift) => mayOfferSpots(shift, now));
  const candidates = useOfferCandidates(openShift?.jobId ?? '', { enabled: openShift !== undefined });
  const [max, setMax] = useState(stripStep);
  return (
    <QueryState
      query={saved}
      loading={<RowsSkeleton count={1} />}
      errorTitle={t`We couldn't load your people`}
    >
      {({ pages }) => {
        const people = new Map<string, Person>();
        for (const { workerId, name } of shifts.flatMap((shift) => shift.people))
          people.set(workerId, { workerId, name });
        for (const { worker } of pages.flatMap(({ items }) => items))
          people.set(worker.workerId, { workerId: worker.workerId, name: worker.name });
        for (const { worker, timesWorked } of candidates.data ?? [])
          if (timesWorked > 0) people.set(worker.workerId, { workerId: worker.workerId, name: worker.name });
        const showMore = () => {
          setMax(max + stripStep);
          if (people.size < max + stripStep && saved.hasNextPage)
            void saved.fetchNextPage({ cancelRefetch: false });
        };
        return people.size === 0 ? (
          <p className="mute sm">{t`People you saved, and people who work or worked for you, will appear here.`}</p>
        ) : (
          <section className="col g2" aria-label={t`People you know`}>
            <p className="mute sm">
              {t`Drag someone onto an open spot to offer it to them. By keyboard, use the actions of the shift.`}
            </p>
            <div className="row wrap g2">
              {[...people.values()].slice(0, max).map((person) => (
                <span
                  key={person.workerId}
                  className="roster-person sm"
                  data-person={person.workerId}
                  dir="auto"
                  onPointerDown={(event) => onGrab(event, person)}
                >
                  {person.name || t`Someone without a name`}
                </span>
              ))}
              {people.size > max || saved.hasNextPage ? (
                <Button kind="text" size="s" busy={saved.isFetchingNextPage} onClick={showMore}>
                  {t`Show more`}
                </Button>
              ) : null}
            </div>
          </section>
        );
      }}
    </QueryState>
  );
}

/** Sends an offer to each worker, one after the other, and reports how many were sent and those refused. */
function useSendOffers({ shift, candidates, onDone }: Props & { candidates: readonly OfferCandidate[] }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const makeOffer = useMakeOffer();
  const [busy, setBusy] = useState(false);
  const nameOf = (id: string) => candidates.find(({ worker }) => worker.workerId === id)?.worker.name ?? '';
  const send = async (workerIds: readonly string[], funding: FundingSource | null | undefined) => {
    if (!funding || workerIds.length === 0 || busy) return;
    setBusy(true);
    const count = workerIds.length;
    const refusals: string[] = [];
    const statuses: string[] = [];
    for (const workerId of workerIds)
      try {
        const { status } = await makeOffer({ jobId: shift.jobId, workerId }, { message: '', funding });
        statuses.push(status);
      } catch (error) {
        refusals.push(`${nameOf(workerId)}: ${errorText(error)}`);
        if (isNetworkError(error)) break;
      }
    setBusy(false);
    const sentCount = statuses.filter((status) => status === 'sent').length;
    if (refusals.length > 0)
      await showAlert({ title: t`Not all offers were sent`, message: refusals.join('\n'), tone: 'bad' });
    else showToast(t`${sentCount} of ${count} offers sent`);
    onDone();
    // Offers by card are sent once it is charged; the others are paid from there.
    if (sentCount < statuses.length) navigate('/saved-workers');
  };
  return { busy, send };
}

function OfferForm(props: Props & { candidates: readonly OfferCandidate[] }) {
  const { shift, businessId, person, candidates } = props;
  const { t } = useLingui();
  const { suited, doubted } = useChoices(shift)(candidates);
  const { busy, send } = useSendOffers(props);
  const [chosenIds, setChosenIds] = useState<readonly string[]>(() =>
    candidates
      .filter(({ worker, refusal }) => worker.workerId === person?.workerId && refusal === null)
      .map(({ worker }) => worker.workerId),
  );
  const [funding, setFunding] = useState<FundingSource | null>();
  const [asks, setAsks] = useState(0);
  const spots = Math.min(openSpots(shift), hiringLimits.crewMax);
  const count = chosenIds.length;
  const amountMinor = (shift.costMinor ?? 0) * count;
  const groups = [
    { legend: t`Can take it`, icon: 'thumbs-up', options: suited },
    { legend: t`Check before you offer`, icon: 'thumbs-down', options: doubted },
  ] as const;
  return (
    <Form
      onSubmit={() => {
        setAsks(asks + 1);
        void send(chosenIds, funding);
      }}
    >
      <p className="mute">
        {t`${plural(spots, { one: '# open spot', other: '# open spots' })}. Each person has 48 hours to accept, and the pay is set aside first.`}
      </p>
      {groups.map(({ legend, icon, options }) =>
        options.length === 0 ? null : (
          <CheckGroup
            key={icon}
            legend={
              <span className="row g1">
                <Icon name={icon} /> {legend}
              </span>
            }
            options={options.map((option) => ({
              ...option,
              disabled: option.disabled || (count >= spots && !chosenIds.includes(option.value)),
            }))}
            value={chosenIds}
            onChange={setChosenIds}
          />
        ),
      )}
      {count > 0 ? (
        <FundingPick
          businessId={businessId}
          currency={shift.currency}
          amountMinor={amountMinor}
          offers={[{ job: { jobId: shift.jobId }, amountMinor }]}
          value={funding}
          onChange={setFunding}
          asks={asks}
        />
      ) : null}
      <div className="row g3 sheet-act">
        {count > 0 ? (
          <p>
            <span className="sm mute block">{t`Your cost`}</span>
            <span className="strong num">{formatMoney(amountMinor, shift.currency)}</span>
          </p>
        ) : null}
        <Button
          kind="go"
          type="submit"
          className="grow"
          needsNetwork
          busy={busy}
          disabled={funding === undefined || count === 0}
        >
          <Plural value={count} one="Send # offer" other="Send # offers" />
        </Button>
      </div>
    </Form>
  );
}
