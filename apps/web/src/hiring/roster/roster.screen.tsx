import { plural, t } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { applicantsPath, engagementPath, jobPath } from '@nearhand/contract/app-paths';
import type { RosterPerson, RosterShift } from '@nearhand/contract/hiring/roster';
import { limits } from '@nearhand/contract/limits';
import type { Business } from '@nearhand/contract/people/businesses';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { unkept } from '../../lib/api/query-options.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import {
  dayIn,
  formatCalendarDay,
  formatMinutes,
  formatNumber,
  formatSum,
  formatTime,
  joined,
  ownTimeZone,
} from '../../lib/words/format.ts';
import { dayAfter } from '../../lib/words/zoned-time.ts';
import { useMayCreateJob } from '../../people/accounts/restrictions.tsx';
import { useBranches } from '../../people/branches/branches.api.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { useCurrentBusiness } from '../../people/businesses/businesses.api.ts';
import { NoBusiness } from '../../people/businesses/no-business.tsx';
import { NotForRole } from '../../people/businesses/not-for-role.tsx';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Button, ButtonLink, IconButton } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Link } from '../../ui/controls/link.tsx';
import '../../ui/desk.css';
import './roster.css';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { merchantStatusText } from '../../work/engagements/merchant.labels.ts';
import { daysOf, eachDay, weekdayLetters, weekStart } from '../calendar/calendar.rules.ts';
import { FromTemplate } from '../job-templates/from-template.tsx';
import {
  byTitle,
  type DayShift,
  gapsOf,
  isPosted,
  openSpots,
  type RosterSums,
  sumsOf,
  withDay,
} from './roster.rules.ts';

const CopyWeekSheet = lazyPart(async () => ({
  default: (await import('./copy-week.tsx')).CopyWeekSheet,
}));

export default function RosterScreen() {
  const { t } = useLingui();
  const { query, business } = useCurrentBusiness();
  if (business && !mayOpen(business, '/roster'))
    return <NotForRole business={business} screen="/roster" title={t`Roster`} />;
  return (
    <Screen title={t`Roster`} heading={null} back="/tabs/menu/jobs" width="wide">
      <QueryState query={query} loading={<PageSkeleton />} errorTitle={t`We couldn't load your business`}>
        {() =>
          business ? (
            <Roster key={business.id} business={business} />
          ) : (
            <NoBusiness>
              <Trans>The week of your business, with its shifts and who works them, will appear here.</Trans>
            </NoBusiness>
          )
        }
      </QueryState>
    </Screen>
  );
}

const isDay = (text: string | null): text is string =>
  text !== null && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** The week is in the address, so that it can be sent and Back returns to it. */
function useWeek(today: string) {
  const week = new URLSearchParams(useLocation().search).get('week');
  const navigate = useNavigate();
  const days = daysOf('week', isDay(week) ? week : today, weekStart());
  const go = (day: string) => navigate(`/roster?week=${day}`, { replace: true });
  return { days: eachDay(days), go };
}

