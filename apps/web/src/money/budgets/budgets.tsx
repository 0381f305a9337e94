import { t } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { budgetsPath, jobPath } from '@nearhand/contract/app-paths';
import { maxMinor, sumOf } from '@nearhand/contract/arithmetic';
import type { Currency } from '@nearhand/contract/currencies';
import type { ErrorData } from '@nearhand/contract/error-data';
import { limits } from '@nearhand/contract/limits';
import type { Money } from '@nearhand/contract/money';
import type { Budget, BudgetList, BudgetRequest, JobBudgets } from '@nearhand/contract/money/budgets';
import {
  type BudgetPeriod,
  budgetPeriods,
  periodStart,
  restOf,
  stepPeriod,
} from '@nearhand/contract/money/budgets.rules';
import type { Business } from '@nearhand/contract/people/businesses';
import { useMutation, useQueries, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { isAboveMaximum, minorFromTyped, typedFromMinor } from '../../lib/forms/typed-amount.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import {
  formatCalendarDay,
  formatDate,
  formatMoney,
  formatMonth,
  joined,
  minorDigits,
} from '../../lib/words/format.ts';
import { perUnit } from '../../lib/words/job.labels.ts';
import { mayOpen } from '../../people/businesses/role-screens.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextArea, TextInput } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Segmented } from '../../ui/controls/segmented.tsx';
import { HelpLink } from '../../ui/help-link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import '../statements/statements.css';

const budgetsQuery = (businessId: string, day?: string) =>
  apiQuery.budgets.list.queryOptions({ input: { businessId, day }, ...neverPersist });

/** Runs after a refusal too, because another owner may have decided. */
const refetch = () => refetchChanged(['business']);

const useSetBudget = () =>
  useMutation({ mutationFn: sendOnce('budgets.set', api.budgets.set), onSettled: refetch });

export const useAskForBudget = () =>
  useMutation({ mutationFn: sendOnce('budgets.ask', api.budgets.ask), onSettled: refetch });

const useDecideBudget = () =>
  useMutation({ mutationFn: sendOnce('budgets.decide', api.budgets.decide), onSettled: refetch });

/** The monthly and weekly limits of a business, its branches and members, and requests to exceed them. */
export function Budgets({ business }: { business: Business }) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState<{ period: BudgetPeriod; day: string | undefined }>();
  const [edited, setEdited] = useState<Budget | null>(null);
  const current = useQuery(budgetsQuery(business.id));
  // A decision removes the request, and must not move the reader to another month or week.
  const [requested, setRequested] = useState<Pick<BudgetRequest, 'period' | 'from'>>();
  const [firstRequest] = current.data?.requests ?? [];
  if (firstRequest && !requested) setRequested(firstRequest);
  const period = chosen?.period ?? requested?.period ?? 'month';
  const query = useQuery(budgetsQuery(business.id, chosen ? chosen.day : requested?.from));
  return (
    <div className="mt4">
      <QueryState
        query={query}
        loading={<RowsSkeleton count={4} />}
        errorTitle={t`We couldn't load the budgets`}
      >
        {(list) => {
          const change = list.canChange ? setEdited : null;
          const from = periodStart(period, list.day);
          const step = (steps: number) => setChosen({ period, day: stepPeriod(period, list.day, steps) });
          return (
            <div className="col g4">
              <Requests list={list} />
              <section className="card p5" aria-labelledby="budgets">
                <Segmented
                  label={t`Period`}
                  options={[
                    { value: 'month', label: t`By month` },
                    { value: 'week', label: t`By week` },
                  ]}
                  value={period}
                  onChange={(value) => setChosen({ period: value, day: list.day })}
                />
                <div className="row g2 mt3">
                  <h2 className="h-s grow" id="budgets">
                    {period === 'month' ? (
                      <Trans>Budgets for {formatMonth(list.day.slice(0, 7))}</Trans>
                    ) : (
                      <Trans>Budgets for the week of {formatCalendarDay(from)}</Trans>
                    )}
                  </h2>
                  <IconButton
                    icon="caret-left"
                    flip
                    label={period === 'month' ? t`Previous month` : t`Previous week`}
                    onClick={() => step(-1)}
                  />
                  <IconButton
                    icon="caret-right"
                    flip
                    label={period === 'month' ? t`Next month` : t`Next week`}
                    onClick={() => step(1)}
                  />
                </div>
                <p className="sm mute">
                  {period === 'month' ? (
                    <Trans>
                      For work in that month: what’s set aside or paid, with our fee. Limits repeat every
                      month.
                    </Trans>
                  ) : (
                    <Trans>
                      For work from that Monday to Sunday: what’s set aside or paid, with our fee. Limits
                      repeat every week.
                    </Trans>
                  )}{' '}
                  {list.canChange ? null : <Trans>Only owners can change them.</Trans>}
                </p>
                <HelpLink article="budgets">{t`How budgets work`}</HelpLink>
                <ul className="mt3">
                  {list.budgets
                    .filter((budget) => budget.period === period)
                    .map((budget) => (
                      <li key={`${budget.branchId} ${budget.memberId}`}>
                        <BudgetRow budget={budget} currency={list.currency} onEdit={change} />
                      </li>
                    ))}
                </ul>
              </section>
              {edited ? (
                <LimitSheet
                  businessId={business.id}
                  budget={edited}
                  currency={list.currency}
                  onClose={() => setEdited(null)}
                />
              ) : null}
            </div>
          );
        }}
      </QueryState>
    </div>
  );
}

