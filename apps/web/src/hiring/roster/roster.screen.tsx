import { plural, t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { applicantsPath, engagementPath, giveawayPath, jobPath } from '@nearhand/contract/app-paths';
import { addDays, dayIn } from '@nearhand/contract/durations';
import { hiringLimits } from '@nearhand/contract/hiring/limits';
import type { RosterPerson, RosterShift } from '@nearhand/contract/hiring/roster';
import type { Business } from '@nearhand/contract/people/businesses';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { persistForDay } from '../../lib/api/query-options.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import {
  formatCalendarDay,
  formatMinutes,
  formatNumber,
  formatSum,
  formatTime,
  joined,
  ownTimeZone,
} from '../../lib/words/format.ts';
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
import { Segmented } from '../../ui/controls/segmented.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import '../../ui/desk.css';
import './roster.css';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton, RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { replacementText, useReplacements } from '../../work/business-engagements/replacement.tsx';
import { businessWorkText } from '../../work/engagements/business-work.labels.ts';
import { daysOf, eachDay, isDay, weekdayLetters, weekStart } from '../calendar/calendar.rules.ts';
import type { AddAt } from './add-shift.tsx';
import { DragArea } from './move-shift.tsx';
import {
  byTitle,
  byWorker,
  type DayShift,
  isEnded,
  isPaused,
  isPosted,
  openSpots,
  type RosterRow,
  type RosterSums,
  type Staffing,
  staffingOf,
  sumsOf,
  withDay,
} from './roster.rules.ts';

const CopyWeekSheet = lazyPart(async () => ({
  default: (await import('./copy-week.tsx')).CopyWeekSheet,
}));

const PublishDraftsSheet = lazyPart(async () => ({
  default: (await import('./publish-drafts.tsx')).PublishDraftsSheet,
}));

const AddShiftSheet = lazyPart(async () => ({
  default: (await import('./add-shift.tsx')).AddShiftSheet,
}));

const ShiftMenu = lazyPart(async () => ({
  default: (await import('./shift-menu.tsx')).ShiftMenu,
}));

const RosterPdfSheet = lazyPart(async () => ({
  default: (await import('./roster-pdf.tsx')).RosterPdfSheet,
}));

const RosterBudget = lazyPart(async () => ({
  default: (await import('../../money/budgets/budgets.tsx')).RosterBudget,
}));