function Roster({ business }: { business: Business }) {
  const { t } = useLingui();
  const now = useNow();
  const wide = useWide();
  const today = dayIn(now, ownTimeZone());
  const { days, go } = useWeek(today);
  const [first = today, last = today] = [days[0], days.at(-1)];
  const [branchId, setBranchId] = useState<string | null>(null);
  const [picked, setPicked] = useState(today);
  const [copying, setCopying] = useState(false);
  const branches = useBranches(business.id).data?.branches ?? [];
  const mayPost = useMayCreateJob(business);
  const query = useQuery(
    apiQuery.roster.week.queryOptions({ input: { businessId: business.id, from: first }, ...unkept }),
  );
  const ofBranch = (all: readonly RosterShift[]) =>
    all.filter(({ branch }) => branchId === null || branch?.id === branchId);
  const week = `${formatCalendarDay(first, { now })} – ${formatCalendarDay(last, { now })}`;
  return (
    <>
      <div className="desk-head">
        <h1 className="h-xl grow">{t`Roster`}</h1>
        <BusinessPick />
        {wide ? (
          <>
            <Button kind="out" size="s" onClick={() => globalThis.print()}>
              {t`Print`}
            </Button>
            {mayPost ? (
              <ButtonLink kind="go" size="s" icon="plus" to="/create-job">
                {t`Add shift`}
              </ButtonLink>
            ) : null}
          </>
        ) : null}
      </div>
      {mayPost && last >= today ? (
        <>
          <div className="row wrap g2 mt2 roster-acts">
            <Button kind="out" size="s" icon="copy" needsNetwork onClick={() => setCopying(true)}>
              {t`Copy last week`}
            </Button>
            <FromTemplate business={business} day={days.find((day) => day >= today) ?? today} />
          </div>
          {copying ? (
            <Suspense>
              <CopyWeekSheet
                open
                onClose={() => setCopying(false)}
                business={business}
                first={first}
                planned={(query.data?.shifts ?? []).map(withDay)}
                branchId={branchId}
              />
            </Suspense>
          ) : null}
        </>
      ) : null}
      <div className="row wrap g2 mt2">
        <IconButton icon="caret-left" label={t`Previous week`} onClick={() => go(dayAfter(first, -7))} />
        <p className="strong roster-week" aria-live="polite">
          {week}
        </p>
        <IconButton icon="caret-right" label={t`Next week`} onClick={() => go(dayAfter(first, 7))} />
        {today < first || today > last ? (
          <Button kind="text" size="s" onClick={() => go(today)}>
            {t`This week`}
          </Button>
        ) : null}
      </div>
      {branches.length > 1 ? (
        <Chips label={t`Branch`}>
          <Chip pressed={branchId === null} onClick={() => setBranchId(null)}>
            {t`All`}
          </Chip>
          {branches.map(({ id, name }) => (
            <Chip key={id} pressed={branchId === id} onClick={() => setBranchId(id)}>
              {name}
            </Chip>
          ))}
        </Chips>
      ) : null}
      <QueryState
        query={query}
        loading={<RowsSkeleton count={6} />}
        errorTitle={t`We couldn't load the roster`}
        isPageAge
        isEmpty={({ shifts }) => ofBranch(shifts).length === 0}
        empty={<NothingPlanned mayPost={mayPost} />}
      >
        {({ shifts, more }) => {
          const week = { shifts: ofBranch(shifts).map(withDay), days, today, now, mayPost };
          return (
            <>
              {more ? (
                <p className="help">{t`Only the first ${formatNumber(limits.rosterShiftsMax)} shifts of this week are shown.`}</p>
              ) : null}
              {wide ? (
                <WeekGrid {...week} />
              ) : (
                <DayList {...week} day={days.includes(picked) ? picked : first} onDay={setPicked} />
              )}
            </>
          );
        }}
      </QueryState>
    </>
  );
}