/** "November 2026", or "week of Mon 23 Nov". */
function usePeriodText(): (budget: Pick<Budget, 'period' | 'from'>) => string {
  const { t } = useLingui();
  return ({ period, from }) =>
    period === 'month' ? formatMonth(from.slice(0, 7)) : t`week of ${formatCalendarDay(from)}`;
}

function useBudgetName(): (budget: Pick<Budget, 'kind' | 'name'>) => string {
  const { t } = useLingui();
  return ({ kind, name }) => (kind === 'business' ? t`Whole business` : name || t`Unnamed member`);
}

function BudgetRow({
  budget,
  currency,
  onEdit,
}: {
  budget: Budget;
  currency: Currency;
  onEdit: ((budget: Budget) => void) | null;
}) {
  const { t } = useLingui();
  const nameOf = useBudgetName();
  const kinds = { business: undefined, branch: t`Branch`, member: t`Team member` };
  return (
    <ListRow
      title={nameOf(budget)}
      note={
        <>
          {kinds[budget.kind] ? <span className="block">{kinds[budget.kind]}</span> : null}
          <BudgetUse budget={budget} currency={currency} />
        </>
      }
      end={budget.limitMinor === null ? <Badge>{t`No limit`}</Badge> : undefined}
      needsNetwork
      onClick={onEdit ? () => onEdit(budget) : undefined}
    />
  );
}

/** The rest of a budget, in words and as a bar. */
function BudgetUse({ budget, currency }: { budget: Budget; currency: Currency }) {
  const { t } = useLingui();
  const { limitMinor, raisedMinor, usedMinor } = budget;
  const restMinor = restOf(budget);
  const money = (minor: number) => formatMoney(minor, currency);
  if (limitMinor === null)
    return <span className="block num">{usedMinor > 0 ? t`${money(usedMinor)} used` : t`Nothing used`}</span>;
  const allowedMinor = limitMinor + raisedMinor;
  const share = Math.min(100, Math.round((usedMinor * 100) / allowedMinor));
  return (
    <>
      <span className={restMinor < 0 ? 'budget-use over' : 'budget-use'} aria-hidden="true">
        <span style={{ width: `${share}%` }} />
      </span>
      <span className={restMinor < 0 ? 'block num danger strong' : 'block num'}>
        {restMinor < 0
          ? t`${money(usedMinor)} used of ${money(allowedMinor)}: ${money(-restMinor)} over`
          : t`${money(restMinor)} left of ${money(allowedMinor)}`}
      </span>
      {raisedMinor > 0 ? (
        <span className="block num">
          {budget.period === 'month'
            ? t`Includes ${money(raisedMinor)} approved for this month`
            : t`Includes ${money(raisedMinor)} approved for this week`}
        </span>
      ) : null}
    </>
  );
}

