import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { minuteMs } from '@nearhand/contract/durations';
import type { FindableWorker } from '@nearhand/contract/hiring/invitations';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import { limits } from '@nearhand/contract/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { type Weekday, weekdays } from '@nearhand/contract/people/profile-choices';
import { type SkillId, taxonomy } from '@nearhand/contract/people/taxonomy';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useTextDraft } from '../../lib/device/session-draft.ts';
import { tooLong } from '../../lib/forms/too-long.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDistance, formatMinutes, formatTenths, joined, weekdayText } from '../../lib/words/format.ts';
import { ratingText } from '../../lib/words/rating.labels.ts';
import { skillText } from '../../lib/words/taxonomy.labels.ts';
import { useBranches } from '../../people/branches/branches.api.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { ForBusiness } from '../../people/businesses/not-for-role.tsx';
import { languageName } from '../../people/profiles/profile.labels.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea } from '../../ui/controls/inputs.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { jobChoice } from '../jobs/job-choice.labels.ts';
import { useJob, useListedJobs } from '../jobs/jobs.api.ts';
import { missedDoubt, weekDoubt } from '../matching/match.labels.ts';
import { awayText, inviteOutcomeText, inviteResultText, timesWorkedText } from '../pools/pool.labels.ts';
import { useInviteAll } from './invitations.api.ts';
import './find-workers.css';

export default function FindWorkersScreen() {
  const { t } = useLingui();
  return (
    <ForBusiness
      screen="/find-workers"
      title={t`Find workers`}
      lead={t`Register a business to find and invite workers near you.`}
    >
      {(business) =>
        business.status === 'closed' ? <Closed /> : <FindWorkers key={business.id} business={business} />
      }
    </ForBusiness>
  );
}

function Closed() {
  const { t } = useLingui();
  return (
    <Screen title={t`Find workers`} back="menu" actions={<BusinessPick named />}>
      <EmptyState
        title={t`This business is closed`}
        art="door"
        actions={
          <ButtonLink kind="out" full to="/register-business">
            {t`Register another business`}
          </ButtonLink>
        }
      />
    </Screen>
  );
}

const allSkills: readonly SkillId[] = Object.values(taxonomy).flat();
const goodRatingTenths = 45;
const goodReliabilityPercent = 95;

type Filters = {
  branchId: string;
  /** Null until it is chosen: the first skill of the job of the link. */
  skill: SkillId | '' | null;
  day: Weekday | '';
  withinKm: number;
  rated: boolean;
  reliable: boolean;
};

/** The search for workers: its filters, the job to invite to, and the workers found and chosen. */
function useWorkerSearch(business: Business) {
  const { search } = useLocation();
  const [openedFor] = useState(() => new URLSearchParams(search).get('job') ?? '');
  const [jobId, setJobId] = useState(openedFor);
  const openedJob = useJob(openedFor);
  const job = useJob(jobId);
  const { startsAt = null, endsAt = null, timeZone = business.timeZone } = job.data ?? {};
  const shiftMinutes = startsAt && endsAt ? (Date.parse(endsAt) - Date.parse(startsAt)) / minuteMs : 0;
  const [filters, setFilters] = useState<Filters>({
    branchId: business.branchIds?.[0] ?? '',
    skill: null,
    day: '',
    withinKm: nearbyLimits.radiusDefaultKm,
    rated: false,
    reliable: false,
  });
  const [chosenIds, setChosenIds] = useState<readonly string[]>([]);
  const skill = filters.skill ?? openedJob.data?.skills[0] ?? '';
  const query = useQuery(
    apiQuery.invitations.find.queryOptions({
      enabled: !openedJob.isLoading,
      input: {
        businessId: business.id,
        branchId: filters.branchId || undefined,
        jobId: jobId || undefined,
        skill: skill || undefined,
        day: filters.day || undefined,
        withinKm: filters.withinKm,
        ratingTenths: filters.rated ? goodRatingTenths : undefined,
        reliabilityPercent: filters.reliable ? goodReliabilityPercent : undefined,
      },
      ...neverPersist,
    }),
  );
  const chosenWorkers = (query.data ?? []).filter(
    (worker) => chosenIds.includes(worker.workerId) && isInvitable(worker),
  );
  return {
    job,
    openedJob,
    shiftMinutes,
    timeZone,
    jobId,
    setJobId,
    query,
    filters: { ...filters, skill },
    changeFilters: (part: Partial<Filters>) => setFilters((before) => ({ ...before, ...part })),
    chosen: chosenWorkers,
    isChosen: (workerId: string) => chosenIds.includes(workerId),
    choose: (workerId: string, on: boolean) =>
      setChosenIds((before) => (on ? [...before, workerId] : before.filter((id) => id !== workerId))),
    chooseNone: () => setChosenIds([]),
  };
}

