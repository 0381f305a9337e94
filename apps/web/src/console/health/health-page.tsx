import { sumOf } from '@nearhand/contract/arithmetic';
import { minuteMs } from '@nearhand/contract/durations';
import { cardText } from '@nearhand/contract/money/account-mask';
import { operatorMay } from '@nearhand/contract/operator-roles';
import type { FailedRefund, FailedTask, PlatformHealth } from '@nearhand/contract/trust/platform-health';
import {
  checkState,
  type DailyCheck,
  dailyChecks,
  dailyTasksAt,
  fillRate,
  healthLimits,
} from '@nearhand/contract/trust/platform-health.rules';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import {
  formatCalendarDay,
  formatDate,
  formatMoney,
  formatNumber,
  ownTimeZone,
} from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { StatTile } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { Table } from '../../ui/pages/table.tsx';
import { api, apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { PagedList } from '../paged-list.tsx';
import { ageText, caseKindText, casePath } from '../queue/case.labels.ts';
import { useQueueCounts } from '../queue/cases-api.ts';
import { foundRecordPath } from '../search/search.labels.ts';
import { useOperator } from '../sign-in/operator-session.ts';

export function HealthPage() {
  const { roles } = useOperator();
  const query = useQuery({
    ...apiQuery.platformHealth.get.queryOptions(),
    refetchInterval: 5 * minuteMs,
    refetchOnWindowFocus: 'always',
  });
  return (
    <Page title="Health" lead={`The last ${healthLimits.days} days, in UTC.`}>
      <div className="col g4">
        <QueryState query={query} loading={<PageSkeleton />} errorTitle="We couldn't load the figures">
          {(health) => <Figures health={health} />}
        </QueryState>
        <QueueAges />
        {operatorMay(roles, 'payments') ? <FailedRefunds /> : null}
        {operatorMay(roles, 'tasks') ? <FailedTasks /> : null}
      </div>
    </Page>
  );
}

const total = (numbers: readonly number[]) => sumOf(numbers);

function Figures({ health }: { health: PlatformHealth }) {
  const { days } = health;
  const rate = fillRate(days);
  const signUps = days.map((day) => day.signUps);
  const disputes = days.map((day) => day.disputes);
  return (
    <div className="col g4">
      <div className="c-tiles">
        <StatTile label="Sign-ups" value={formatNumber(total(signUps))} note={`in ${days.length} days`} />
        <StatTile
          label="Spots filled"
          value={rate === null ? 'None yet' : `${rate} %`}
          note={`${formatNumber(total(days.map((day) => day.filled)))} of ${formatNumber(total(days.map((day) => day.spots)))} in shifts`}
        />
        <StatTile
          label="Disputes open"
          value={formatNumber(health.disputesOpen)}
          note={`${formatNumber(total(disputes))} opened in ${days.length} days`}
        />
        <StatTile
          label="Failed tasks"
          value={formatNumber(health.failedTasks)}
          note={health.failedTasks === 0 ? 'Everything runs' : 'They are not tried any more'}
        />
      </div>
      <div className="c-plots">
        <DayPlot title="Sign-ups per day" days={days.map(({ day, signUps: value }) => ({ day, value }))} />
        <DayPlot
          title="Disputes opened per day"
          days={days.map(({ day, disputes: value }) => ({ day, value }))}
        />
        <SharePlot
          title="Spots filled per day"
          days={days.map(({ day, spots, filled }) => ({ day, whole: spots, part: filled }))}
        />
      </div>
      <DailyChecks audits={health.audits} />
      <section className="card" aria-label="Payouts waiting">
        <h2 className="h-s">Payouts waiting</h2>
        {health.payoutsWaiting.length === 0 ? (
          <p className="mute mt2">No payout is waiting.</p>
        ) : (
          <Table
            caption="Payouts waiting"
            density="tight"
            rows={health.payoutsWaiting}
            rowKey={({ currency }) => currency}
            columns={[
              { key: 'currency', head: 'Currency', cell: ({ currency }) => currency },
              { key: 'count', head: 'Payouts', number: true, cell: ({ count }) => formatNumber(count) },
              {
                key: 'amount',
                head: 'Amount',
                number: true,
                cell: ({ amountMinor, currency }) => formatMoney(amountMinor, currency),
              },
              {
                key: 'oldest',
                head: 'Oldest since',
                cell: ({ oldestAt }) => formatDate(oldestAt, ownTimeZone()),
              },
            ]}
          />
        )}
      </section>
    </div>
  );
}

const checkNames: Record<DailyCheck, string> = {
  ledger: 'Ledger',
  'operators-log': 'Log of operators',
  provider: 'Payment provider',
  statements: 'Statement lines',
};

const checkBadges = {
  passed: { tone: 'good', text: 'Nothing found' },
  missed: { tone: 'bad', text: 'Missed last night' },
  never: { tone: 'wait', text: 'Not run yet' },
} as const;

const atNight = `${String(dailyTasksAt.hour).padStart(2, '0')}:${dailyTasksAt.minute} UTC`;

/**
 * Lists all daily checks, including those that did not run, which would otherwise look like nothing to check.
 */
function DailyChecks({ audits }: { audits: PlatformHealth['audits'] }) {
  const now = useNow();
  return (
    <section className="card" aria-label="Daily checks">
      <h2 className="h-s">Daily checks</h2>
      <p className="sm mute mt1">
        Every night at {atNight}, or at the next start of a server that was down. On a new server “Not run
        yet” is normal until the first night; after it, look at the failed tasks below and the server’s log.
      </p>
      <ul>
        {dailyChecks.map((name) => {
          const audit = audits.find((run) => run.name === name);
          const state = checkState(audit, now);
          const badge =
            state === 'findings'
              ? { tone: 'bad' as const, text: `${formatNumber(audit?.findings ?? 0)} found` }
              : checkBadges[state];
          return (
            <li key={name} className="li top">
              <div className="grow">
                <p className="strong">{checkNames[name]}</p>
                {audit ? (
                  <p className="sm mute">
                    {formatDate(audit.at, ownTimeZone())}
                    {audit.checked === null ? '' : `, ${formatNumber(audit.checked)} checked`}
                  </p>
                ) : null}
                {audit?.first.map((finding) => (
                  <p key={finding} className="sm break">
                    {finding}
                  </p>
                ))}
              </div>
              <Badge tone={badge.tone}>{badge.text}</Badge>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function QueueAges() {
  const now = useNow();
  const query = useQueueCounts();
  return (
    <section className="card" aria-label="Queue">
      <h2 className="h-s">Queue</h2>
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle="We couldn't load the queue's figures"
        isEmpty={(counts) => counts.every(({ open, forOthers }) => open + forOthers === 0)}
        empty={<p className="mute mt2">No case is open.</p>}
      >
        {(counts) => (
          <Table
            caption="Open cases"
            density="tight"
            rows={counts.filter(({ open, forOthers }) => open + forOthers > 0)}
            rowKey={({ kind }) => kind}
            columns={[
              {
                key: 'kind',
                head: 'Kind',
                cell: ({ kind }) => (
                  <Link className="link" to={`/cases?kind=${kind}`}>
                    {caseKindText[kind].many}
                  </Link>
                ),
              },
              {
                key: 'open',
                head: 'Open',
                number: true,
                cell: ({ open, forOthers }) =>
                  forOthers === 0
                    ? formatNumber(open)
                    : `${formatNumber(open + forOthers)} (${formatNumber(forOthers)} not for you)`,
              },
              {
                key: 'unclaimed',
                head: 'Unclaimed',
                number: true,
                cell: ({ unclaimed }) => formatNumber(unclaimed),
              },
              { key: 'overdue', head: 'Overdue', number: true, cell: ({ overdue }) => formatNumber(overdue) },
              {
                key: 'oldest',
                head: 'Oldest open for',
                cell: ({ oldestAt }) =>
                  oldestAt ? ageText({ openedAt: oldestAt, deadline: oldestAt }, now).open : '',
              },
            ]}
          />
        )}
      </QueryState>
    </section>
  );
}

function FailedRefunds() {
  const query = useInfiniteQuery(
    apiQuery.platformHealth.failedRefunds.infiniteOptions({ ...pages, input: (cursor) => ({ cursor }) }),
  );
  return (
    <PagedList
      query={query}
      label="Failed refunds"
      titled
      flush={false}
      errorTitle="We couldn't load the refunds"
      empty={<p className="mute mt2">No refund has failed.</p>}
    >
      {(refunds) => (
        <ul>
          {refunds.map((refund) => (
            <RefundRow key={refund.id} refund={refund} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function RefundRow({
  refund: { business, amountMinor, currency, card, failedAt },
}: {
  refund: FailedRefund;
}) {
  return (
    <li className="li top">
      <div className="grow">
        <p className="strong break">
          {business.isClosed ? (
            <Link className="link" to={casePath({ kind: 'unclaimed', subjectId: business.id })}>
              {business.name}
            </Link>
          ) : (
            <Link className="link" to={foundRecordPath({ kind: 'business', id: business.id }, null)}>
              {business.name}
            </Link>
          )}
        </p>
        <p className="sm mute">
          To {cardText(card)}, failed {formatDate(failedAt, ownTimeZone())}
        </p>
        <p className="sm">
          {business.isClosed
            ? 'The business is closed, so the money is unclaimed: its case refunds it to its other cards.'
            : 'The money is in the balance again and the business was told. If they ask, tell them to refund it again or spend it.'}
        </p>
      </div>
      <span className="num">{formatMoney(amountMinor, currency)}</span>
    </li>
  );
}

function FailedTasks() {
  const query = useInfiniteQuery(
    apiQuery.platformHealth.failedTasks.infiniteOptions({ ...pages, input: (cursor) => ({ cursor }) }),
  );
  return (
    <PagedList
      query={query}
      label="Failed tasks"
      titled
      flush={false}
      errorTitle="We couldn't load the tasks"
      empty={<p className="mute mt2">No task has failed for good.</p>}
    >
      {(tasks) => (
        <ul>
          {tasks.map((task) => (
            <TaskRow key={task.id} task={task} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

function TaskRow({ task }: { task: FailedTask }) {
  const action = useAction();
  const retry = async () => {
    if (await action.run(() => api.platformHealth.retryTask({ taskId: task.id })))
      showToast('The task runs again');
    await queryClient.invalidateQueries({ queryKey: apiQuery.platformHealth.key() });
  };
  return (
    <li className="li top">
      <div className="grow">
        <p className="strong break">{task.name}</p>
        <p className="sm mute">
          Tried {task.attempts} times, last {formatDate(task.failedAt, ownTimeZone())}
        </p>
        <p className="sm break pre-line">{task.error}</p>
        <Refused text={action.refusal} />
      </div>
      <Button kind="out" size="s" busy={action.busy} onClick={() => void retry()}>
        Run again
      </Button>
    </li>
  );
}

type DayPlotProps = { title: string; days: readonly { day: string; value: number }[] };

const height = 48;

const topOf = (values: readonly number[]): number => {
  const highest = Math.max(1, ...values);
  const power = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 5, 10].find((step) => step * power >= highest) ?? 10) * power;
};

function DayPlot({ title, days }: DayPlotProps) {
  const top = topOf(days.map(({ value }) => value));
  return (
    <Plot title={title} days={days} topLabel={formatNumber(top)} words={({ value }) => formatNumber(value)}>
      {({ value }) => <Bar height={(value / top) * height} colour="var(--pine-line)" />}
    </Plot>
  );
}

type SharePlotProps = { title: string; days: readonly { day: string; whole: number; part: number }[] };

function SharePlot({ title, days }: SharePlotProps) {
  const top = topOf(days.map(({ whole }) => whole));
  return (
    <Plot
      title={title}
      days={days}
      topLabel={formatNumber(top)}
      words={({ part, whole }) => `${formatNumber(part)} of ${formatNumber(whole)}`}
    >
      {({ part, whole }) => (
        <>
          <Bar height={(whole / top) * height} colour="var(--line)" />
          <Bar height={(part / top) * height} colour="var(--good)" />
        </>
      )}
    </Plot>
  );
}

const Bar = ({ height: tall, colour }: { height: number; colour: string }) => (
  <rect x={0.2} width={0.6} y={height - tall} height={tall} fill={colour} />
);

function Plot<Day extends { day: string }>({
  title,
  days,
  topLabel,
  words,
  children,
}: {
  title: string;
  days: readonly Day[];
  topLabel: string;
  words: (day: Day) => string;
  children: (day: Day) => ReactNode;
}) {
  const first = days[0];
  const last = days.at(-1);
  return (
    <section className="card" aria-label={title}>
      <h2 className="h-s">{title}</h2>
      <div className="c-plot" aria-hidden="true">
        <span className="xs mute num">{topLabel}</span>
        <svg viewBox={`0 0 ${days.length} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {days.map((day, index) => (
            <g key={day.day} transform={`translate(${index} 0)`}>
              {children(day)}
            </g>
          ))}
        </svg>
        <p className="row xs mute">
          <span className="grow">{first ? formatCalendarDay(first.day) : ''}</span>
          <span>{last ? formatCalendarDay(last.day) : ''}</span>
        </p>
      </div>
      <details className="mt3">
        <summary className="sm hit">Values per day</summary>
        <table className="c-values sm num" aria-label={title}>
          <tbody>
            {days.toReversed().map((day) => (
              <tr key={day.day}>
                <th scope="row">{formatCalendarDay(day.day)}</th>
                <td>{words(day)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