export default function RosterScreen() {
  const { t } = useLingui();
  const { query, business } = useCurrentBusiness();
  if (business && !mayOpen(business, '/roster'))
    return <NotForRole business={business} screen="/roster" title={t`Roster`} />;
  return (
    // The side menu of a desktop leads back too, and a bar would take the room of a shift.
    <Screen title={t`Roster`} heading={null} back="/tabs/menu/jobs" inMenu width="wide">
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

/**
 * The week and the kind of rows are in the address, so that it can be sent and Back returns to it. Without one it is this week, or on
 * its last day the next one, if every shift had ended when the page was opened.
 */
function useWeek(businessId: string, now: Date) {
  const search = new URLSearchParams(useLocation().search);
  const week = search.get('week');
  const isByWorker = search.get('rows') === 'worker';
  const navigate = useNavigate();
  const [openedAt] = useState(now);
  const today = dayIn(ownTimeZone(), now);
  const thisWeek = daysOf('week', today, weekStart());
  const isLastDay = !isDay(week) && today === thisWeek.last;
  const { data } = useQuery({ ...weekQuery(businessId, thisWeek.first), enabled: isLastDay });
  const isOver =
    isLastDay && data?.shifts.every(({ endsAt }) => Date.parse(endsAt) <= openedAt.getTime()) === true;
  const around = isDay(week) ? week : isOver ? addDays(today, 1) : today;
  const days = daysOf('week', around, weekStart());
  const open = (change: { week?: string; rows?: 'role' | 'worker' }) => {
    const next = new URLSearchParams({ week: days.first, rows: isByWorker ? 'worker' : 'role', ...change });
    if (next.get('rows') === 'role') next.delete('rows');
    navigate(`/roster?${next}`, { replace: true });
  };
  return { today, days: eachDay(days), isByWorker, open };
}

const weekQuery = (businessId: string, from: string) =>
  apiQuery.roster.week.queryOptions({ input: { businessId, from }, ...persistForDay });

/** The shifts of a week at a branch, or at all of them. */
function useShifts(businessId: string, first: string) {
  const [branchId, setBranchId] = useState<string | null>(null);
  const query = useQuery(weekQuery(businessId, first));
  const replacements = useReplacements(businessId);
  const ofBranch = (all: readonly RosterShift[]) =>
    all.filter(({ branch }) => branchId === null || branch?.id === branchId);
  const withWeek = (shift: RosterShift) => withDay(shift, replacements.data?.items);
  const atAllBranches = (query.data?.shifts ?? []).map(withWeek);
  const planned = ofBranch(query.data?.shifts ?? []).map(withWeek);
  return { query, branchId, setBranchId, planned, atAllBranches };
}

type OpenSheet =
  | { kind: 'copy' }
  | { kind: 'pdf' }
  | { kind: 'publish' }
  | { kind: 'add'; at: AddAt }
  | { kind: 'menu'; shift: DayShift };

function Roster({ business }: { business: Business }) {
  const { t } = useLingui();
  const now = useNow();
  const wide = useWide();
  const week = useWeek(business.id, now);
  const { today, days, isByWorker, open } = week;
  const [first = today] = days;
  const shifts = useShifts(business.id, first);
  const { query, branchId, planned } = shifts;
  const [pickedDay, setPickedDay] = useState(today);
  const [sheet, setSheet] = useState<OpenSheet | null>(null);
  const mayPost = useMayCreateJob(business);
  const nextDay = days.find((day) => day >= today);
  const drafts = planned.filter(
    ({ status, startsAt }) => status === 'draft' && Date.parse(startsAt) > now.getTime(),
  );
  const onAdd = mayPost ? (at: AddAt) => setSheet({ kind: 'add', at }) : null;
  const openMenu = ({ jobId }: DayShift) => {
    // A card by worker has only its own part of the shift.
    const shift = planned.find((plannedShift) => plannedShift.jobId === jobId);
    setSheet(shift ? { kind: 'menu', shift } : null);
  };
  const rowsChoice = (
    <Segmented
      label={t`Rows`}
      options={[
        { value: 'role', label: t`By role` },
        { value: 'worker', label: t`By worker` },
      ]}
      value={isByWorker ? 'worker' : 'role'}
      onChange={(rows) => open({ rows })}
    />
  );
  const toPdf = (
    <Button kind="text" size="s" needsNetwork onClick={() => setSheet({ kind: 'pdf' })}>
      {t`Save as PDF`}
    </Button>
  );
  const plan = { shifts: planned, days, today, now, isByWorker, onAdd, onMenu: mayPost ? openMenu : null };
  return (
    <>
      <RosterHead week={week} now={now} drafts={drafts} onSheet={mayPost ? setSheet : null} />
      <RosterSheets
        sheet={sheet}
        business={business}
        first={first}
        drafts={drafts}
        shifts={shifts}
        isByWorker={isByWorker}
        onClose={() => setSheet(null)}
      />
      {wide ? <div className="roster-rows">{rowsChoice}</div> : null}
      <BranchChips businessId={business.id} branchId={branchId} onBranch={shifts.setBranchId} />
      <Suspense>
        <RosterBudget
          business={business}
          branchId={branchId}
          days={days.map((day) => ({ day, ...sumsOf(planned.filter((shift) => shift.day === day)) }))}
        />
      </Suspense>
      <QueryState
        query={query}
        loading={<RowsSkeleton count={6} />}
        errorTitle={t`We couldn't load the roster`}
        isPageAge
        isEmpty={() => planned.length === 0}
        empty={
          <NothingPlanned onAdd={onAdd && nextDay ? () => onAdd({ day: nextDay, title: null }) : null} />
        }
      >
        {({ more }) => (
          <>
            {more ? (
              <p className="help">{t`Only the first ${formatNumber(hiringLimits.rosterShiftsMax)} shifts of this week are shown.`}</p>
            ) : null}
            {wide ? (
              <>
                <WeekGrid {...plan} businessId={business.id} />
                <div className="row g4 mt4">
                  <Button kind="text" size="s" onClick={() => globalThis.print()}>
                    {t`Print`}
                  </Button>
                  {toPdf}
                  <ButtonLink kind="text" size="s" to="/working-now">
                    {t`Working now`}
                  </ButtonLink>
                  <HelpLink article="plan-the-week">{t`How planning a week works`}</HelpLink>
                </div>
              </>
            ) : (
              <>
                <div className="mt3 row wrap g2">
                  {rowsChoice}
                  {toPdf}
                  <ButtonLink kind="text" size="s" to="/working-now">
                    {t`Working now`}
                  </ButtonLink>
                </div>
                <DayList {...plan} day={days.includes(pickedDay) ? pickedDay : first} onDay={setPickedDay} />
              </>
            )}
          </>
        )}
      </QueryState>
    </>
  );
}

type RosterHeadProps = {
  week: ReturnType<typeof useWeek>;
  now: Date;
  /** Those that can still be published. */
  drafts: DayShift[];
  /** Null for someone who may not post. */
  onSheet: ((sheet: OpenSheet) => void) | null;
};

function RosterHead({ week: { today, days, open }, now, drafts, onSheet }: RosterHeadProps) {
  const { t } = useLingui();
  const wide = useWide();
  const [first = today, last = today] = [days[0], days.at(-1)];
  const nextDay = days.find((day) => day >= today);
  return (
    <div className="desk-head roster-head">
      <h1 className="h-l">{t`Roster`}</h1>
      <BusinessPick />
      {onSheet && nextDay && !wide ? (
        <IconButton
          icon="copy"
          label={t`Copy last week`}
          needsNetwork
          onClick={() => onSheet({ kind: 'copy' })}
        />
      ) : null}
      <div className="row roster-week">
        <IconButton
          icon="caret-left"
          label={t`Previous week`}
          onClick={() => open({ week: addDays(first, -7) })}
        />
        <p className="strong" aria-live="polite">
          {`${formatCalendarDay(first, { now })} – ${formatCalendarDay(last, { now })}`}
        </p>
        <IconButton
          icon="caret-right"
          label={t`Next week`}
          onClick={() => open({ week: addDays(first, 7) })}
        />
      </div>
      {today < first || today > last ? (
        <Button kind="text" size="s" onClick={() => open({ week: today })}>
          {t`This week`}
        </Button>
      ) : null}
      <span className="grow" />
      {onSheet && drafts.length > 0 ? (
        <Button kind="ink" size="s" needsNetwork onClick={() => onSheet({ kind: 'publish' })}>
          {t`Publish ${plural(drafts.length, { one: '# draft', other: '# drafts' })}`}
        </Button>
      ) : null}
      {onSheet && nextDay && wide ? (
        <>
          <Button kind="out" size="s" icon="copy" needsNetwork onClick={() => onSheet({ kind: 'copy' })}>
            {t`Copy last week`}
          </Button>
          <Button
            kind="go"
            size="s"
            icon="plus"
            needsNetwork
            onClick={() => onSheet({ kind: 'add', at: { day: nextDay, title: null } })}
          >
            {t`Add shift`}
          </Button>
        </>
      ) : null}
    </div>
  );
}

type RosterSheetsProps = {
  sheet: OpenSheet | null;
  business: Business;
  first: string;
  drafts: DayShift[];
  shifts: ReturnType<typeof useShifts>;
  isByWorker: boolean;
  onClose: () => void;
};

function RosterSheets({ sheet, business, first, drafts, shifts, isByWorker, onClose }: RosterSheetsProps) {
  const { branchId, planned, atAllBranches } = shifts;
  return (
    <Suspense>
      {sheet?.kind === 'copy' ? (
        <CopyWeekSheet
          open
          onClose={onClose}
          business={business}
          first={first}
          planned={atAllBranches}
          branchId={branchId}
        />
      ) : null}
      {sheet?.kind === 'pdf' ? (
        <RosterPdfSheet
          businessId={business.id}
          from={first}
          branchId={branchId}
          rows={isByWorker ? 'worker' : 'role'}
          onClose={onClose}
        />
      ) : null}
      {sheet?.kind === 'publish' ? <PublishDraftsSheet drafts={drafts} onClose={onClose} /> : null}
      {sheet?.kind === 'add' ? (
        <AddShiftSheet
          key={`${sheet.at.day}${sheet.at.title}`}
          business={business}
          shifts={planned}
          first={first}
          branchId={branchId}
          at={sheet.at}
          onClose={onClose}
        />
      ) : null}
      {sheet?.kind === 'menu' ? (
        <ShiftMenu shift={sheet.shift} businessId={business.id} onClose={onClose} />
      ) : null}
    </Suspense>
  );
}

type BranchChipsProps = {
  businessId: string;
  branchId: string | null;
  onBranch: (branchId: string | null) => void;
};

function BranchChips({ businessId, branchId, onBranch }: BranchChipsProps) {
  const { t } = useLingui();
  const branches = useBranches(businessId).data?.branches ?? [];
  if (branches.length <= 1) return null;
  return (
    <Chips label={t`Branch`}>
      <Chip pressed={branchId === null} onClick={() => onBranch(null)}>
        {t`All`}
      </Chip>
      {branches.map(({ id, name }) => (
        <Chip key={id} pressed={branchId === id} onClick={() => onBranch(id)}>
          {name}
        </Chip>
      ))}
    </Chips>
  );
}

function NothingPlanned({ onAdd }: { onAdd: (() => void) | null }) {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`No shifts this week`}
      actions={
        onAdd ? (
          <Button kind="ink" needsNetwork onClick={onAdd}>
            {t`Add shift`}
          </Button>
        ) : undefined
      }
    >
      {onAdd ? <Trans>Post a shift, and choose the other days it is needed on.</Trans> : null}
    </EmptyState>
  );
}