function NothingPlanned({ mayPost }: { mayPost: boolean }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No shifts this week`}
      actions={
        mayPost ? (
          <ButtonLink kind="ink" to="/create-job">
            {t`Add shift`}
          </ButtonLink>
        ) : undefined
      }
    >
      {mayPost ? <Trans>Post a shift, and choose the other days it is needed on.</Trans> : null}
    </EmptyState>
  );
}

type WeekProps = { shifts: DayShift[]; days: string[]; today: string; now: Date; mayPost: boolean };

function WeekGrid({ shifts, days, today, now }: WeekProps) {
  const { t } = useLingui();
  return (
    <div className="roster-scroll">
      <table className="roster-grid" aria-label={t`Roster`}>
        <thead>
          <tr>
            <th scope="col">
              <Sums sums={sumsOf(shifts)} large />
            </th>
            {days.map((day) => (
              <th key={day} scope="col" aria-current={day === today ? 'date' : undefined}>
                <p className="strong">{formatCalendarDay(day, { now })}</p>
                <Sums sums={sumsOf(shifts.filter((shift) => shift.day === day))} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {byTitle(shifts).map((group) => (
            <tr key={group.title}>
              <th scope="row">
                <p className="h-s">{group.title}</p>
                <Gaps count={gapsOf(group.shifts, now)} />
              </th>
              {days.map((day) => (
                <td key={day}>
                  <Spots shifts={group.shifts.filter((shift) => shift.day === day)} now={now} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function DayList({
  shifts,
  days,
  today,
  now,
  mayPost,
  day,
  onDay,
}: WeekProps & { day: string; onDay: (day: string) => void }) {
  const { t } = useLingui();
  const ofDay = (one: string) => shifts.filter((shift) => shift.day === one);
  const here = ofDay(day);
  return (
    <>
      <fieldset className="bare-set roster-days" aria-label={t`Days`}>
        {days.map((one) => {
          const gaps = gapsOf(ofDay(one), now);
          return (
            <button
              key={one}
              type="button"
              aria-pressed={one === day}
              aria-current={one === today ? 'date' : undefined}
              aria-label={joined(
                formatCalendarDay(one, { style: 'long', now }),
                t`${plural(gaps, { one: '# gap', other: '# gaps' })}`,
              )}
              onClick={() => onDay(one)}
            >
              <span className="xs">{weekdayLetters(one)}</span>
              <span className="strong num">{Number(one.slice(8))}</span>
              <span className={gaps > 0 ? 'xs danger' : 'xs mute'}>
                {gaps > 0
                  ? t`${plural(gaps, { one: '# gap', other: '# gaps' })}`
                  : ofDay(one).length > 0
                    ? t`full`
                    : '–'}
              </span>
            </button>
          );
        })}
      </fieldset>
      {here.length === 0 ? (
        <p className="mute mt4">{t`No shifts on this day.`}</p>
      ) : (
        <div className="pinecard roster-sum">
          <Sums sums={sumsOf(here)} large />
        </div>
      )}
      {byTitle(here).map((group) => (
        <section key={group.title} className="mt4">
          <div className="row base">
            <h2 className="h-m grow">{group.title}</h2>
            <Gaps count={gapsOf(group.shifts, now)} />
          </div>
          <Spots shifts={group.shifts} now={now} />
        </section>
      ))}
      {mayPost ? (
        <div className="mt5">
          <ButtonLink kind="out" full icon="plus" to="/create-job">
            {t`Add shift`}
          </ButtonLink>
        </div>
      ) : null}
    </>
  );
}

function Sums({ sums: { minutes, costs }, large = false }: { sums: RosterSums; large?: boolean }) {
  const cost = formatSum(costs);
  if (minutes === 0) return <p className="sm mute">–</p>;
  return large ? (
    <p>
      <span className="h-m block num">{cost}</span>
      <span className="sm mute">{formatMinutes(minutes)}</span>
    </p>
  ) : (
    <p className="sm mute num">{joined(cost, formatMinutes(minutes))}</p>
  );
}

function Gaps({ count }: { count: number }) {
  return count > 0 ? (
    <span className="badge bad">
      <Icon name="warning-circle" />
      <Plural value={count} one="# gap" other="# gaps" />
    </span>
  ) : (
    <span className="badge good">
      <Icon name="check" />
      <Trans>No gaps</Trans>
    </span>
  );
}

function Spots({ shifts, now }: { shifts: readonly RosterShift[]; now: Date }) {
  return (
    <div className="roster-spots">
      {shifts
        .flatMap((shift) => spotsOf(shift, now))
        .map(({ key, ...spot }) => (
          <Spot key={key} {...spot} />
        ))}
    </div>
  );
}

type SpotProps = { key: string; to: string; hours: string; name: string; note: string; tone: string };

/** One card per person, then one for all open spots. */
function spotsOf(shift: RosterShift, now: Date): SpotProps[] {
  const hours = `${formatTime(shift.startsAt, shift.timeZone)}–${formatTime(shift.endsAt, shift.timeZone)}`;
  const started = Date.parse(shift.startsAt) <= now.getTime();
  const people = shift.people.map((person) => {
    const { label, tone } = personText(person, started);
    return {
      key: `${shift.jobId}${person.id}`,
      to:
        person.status === 'offered'
          ? applicantsPath(shift.jobId, person.id)
          : engagementPath(person.id, 'business'),
      hours,
      name: person.name,
      note: label,
      tone: tone ?? 'plain',
    };
  });
  const open = openSpots(shift);
  return open === 0
    ? people
    : [...people, { ...openText(shift, open, started), key: `${shift.jobId}open`, hours }];
}

function personText({ status }: RosterPerson, started: boolean): { label: string; tone?: string } {
  if (status === 'offered') return { label: t`Offered`, tone: 'wait' };
  return merchantStatusText({ status }, started);
}

function openText(shift: RosterShift, open: number, started: boolean): Omit<SpotProps, 'key' | 'hours'> {
  if (!isPosted(shift))
    return {
      to: shift.status === 'draft' ? `/create-job?job=${shift.jobId}` : jobPath(shift.jobId),
      name: t`${plural(open, { one: '# person', other: '# people' })}`,
      note: shift.status === 'draft' ? t`Draft` : t`In review`,
      tone: 'draft',
    };
  return {
    to: applicantsPath(shift.jobId, null),
    name: t`${plural(open, { one: '# open', other: '# open' })}`,
    note: started
      ? t`Not filled`
      : shift.status === 'paused'
        ? t`Paused`
        : t`${plural(shift.applicants, { one: '# applied', other: '# applied' })}`,
    tone: started ? 'plain' : 'bad',
  };
}

function Spot({ to, hours, name, note, tone }: Omit<SpotProps, 'key'>) {
  return (
    <Link className={`roster-spot ${tone}`} to={to}>
      <span className="sm num roster-hours">{hours}</span>
      <span className="strong sm break" dir="auto">
        {name}
      </span>
      <span className="xs">{note}</span>
    </Link>
  );
}