function FindWorkers({ business }: { business: Business }) {
  const { t } = useLingui();
  const wide = useWide();
  const search = useWorkerSearch(business);
  const { query, jobId, chosen } = search;
  const [inviting, setInviting] = useState(false);
  const panel = (
    <InvitePanel
      businessId={business.id}
      jobId={jobId}
      openedJob={search.openedJob.data}
      workers={chosen}
      onPickJob={search.setJobId}
      onDone={() => {
        search.chooseNone();
        setInviting(false);
      }}
    />
  );
  return (
    <Screen
      title={t`Find workers`}
      lead={t`People nearby who let businesses find and invite them.`}
      back="menu"
      width="wide"
      actions={<BusinessPick />}
      aside={
        wide ? (
          <div className="business-aside">
            <h2 className="h-m">{t`Invite to a job`}</h2>
            <div className="mt4">{panel}</div>
          </div>
        ) : undefined
      }
      asideLabel={t`Invite to a job`}
      onRefresh={() => query.refetch()}
      dock={
        !wide && chosen.length > 0 ? (
          <Button kind="go" full needsNetwork onClick={() => setInviting(true)}>
            <Plural
              value={chosen.length}
              _0="Choose who to invite"
              one="Invite # person"
              other="Invite # people"
            />
          </Button>
        ) : undefined
      }
    >
      <FilterBar business={business} filters={search.filters} onChange={search.changeFilters} />
      <QueryState
        query={query}
        loading={<RowsSkeleton />}
        errorTitle={t`We couldn't search for workers`}
        isEmpty={(data) => data.length === 0}
        empty={
          <EmptyState
            title={t`Nobody found`}
            level="h2"
            actions={
              jobId ? (
                <ButtonLink kind="out" full icon="share-network" to={`/share-job?job=${jobId}`}>
                  {t`Share the job`}
                </ButtonLink>
              ) : undefined
            }
          >
            <Trans>
              Search a wider area or remove a filter. Workers choose whether businesses can find them.
            </Trans>
          </EmptyState>
        }
      >
        {(workers) => <WorkerResults workers={workers} search={search} />}
      </QueryState>
      {wide ? null : (
        <Sheet open={inviting} onClose={() => setInviting(false)} title={t`Invite to a job`}>
          {panel}
        </Sheet>
      )}
    </Screen>
  );
}

function WorkerResults({
  workers,
  search: { job, shiftMinutes, timeZone, isChosen, choose },
}: {
  workers: readonly FindableWorker[];
  search: ReturnType<typeof useWorkerSearch>;
}) {
  return (
    <>
      <p className="sm mute mt3">
        {job.data?.startsAt ? (
          <Plural value={workers.length} one="# person" other="# people, usually free at that time first" />
        ) : job.data?.skills.length ? (
          <Plural value={workers.length} one="# person" other="# people, best skills for the job first" />
        ) : (
          <Plural value={workers.length} one="# person" other="# people, nearest first" />
        )}
      </p>
      <ul className="find-list mt3">
        {workers.map((worker) => (
          <WorkerOption
            key={worker.workerId}
            worker={worker}
            shiftMinutes={shiftMinutes}
            timeZone={timeZone}
            chosen={isChosen(worker.workerId)}
            onChoose={(on) => choose(worker.workerId, on)}
          />
        ))}
      </ul>
    </>
  );
}

const isInvitable = ({ outcome }: FindableWorker) => outcome === null || outcome === 'ready';