type SpotsProps = {
  shifts: DayShift[];
  now: Date;
  isByWorker: boolean;
  /** Null for someone who may not post. */
  onMenu: ((shift: DayShift) => void) | null;
};

type WeekProps = SpotsProps & {
  days: string[];
  today: string;
  /** Null for someone who may not post. */
  onAdd: ((at: AddAt) => void) | null;
};

function WeekGrid({ businessId, ...week }: WeekProps & { businessId: string }) {
  const table = <WeekTable {...week} />;
  // Without a menu, nobody may move a shift either.
  return week.onMenu === null ? (
    <div className="roster-scroll">{table}</div>
  ) : (
    <DragArea
      shifts={week.shifts}
      days={week.days}
      businessId={businessId}
      // By worker a card is one person's, and dragging it would move the shift of everyone on it.
      movesShifts={!week.isByWorker}
    >
      {table}
    </DragArea>
  );
}

function useRows({ shifts, isByWorker }: Pick<SpotsProps, 'shifts' | 'isByWorker'>): RosterRow[] {
  const { t } = useLingui();
  return isByWorker ? byWorker(shifts, t`Not filled`) : byTitle(shifts);
}

/** A worker's name with their hours and cost, or a role or the open spots with what is missing. */
function RowHead({ row, now, as: Heading }: { row: RosterRow; now: Date; as: 'p' | 'h2' }) {
  const { t } = useLingui();
  const name = row.workerId === null ? row.name : row.name || t`Someone without a name`;
  return (
    <>
      <Heading className={Heading === 'p' ? 'h-s break at-edge' : 'h-m grow break at-edge'} dir="auto">
        {name}
      </Heading>
      {row.workerId === null ? (
        <StaffingBadges staffing={staffingOf(row.shifts, now)} />
      ) : (
        <Sums sums={sumsOf(row.shifts)} />
      )}
    </>
  );
}