function LimitSheet({
  businessId,
  budget,
  currency,
  onClose,
}: {
  businessId: string;
  budget: Budget;
  currency: Currency;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const nameOf = useBudgetName();
  const digits = minorDigits(currency);
  const save = useSetBudget();
  const action = useAction(errorText);
  const { branchId, memberId, period } = budget;
  const [typed, setTyped] = useState(
    budget.limitMinor === null ? '' : typedFromMinor(budget.limitMinor, digits),
  );
  const [tried, setTried] = useState(false);
  const minor = minorFromTyped(typed, digits);
  const problem = () => {
    if (isAboveMaximum(typed, digits)) return t`At most ${formatMoney(maxMinor, currency)}.`;
    if (minor === null) return t`Enter an amount, like 100 or 250.50.`;
    if (minor === 0) return t`Enter more than 0. To stop a member from spending, change their role.`;
    return undefined;
  };
  const error = problem();
  const send = (limitMinor: number | null) =>
    action.run(async () => {
      await save.mutateAsync({ businessId, period, branchId, memberId, limitMinor });
      showToast(limitMinor === null ? t`Limit removed` : t`Limit saved`);
      onClose();
    });
  return (
    <Sheet open onClose={onClose} title={nameOf(budget)}>
      <Form
        onSubmit={() => {
          setTried(true);
          if (minor !== null && !error) void send(minor);
        }}
      >
        <TextInput
          label={period === 'month' ? t`Monthly limit` : t`Weekly limit`}
          help={limitHelp(budget)}
          inputMode="decimal"
          autoComplete="off"
          before={currency}
          value={typed}
          error={tried ? error : undefined}
          onChange={(event) => setTyped(event.target.value)}
        />
        <Refused text={action.refusal} />
        <div className="row g2 sheet-act">
          {budget.limitMinor === null ? null : (
            <Button kind="quiet" busy={action.busy} needsNetwork onClick={() => void send(null)}>
              {t`Remove limit`}
            </Button>
          )}
          <Button kind="go" type="submit" className="grow" busy={action.busy} needsNetwork>
            {t`Save limit`}
          </Button>
        </div>
      </Form>
    </Sheet>
  );
}

function limitHelp({ kind, period }: Budget): string {
  if (kind === 'member')
    return period === 'month'
      ? t`What they may set aside for work in a month. To go over it, they ask an owner.`
      : t`What they may set aside for work in a week. To go over it, they ask an owner.`;
  return period === 'month'
    ? t`What everyone together may set aside for work in a month. Owners can go over it.`
    : t`What everyone together may set aside for work in a week. Owners can go over it.`;
}

/** Open requests of a business, for its owners to decide outside the statement. */
export function BudgetRequests({ businessId }: { businessId: string }) {
  const { data } = useQuery(budgetsQuery(businessId));
  return data?.canChange ? <Requests list={data} /> : null;
}

function Requests({ list }: { list: BudgetList }) {
  const { t } = useLingui();
  if (list.requests.length === 0) return null;
  return (
    <section className="card p5" aria-labelledby="budget-requests">
      <h2 className="h-s" id="budget-requests">{t`Budget requests`}</h2>
      <ul>
        {list.requests.map((request) => (
          <li key={request.id} className="li">
            <RequestRow request={request} canDecide={list.canChange} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RequestRow({ request, canDecide }: { request: BudgetRequest; canDecide: boolean }) {
  const { t } = useLingui();
  const nameOf = useBudgetName();
  const periodText = usePeriodText();
  const decide = useDecideBudget();
  const action = useAction(errorText);
  const [refusing, setRefusing] = useState(false);
  const { memberName, workerName, payMinor, jobTitle, jobId, startsAt, timeZone, currency } = request;
  const money = (minor: number) => formatMoney(minor, currency);
  const amount = money(request.amountMinor);
  const answer = (approve: boolean, reason = '') =>
    action.run(async () => {
      await decide.mutateAsync({ budgetRequestId: request.id, approve, reason });
      showToast(approve ? t`Approved. ${memberName} can make the offer.` : t`Refused`);
    });
  return (
    <div className="grow">
      <p className="t">
        <Trans>
          {memberName} wants to set aside {amount}
        </Trans>
      </p>
      <p className="sm mute">
        <Link className="link" to={jobPath(jobId)}>
          {jobTitle}
        </Link>
        {' · '}
        {startsAt ? formatDate(startsAt, timeZone) : periodText(request)}
      </p>
      {workerName !== null && payMinor !== null ? (
        <p className="sm num">{t`For ${workerName}, at ${perUnit(money(payMinor), startsAt ? 'hour' : 'fixed')}`}</p>
      ) : null}
      <ul className="sm num">
        {request.exceeded.map((budget) => {
          const allowed = money((budget.limitMinor ?? 0) + budget.raisedMinor);
          const over = money(request.amountMinor - restOf(budget));
          const name = nameOf(budget);
          const used = money(budget.usedMinor);
          return (
            <li key={`${budget.branchId} ${budget.memberId}`}>
              <Trans>
                {name}, {periodText(budget)}: {used} used of {allowed}. This goes {over} over it.
              </Trans>
            </li>
          );
        })}
      </ul>
      {canDecide ? (
        <div className="row g2 mt2">
          <Button kind="ink" size="s" busy={action.busy} needsNetwork onClick={() => void answer(true)}>
            {t`Approve ${amount}`}
          </Button>
          <Button kind="quiet" size="s" busy={action.busy} needsNetwork onClick={() => setRefusing(true)}>
            {t`Refuse`}
          </Button>
        </div>
      ) : null}
      <Refused text={refusing ? null : action.refusal} />
      {refusing ? (
        <RefusalSheet
          memberName={memberName}
          amount={amount}
          job={joined(jobTitle, workerName)}
          busy={action.busy}
          onClose={() => setRefusing(false)}
          refusal={action.refusal}
          onRefuse={async (reason) => {
            if (await answer(false, reason)) setRefusing(false);
          }}
        />
      ) : null}
    </div>
  );
}

function RefusalSheet({
  memberName,
  amount,
  job,
  busy,
  refusal,
  onClose,
  onRefuse,
}: {
  memberName: string;
  amount: string;
  job: string;
  busy: boolean;
  refusal: string | null;
  onClose: () => void;
  onRefuse: (reason: string) => Promise<void>;
}) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  return (
    <Sheet open onClose={onClose} title={t`Refuse ${memberName}’s request for ${amount}?`}>
      <Form onSubmit={() => void onRefuse(reason.trim())}>
        <p className="sm mute">{job}</p>
        <TextArea
          label={t`Reason`}
          optional
          help={t`${memberName} reads it with your answer.`}
          rows={3}
          maxLength={limits.reasonMax}
          length={reason.length}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <Refused text={refusal} />
        <div className="row g2 sheet-act">
          <Button kind="quiet" onClick={onClose}>
            {t`Not now`}
          </Button>
          <Button kind="bad" type="submit" className="grow" busy={busy} needsNetwork>
            {t`Refuse`}
          </Button>
        </div>
      </Form>
    </Sheet>
  );
}

/** A member's limits for this month and week, and the rest of them. Renders nothing if there is no limit. */
export function MyBudget({ businessId }: { businessId: string }) {
  const { t } = useLingui();
  const { data } = useQuery(apiQuery.budgets.mine.queryOptions({ input: { businessId }, ...neverPersist }));
  const periodText = usePeriodText();
  if (!data || data.budgets.length === 0) return null;
  return (
    <Card as="section" label={t`Your limit`}>
      <h2 className="h-m">{t`Your limit`}</h2>
      {data.budgets.map((budget) => (
        <div key={budget.period} className="sm mt2">
          <p className="strong">{periodText(budget)}</p>
          <BudgetUse budget={budget} currency={data.currency} />
        </div>
      ))}
      <p className="sm mute mt2">
        <Trans>What you may set aside for work in that time. To go over it, ask an owner.</Trans>
      </p>
    </Card>
  );
}

/** The cost of a day in the roster, with Nearhand's fee. Drafts count apart. */
export type PlannedDay = { day: string; costs: Money[]; draftCosts: Money[] };

/**
 * The budget of a roster's week, of a branch or, if `branchId` is null, of the business, with a link to all budgets: what
 * is planned against the limit of the week, otherwise the used part of the month. Renders nothing without a limit, and
 * for members who don't see the money.
 */
export function RosterBudget({
  business,
  branchId,
  days,
}: {
  business: Business;
  branchId: string | null;
  /** Seven days. A week belongs to the month and the budget week of its middle. */
  days: PlannedDay[];
}) {
  const { t } = useLingui();
  const [first] = days;
  const middle = days[3];
  const { data } = useQuery({
    ...budgetsQuery(business.id, middle?.day),
    enabled: mayOpen(business, '/merchant-transaction'),
  });
  const budgetOf = (period: BudgetPeriod) => {
    const limited = (data?.budgets ?? []).filter(
      (budget) => budget.period === period && budget.kind !== 'member' && budget.limitMinor !== null,
    );
    return (
      limited.find((candidate) => candidate.branchId === branchId) ??
      limited.find(({ kind }) => kind === 'business')
    );
  };
  const week = budgetOf('week');
  const budget = week ?? budgetOf('month');
  if (!data || !budget) return null;
  // The plan can't be compared with a week that begins on another day, or with a budget for more than the list.
  const isComparable = week && week.from === first?.day && week.branchId === branchId;
  if (isComparable)
    return <PlannedBudget business={business} budget={week} days={days} currency={data.currency} />;
  const used = formatMoney(budget.usedMinor, data.currency);
  const allowed = formatMoney((budget.limitMinor ?? 0) + budget.raisedMinor, data.currency);
  const name = budget.kind === 'branch' ? budget.name : null;
  const text = week
    ? t`${used} of ${allowed} used in the week of ${formatCalendarDay(budget.from)}`
    : t`${used} of ${allowed} used in ${formatMonth(budget.from.slice(0, 7))}`;
  return (
    <p className="sm num">
      <Link className={restOf(budget) < 0 ? 'link danger' : 'link'} to={budgetsPath(business.id)}>
        {joined(name, text)}
      </Link>
    </p>
  );
}

/** The planned cost of each day against a weekly limit, as words and as a bar with a part per day. */
function PlannedBudget({
  business,
  budget,
  days,
  currency,
}: {
  business: Business;
  budget: Budget;
  days: PlannedDay[];
  currency: Currency;
}) {
  const { t } = useLingui();
  const money = (minor: number) => formatMoney(minor, currency);
  const minorOf = (amounts: readonly Money[]) =>
    sumOf(
      amounts.filter((amount) => amount.currency === currency),
      ({ minor }) => minor,
    );
  const allowedMinor = (budget.limitMinor ?? 0) + budget.raisedMinor;
  const parts = days.map(({ day, costs }) => ({ day, minor: minorOf(costs) }));
  const draftMinor = sumOf(days, ({ draftCosts }) => minorOf(draftCosts));
  const plannedMinor = sumOf(parts, ({ minor }) => minor);
  const restMinor = allowedMinor - plannedMinor;
  const overFrom = dayOver(parts, allowedMinor);
  const scaleMinor = Math.max(allowedMinor, plannedMinor + draftMinor);
  const width = (minor: number) => `${(minor * 100) / scaleMinor}%`;
  return (
    <Link className="card p4 block roster-budget" to={budgetsPath(business.id)}>
      <span className="row g2 base wrap num">
        <span className="h-m">{money(plannedMinor)}</span>
        <span className="sm mute grow">
          {joined(
            t`of ${money(allowedMinor)} planned this week`,
            budget.kind === 'branch' ? budget.name : null,
          )}
        </span>
        <span className={overFrom ? 'sm danger strong' : 'sm strong'}>
          {overFrom
            ? t`${money(-restMinor)} over, from ${formatCalendarDay(overFrom)} on`
            : t`${money(restMinor)} left`}
        </span>
      </span>
      <span className="budget-use days" aria-hidden="true">
        {parts.map(({ day, minor }) => (
          <span
            key={day}
            className={overFrom && day >= overFrom ? 'over' : undefined}
            style={{ inlineSize: width(minor) }}
          />
        ))}
        <span className="draft" style={{ inlineSize: width(draftMinor) }} />
      </span>
      <span className="xs mute num">
        {joined(
          t`${money(budget.usedMinor)} set aside`,
          draftMinor > 0 ? t`${money(draftMinor)} in drafts` : null,
        )}
      </span>
      {restMinor < draftMinor ? (
        <span className="xs mute block">{t`Offers above the limit need an owner`}</span>
      ) : null}
    </Link>
  );
}

/** The first day with which the planned costs go over a limit. */
function dayOver(days: readonly { day: string; minor: number }[], limitMinor: number): string | undefined {
  let sumMinor = 0;
  for (const { day, minor } of days) {
    sumMinor += minor;
    if (sumMinor > limitMinor) return day;
  }
  return undefined;
}

type OverBudgetData = ErrorData['payment/over-budget'];

/** A refusal of money over a budget. `canAsk`: the job is stored, so owners can be asked about it. */
export function OverBudget({ data, canAsk }: { data: OverBudgetData; canAsk: boolean }) {
  const { t } = useLingui();
  const nameOf = useBudgetName();
  const ask = useAskForBudget();
  const action = useAction(errorText);
  const { jobId, amountMinor, overMinor, period, currency } = data;
  const over = formatMoney(overMinor, currency);
  const whose = data.kind === 'member' ? t`your limit` : nameOf(data);
  const time = usePeriodText()(data);
  return (
    <div className="col g2">
      <Banner
        tone="wait"
        icon="wallet"
        live
        action={
          canAsk && !ask.isSuccess ? (
            <Button
              kind="out"
              size="s"
              busy={action.busy}
              needsNetwork
              onClick={() => void action.run(() => ask.mutateAsync({ jobId, period, amountMinor }))}
            >
              {t`Ask an owner`}
            </Button>
          ) : undefined
        }
      >
        <OverBudgetTitle over={over} whose={whose} time={time} />
        <p>
          {ask.isSuccess ? (
            <Trans>You asked the owners. We’ll notify you when they decide.</Trans>
          ) : canAsk ? (
            <Trans>An owner has to approve it first.</Trans>
          ) : (
            <Trans>Save it as a draft, and publish the draft to ask an owner.</Trans>
          )}
        </p>
      </Banner>
      <Refused text={action.refusal} />
    </div>
  );
}

function OverBudgetTitle({ over, whose, time }: { over: string; whose: string; time: string }) {
  return (
    <p className="strong num">
      <Trans>
        {over} over budget ({whose}, {time})
      </Trans>
    </p>
  );
}

export type PlannedOffer = {
  /** The job, the day of its copy if that is offered, and the offer that the new one replaces. */
  job: { jobId: string; day?: string; replaces?: string };
  /** The applicant and the pay of the offer, which owners see if they are asked. */
  offerTo?: { applicationId: string; payMinor: number };
  amountMinor: number;
};

/** Offers that the same budgets limit: of one month or week, and of one branch if it has a budget. */
type BudgetGroup = { key: string; period: BudgetPeriod; budgets: JobBudgets; offer: PlannedOffer };

/** Adds up offers per month, week and branch, as the server checks them. Empty until the budgets of all are loaded. */
function useBudgetGroups(offers: readonly PlannedOffer[]): BudgetGroup[] {
  const queries = useQueries({
    queries: offers.map(({ job }) =>
      apiQuery.budgets.forJob.queryOptions({ input: job, staleTime: 0, ...neverPersist }),
    ),
  });
  if (queries.some(({ data }) => !data)) return [];
  const limited = offers.flatMap((offer, index) =>
    budgetPeriods.flatMap((period): BudgetGroup[] => {
      const answer = queries[index]?.data;
      const budgets = (answer?.budgets ?? []).filter((budget) => budget.period === period);
      const [first] = budgets;
      if (!answer || !first) return [];
      const branchId = budgets.find(({ kind }) => kind === 'branch')?.branchId;
      const requests = answer.requests.filter((request) => request.period === period);
      const key = `${period} ${first.from} ${branchId}`;
      return [{ key, period, offer, budgets: { ...answer, budgets, requests } }];
    }),
  );
  return [...Map.groupBy(limited, ({ key }) => key).values()].flatMap((group) => {
    const amountMinor = sumOf(group, ({ offer }) => offer.amountMinor);
    return group.slice(0, 1).map((part) => ({ ...part, offer: { ...part.offer, amountMinor } }));
  });
}

const isWaiting = ({ budgets: { requests }, offer }: BudgetGroup): boolean =>
  requests.some(({ status, amountMinor }) => status === 'open' && amountMinor === offer.amountMinor);

const isBlocked = ({ budgets: { budgets, mayExceed }, offer }: BudgetGroup): boolean =>
  !mayExceed && budgets.some((budget) => restOf(budget) < offer.amountMinor);

/** Explains why the button is disabled, if the caller can't make offers over a budget. Null if they can. */
export function useBudgetBlock(offers: readonly PlannedOffer[]): string | null {
  const { t } = useLingui();
  const blocked = useBudgetGroups(offers).filter(isBlocked);
  if (blocked.length === 0) return null;
  return blocked.every(isWaiting) ? t`Waiting for an owner` : t`Over budget`;
}

/**
 * The tightest budget that offers count against in each month, week and branch, and a request to the owners if they
 * don't fit. Renders nothing if there is no limit.
 */
export const BudgetNotes = ({ offers }: { offers: readonly PlannedOffer[] }) =>
  useBudgetGroups(offers).map((group) => <BudgetNote key={group.key} group={group} />);

function BudgetNote({ group }: { group: BudgetGroup }) {
  const { t } = useLingui();
  const nameOf = useBudgetName();
  const ask = useAskForBudget();
  const action = useAction(errorText);
  const periodText = usePeriodText();
  const { mayExceed, requests, ...data } = group.budgets;
  const [request] = requests;
  const { job, offerTo, amountMinor } = group.offer;
  const [tightest] = data.budgets.toSorted((first, second) => restOf(first) - restOf(second));
  if (!tightest) return null;
  const money = (minor: number) => formatMoney(minor, data.currency);
  const overMinor = amountMinor - restOf(tightest);
  const over = money(overMinor);
  const time = periodText(tightest);
  const whose = tightest.kind === 'member' ? t`your limit` : nameOf(tightest);
  if (overMinor <= 0)
    return (
      <p className="sm mute num mt3">
        <Trans>
          {money(restOf(tightest) - amountMinor)} of the budget left after this ({whose}, {time})
        </Trans>
      </p>
    );
  const isPending = isWaiting(group);
  const nextStep = () => {
    if (mayExceed) return <Trans>As an owner, you can still make the offer.</Trans>;
    if (isPending) return <Trans>You asked the owners. We’ll notify you when they decide.</Trans>;
    if (request?.status !== 'refused') return <Trans>An owner has to approve it first.</Trans>;
    return (
      <>
        <Trans>The owners refused your last request.</Trans>
        {request.reason ? ` “${request.reason}”` : null}
      </>
    );
  };
  return (
    <div className="col g2 mt3">
      <Banner
        tone="wait"
        icon="wallet"
        action={
          mayExceed || isPending ? undefined : (
            <Button
              kind="out"
              size="s"
              busy={action.busy}
              needsNetwork
              onClick={() =>
                void action.run(() =>
                  ask.mutateAsync({ ...job, ...offerTo, period: group.period, amountMinor }),
                )
              }
            >
              {t`Ask an owner`}
            </Button>
          )
        }
      >
        <OverBudgetTitle over={over} whose={whose} time={time} />
        <p>{nextStep()}</p>
      </Banner>
      <Refused text={action.refusal} />
    </div>
  );
}