function FilterBar({
  business,
  filters,
  onChange,
}: {
  business: Business;
  filters: Filters;
  onChange: (part: Partial<Filters>) => void;
}) {
  const { t } = useLingui();
  const branches = (useBranches(business.id).data?.branches ?? []).filter(({ closed }) => !closed);
  const places = [
    ...(business.branchIds === null ? [{ value: '', label: business.name }] : []),
    ...branches.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <>
      <div className="find-filters">
        {places.length > 1 ? (
          <Select
            label={t`Near`}
            needsNetwork
            value={filters.branchId}
            options={places}
            onChange={(event) => onChange({ branchId: event.target.value })}
          />
        ) : null}
        <Select
          label={t`Distance`}
          needsNetwork
          value={String(filters.withinKm)}
          options={nearbyLimits.radiusChoicesKm.map((km) => ({
            value: String(km),
            label: formatDistance(km * 1000),
          }))}
          onChange={(event) => onChange({ withinKm: Number(event.target.value) })}
        />
        <Select
          label={t`Skill`}
          needsNetwork
          value={filters.skill ?? ''}
          placeholder={t`All skills`}
          options={allSkills.map((skill) => ({ value: skill, label: skillText(skill) }))}
          onChange={(event) => onChange({ skill: event.target.value as Filters['skill'] })}
        />
        <Select
          label={t`Usually free`}
          needsNetwork
          value={filters.day}
          placeholder={t`Any day`}
          options={weekdays.map((day) => ({ value: day, label: weekdayText(day) }))}
          onChange={(event) => onChange({ day: event.target.value as Filters['day'] })}
        />
      </div>
      <Chips label={t`Rating and reliability`} wrap>
        <Chip pressed={filters.rated} needsNetwork onClick={() => onChange({ rated: !filters.rated })}>
          {t`${formatTenths(goodRatingTenths)} or better`}
        </Chip>
        <Chip
          pressed={filters.reliable}
          needsNetwork
          onClick={() => onChange({ reliable: !filters.reliable })}
        >
          {t`${goodReliabilityPercent}% reliable`}
        </Chip>
      </Chips>
    </>
  );
}

function WorkerOption({
  worker,
  shiftMinutes,
  timeZone,
  chosen,
  onChoose,
}: {
  worker: FindableWorker;
  /** The length of the shift that people are found for; 0 without one. */
  shiftMinutes: number;
  timeZone: string;
  chosen: boolean;
  onChoose: (on: boolean) => void;
}) {
  const { t } = useLingui();
  const [first] = worker.skills;
  const title = worker.name || (first ? skillText(first.skill) : t`Worker`);
  const invitable = isInvitable(worker);
  const { weekMinutes, weekHoursMax } = worker;
  const doubts = [
    missedDoubt(worker.missedAt, timeZone),
    weekMinutes === null ? null : weekDoubt({ weekMinutes, weekHoursMax }, shiftMinutes),
  ].filter((text) => text !== null);
  return (
    <li>
      <label className={chosen && invitable ? 'opt find-worker on' : 'opt find-worker'}>
        {worker.name === null ? <Icon name="user-circle" /> : <Avatar name={worker.name} />}
        <span className="grow">
          <span className="strong wrap-any block">{title}</span>
          <span className="sm mute block">
            {worker.name === null ? t`Name shown once they apply or write` : timesWorkedText(worker)}
          </span>
          <span className="sm block mt2">
            {joined(
              ratingText(worker.rating) ?? t`No reviews yet`,
              worker.reliabilityPercent === null ? null : t`${worker.reliabilityPercent}% reliable`,
              worker.identityChecked ? t`Identity checked` : null,
              awayText(worker.distanceM),
            )}
          </span>
          <span className="sm mute block">
            {joined(
              ...worker.skills.map(({ skill, years }) =>
                years
                  ? `${skillText(skill)} (${plural(years, { one: '# year', other: '# years' })})`
                  : skillText(skill),
              ),
            )}
          </span>
          {worker.languages.length > 0 ? (
            <span className="sm mute block">
              {t`Speaks ${joined(...worker.languages.map(({ code }) => languageName(code)))}`}
            </span>
          ) : null}
          <FreeDays worker={worker} />
          {worker.weekHoursMax === null ? null : (
            <span className="sm mute block mt2">{t`At most ${formatMinutes(worker.weekHoursMax * 60)} a week`}</span>
          )}
          {doubts.map((doubt) => (
            <span key={doubt} className="sm warn block mt2">
              <Icon name="thumbs-down" /> {doubt}
            </span>
          ))}
          {invitable || worker.outcome === null ? null : (
            <span className="sm mid block mt2">{inviteOutcomeText(worker.outcome)}</span>
          )}
        </span>
        <span className="check-box">
          <input
            type="checkbox"
            className="check"
            aria-label={t`Choose ${title}`}
            checked={chosen && invitable}
            disabled={!invitable}
            onChange={(event) => onChoose(event.target.checked)}
          />
          <Icon name="check" />
        </span>
      </label>
    </li>
  );
}