function WeekTable({ shifts, days, today, now, isByWorker, onAdd, onMenu }: WeekProps) {
  const { t } = useLingui();
  const rows = useRows({ shifts, isByWorker });
  return (
    <table className="roster-grid" aria-label={t`Roster`}>
      <thead>
        <tr>
          <th scope="col">
            <Sums sums={sumsOf(shifts)} large />
          </th>
          {days.map((day) => (
            <th key={day} scope="col" aria-current={day === today ? 'date' : undefined}>
              {/* The words may wrap: an Arabic date is wider than a column. */}
              <p className="strong">{formatCalendarDay(day, { now }).replaceAll('\u00a0', ' ')}</p>
              <Sums sums={sumsOf(shifts.filter((shift) => shift.day === day))} />
              <StaffingBadges
                staffing={staffingOf(
                  shifts.filter((shift) => shift.day === day),
                  now,
                )}
              />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              <RowHead row={row} now={now} as="p" />
            </th>
            {days.map((day) => {
              const here = row.shifts.filter((shift) => shift.day === day);
              return (
                <td key={day} data-drop={day}>
                  {here.length > 0 ? (
                    <Spots shifts={here} now={now} isByWorker={isByWorker} onMenu={onMenu} />
                  ) : onAdd && !isByWorker && day >= today ? (
                    <button
                      type="button"
                      className="roster-add"
                      aria-label={t`Add ${row.name} on ${formatCalendarDay(day, { style: 'long', now })}`}
                      onClick={() => onAdd({ day, title: row.name })}
                    >
                      <Icon name="plus" />
                    </button>
                  ) : null}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function DayList({
  shifts,
  days,
  today,
  now,
  isByWorker,
  onAdd,
  onMenu,
  day,
  onDay,
}: WeekProps & { day: string; onDay: (day: string) => void }) {
  const { t } = useLingui();
  const ofDay = (date: string) => shifts.filter((shift) => shift.day === date);
  const here = ofDay(day);
  const rows = useRows({ shifts: here, isByWorker });
  return (
    <>
      <fieldset className="bare-set roster-days" aria-label={t`Days`}>
        {days.map((date) => {
          const { text, words, tone } = dayText(
            staffingOf(ofDay(date), now),
            ofDay(date).length,
            date < today,
          );
          return (
            <button
              key={date}
              type="button"
              aria-pressed={date === day}
              aria-current={date === today ? 'date' : undefined}
              aria-label={joined(formatCalendarDay(date, { style: 'long', now }), words)}
              onClick={() => onDay(date)}
            >
              <span className="xs">{weekdayLetters(date)}</span>
              <span className="strong num">{Number(date.slice(8))}</span>
              <span className={`xs ${tone}`}>{text}</span>
            </button>
          );
        })}
      </fieldset>
      {here.length === 0 ? (
        <p className="mute mt4">{t`No shifts on this day.`}</p>
      ) : hasSum(sumsOf(here)) ? (
        <div className="pinecard roster-sum">
          <Sums sums={sumsOf(here)} large />
        </div>
      ) : null}
      {rows.map((row) => (
        <section key={row.key} className="col g2 mt4">
          <div className="row base">
            <RowHead row={row} now={now} as="h2" />
          </div>
          <Spots shifts={row.shifts} now={now} isByWorker={isByWorker} onMenu={onMenu} />
        </section>
      ))}
      {onAdd && day >= today ? (
        <div className="mt5">
          <Button kind="out" full icon="plus" needsNetwork onClick={() => onAdd({ day, title: null })}>
            {t`Add shift`}
          </Button>
        </div>
      ) : null}
    </>
  );
}

const hasSum = ({ minutes, draftCosts }: RosterSums): boolean => minutes > 0 || draftCosts.length > 0;

function Sums({
  sums: { minutes, costs, draftCosts },
  large = false,
}: {
  sums: RosterSums;
  large?: boolean;
}) {
  const { t } = useLingui();
  const cost = formatSum(costs);
  const draftCost = formatSum(draftCosts);
  return (
    <>
      {minutes === 0 ? (
        <p className={large ? 'sm mute' : 'xs mute'}>–</p>
      ) : large ? (
        <p>
          <span className="h-m block num roster-sum-part">{cost}</span>
          <span className="sm mute roster-sum-part">{formatMinutes(minutes)}</span>
        </p>
      ) : (
        <p className="xs mute num row roster-day-sum">
          <span>{cost}</span>
          <span>{formatMinutes(minutes)}</span>
        </p>
      )}
      {draftCosts.length > 0 ? (
        <p className={large ? 'sm mute' : 'xs mute'}>{t`${draftCost} in drafts`}</p>
      ) : null}
    </>
  );
}

const gapsText = (count: number) => t`${plural(count, { one: '# gap', other: '# gaps' })}`;
const pausedText = (count: number) => t`${count} paused`;
const draftsText = (count: number) => t`${plural(count, { one: '# draft', other: '# drafts' })}`;
const inReviewText = (count: number) => t`${count} in review`;
const offersText = (count: number) => t`${count} not answered`;
const replacementsText = (count: number) => t`${count} to replace`;
const daysOffText = (count: number) =>
  t`${plural(count, { one: '# day off requested', other: '# days off requested' })}`;

/** Offers without an answer and days off that wait for one. */
const askedText = (offers: number) => t`${offers} asked`;

/** The line below a day of the phone's row, as short as a seventh of its width; screen readers get all of it. */
function dayText(
  { gaps, paused, drafts, inReview, offers, replacements, daysOff, isFilled }: Staffing,
  shifts: number,
  isPast: boolean,
): { text: string; words: string; tone: string } {
  const parts = [
    ...(gaps > 0 ? [gapsText(gaps)] : []),
    ...(replacements > 0 ? [replacementsText(replacements)] : []),
    ...(daysOff > 0 ? [daysOffText(daysOff)] : []),
    ...(offers > 0 ? [offersText(offers)] : []),
    ...(paused > 0 ? [pausedText(paused)] : []),
    ...(drafts > 0 ? [draftsText(drafts)] : []),
    ...(inReview > 0 ? [inReviewText(inReview)] : []),
  ];
  const [first] = parts;
  const isAsked = gaps + replacements === 0 && offers + daysOff > 0;
  if (first)
    return {
      text: isAsked ? askedText(offers + daysOff) : first,
      words: joined(...parts),
      tone: gaps > 0 ? 'danger' : 'warn',
    };
  if (isFilled) return { text: t`full`, words: t`full`, tone: 'up' };
  if (shifts > 0 && !isPast) return { text: t`Started`, words: t`Started`, tone: 'mute' };
  return shifts === 0
    ? { text: '–', words: t`no shifts`, tone: 'mute' }
    : {
        text: t`past`,
        words: t`${plural(shifts, { one: '# past shift', other: '# past shifts' })}`,
        tone: 'mute',
      };
}

function StaffingBadges({ staffing }: { staffing: Staffing }) {
  const { gaps, paused, drafts, inReview, offers, replacements, daysOff, isFilled } = staffing;
  return (
    <p className="row g1 wrap">
      {gaps > 0 ? (
        <span className="badge bad">
          <Icon name="warning-circle" />
          {gapsText(gaps)}
        </span>
      ) : isFilled ? (
        <span className="badge good">
          <Icon name="check" />
          <Trans>No gaps</Trans>
        </span>
      ) : null}
      {replacements > 0 ? <span className="badge bad">{replacementsText(replacements)}</span> : null}
      {daysOff > 0 ? <span className="badge wait">{daysOffText(daysOff)}</span> : null}
      {offers > 0 ? <span className="badge wait">{offersText(offers)}</span> : null}
      {paused > 0 ? <span className="badge wait">{pausedText(paused)}</span> : null}
      {drafts > 0 ? <span className="badge wait">{draftsText(drafts)}</span> : null}
      {inReview > 0 ? <span className="badge wait">{inReviewText(inReview)}</span> : null}
    </p>
  );
}

/** The cards of each shift, with its menu on the first. */
function Spots({ shifts, now, isByWorker, onMenu }: SpotsProps) {
  const { t } = useLingui();
  return (
    <div className="roster-spots">
      {shifts.flatMap((shift) =>
        spotsOf(shift, now, isByWorker).map(({ key, ...spot }, at) => (
          <div key={key} className="roster-card" data-shift={shift.jobId}>
            <Spot {...spot} />
            {at === 0 && onMenu ? (
              <IconButton
                icon="dots-three"
                label={t`Actions for ${joined(shift.title, formatCalendarDay(shift.day, { now }), spot.hours)}`}
                aria-haspopup="dialog"
                onClick={() => onMenu(shift)}
              />
            ) : null}
          </div>
        )),
      )}
    </div>
  );
}

type SpotProps = { key: string; to: string; hours: string; name: string; note: string; tone: string };

/** One card per person, then one for all open spots. A row by worker has the name already: its cards name the role. */
function spotsOf(shift: DayShift, now: Date, isByWorker: boolean): SpotProps[] {
  const hours = `${formatTime(shift.startsAt, shift.timeZone)}–${formatTime(shift.endsAt, shift.timeZone)}`;
  const started = Date.parse(shift.startsAt) <= now.getTime();
  const people = shift.people.map((person) => {
    const { label, tone } = personText(person, started);
    return {
      key: `${shift.jobId}${person.id}`,
      to:
        person.status === 'offered'
          ? applicantsPath(shift.jobId, person.id)
          : person.giveaway
            ? giveawayPath(person.giveaway.id)
            : engagementPath(person.id, 'business'),
      hours,
      name: isByWorker ? shift.title : person.name,
      note: label,
      tone: tone ?? 'plain',
    };
  });
  const open = openSpots(shift);
  if (open === 0) return people;
  const { to, name, note, tone } = openText(shift, open, now);
  const key = `${shift.jobId}open`;
  const names = isByWorker ? { name: shift.title, note: joined(name, note) } : { name, note };
  return [...people, { key, to, hours, tone, ...names }];
}

function personText(
  { status, giveaway, hours, asksDayOff }: RosterPerson,
  started: boolean,
): { label: string; tone?: string } {
  if (giveaway)
    return {
      label: giveaway.status === 'waiting' ? t`Replacement to approve` : t`Looking for a replacement`,
      tone: 'wait',
    };
  if (status === 'offered') return { label: t`Offered`, tone: 'wait' };
  if (asksDayOff && !started) return { label: t`Asks for the day off`, tone: 'wait' };
  if (hours !== null && !started)
    return { label: hours === 'asked' ? t`Asked about the new time` : t`Keeps the old time`, tone: 'wait' };
  return businessWorkText({ status }, started);
}

function openText(shift: DayShift, open: number, now: Date): Omit<SpotProps, 'key' | 'hours'> {
  if (!isPosted(shift))
    return {
      to: shift.status === 'draft' ? `/create-job?job=${shift.jobId}` : jobPath(shift.jobId),
      name: t`${plural(open, { one: '# person', other: '# people' })}`,
      note: shift.status === 'draft' ? t`Draft` : t`In review`,
      tone: 'draft',
    };
  const canFill = Date.parse(shift.startsAt) > now.getTime() && !isEnded(shift);
  return {
    to: shift.applicants > 0 ? applicantsPath(shift.jobId, null) : jobPath(shift.jobId),
    name: t`${plural(open, { one: '# open', other: '# open' })}`,
    note: canFill ? hiringText(shift, now) : t`Not filled`,
    tone: !canFill ? 'plain' : isPaused(shift) ? 'wait' : 'bad',
  };
}

function hiringText(shift: DayShift, now: Date): string {
  if (shift.search !== null) return replacementText(shift.search, now).text;
  if (isPaused(shift)) return t`Paused`;
  return t`${plural(shift.applicants, { one: '# applied', other: '# applied' })}`;
}

function Spot({ to, hours, name, note, tone }: Omit<SpotProps, 'key'>) {
  return (
    <Link className={`roster-spot ${tone}`} to={to}>
      <span className="sm num">{hours}</span>
      <span className="strong sm break at-edge" dir="auto">
        {name}
      </span>
      <span className="xs">{note}</span>
    </Link>
  );
}