function FreeDays({ worker: { availability } }: { worker: FindableWorker }) {
  const { t } = useLingui();
  const isFree = (day: Weekday) => availability.some((slot) => slot.day === day);
  const free = weekdays.filter(isFree);
  if (free.length === 0) return null;
  return (
    <>
      <span className="vh">{t`Usually free: ${joined(...free.map((day) => weekdayText(day)))}`}</span>
      <span className="find-week xs mute" aria-hidden="true">
        {weekdays.map((day) => (
          <span key={day} className={isFree(day) ? 'free' : undefined}>
            {weekdayText(day, 'short')}
          </span>
        ))}
      </span>
    </>
  );
}

function InvitePanel({
  businessId,
  jobId,
  openedJob,
  workers,
  onPickJob,
  onDone,
}: {
  businessId: string;
  jobId: string;
  openedJob: Job | undefined;
  workers: readonly FindableWorker[];
  onPickJob: (jobId: string) => void;
  onDone: () => void;
}) {
  const { t } = useLingui();
  const jobs = useListedJobs(businessId, { status: 'open' });
  const openJobs = (jobs.data?.pages.flatMap((page) => page.items) ?? []).map(jobChoice);
  // The job of a search for a replacement is open to invited people only, so it's not in the list.
  const options =
    openedJob && openJobs.every(({ value }) => value !== openedJob.id)
      ? [jobChoice(openedJob), ...openJobs]
      : openJobs;
  const invite = useInviteAll();
  const action = useAction();
  const draft = useTextDraft(`find workers ${businessId}`);
  const messageError = tooLong(draft.value, limits.messageMax);
  const [tried, setTried] = useState(false);
  if (jobs.data && options.length === 0)
    return (
      <EmptyState
        title={t`No open jobs`}
        level="h2"
        actions={
          <ButtonLink kind="go" full to="/create-job">
            {t`Create job`}
          </ButtonLink>
        }
      >
        <Trans>Publish a job, then invite people to it.</Trans>
      </EmptyState>
    );
  const send = () =>
    action.run(async () => {
      const { results } = await invite.mutateAsync({
        jobId,
        workerIds: workers.map(({ workerId }) => workerId),
        message: draft.value.trim(),
      });
      draft.drop();
      showToast(inviteResultText(results));
      onDone();
    });
  return (
    <Form
      onSubmit={() => {
        setTried(true);
        if (jobId && workers.length > 0 && !messageError) void send();
      }}
    >
      <Select
        label={t`Which job?`}
        needsNetwork
        value={jobId}
        placeholder={t`Choose a job`}
        error={tried && !jobId ? t`Choose a job to invite them to.` : undefined}
        options={options.map(({ value, label, help }) => ({ value, label: joined(label, help) }))}
        onChange={(event) => onPickJob(event.target.value)}
      />
      <TextArea
        label={t`Message`}
        optional
        rows={3}
        maxLength={limits.messageMax}
        length={draft.value.length}
        value={draft.value}
        error={messageError}
        onChange={(event) => draft.set(event.target.value)}
      />
      <Refused text={action.refusal} />
      <Button kind="go" type="submit" full busy={action.busy} disabled={workers.length === 0}>
        <Plural
          value={workers.length}
          _0="Choose who to invite"
          one="Invite # person"
          other="Invite # people"
        />
      </Button>
      <p className="sm mute">{t`They see the job and your business, and apply if they like it.`}</p>
    </Form>
  );
}
