import { minuteMs } from '@nearhand/contract/durations';
import { operatorMay } from '@nearhand/contract/operator-roles';
import type { PlatformHealth } from '@nearhand/contract/trust/platform-health';
import { fillRate, healthLimits } from '@nearhand/contract/trust/platform-health.rules';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../lib/api/error-text.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatAgo, formatDayTime, formatMoney, formatNumber, ownTimeZone } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { StatTile } from '../../ui/card.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { Table } from '../../ui/pages/table.tsx';
import { apiQuery } from '../console-api.ts';
import { useOperator } from '../door/operator-session.ts';
import { Page } from '../page.tsx';
import { ageWords, kindWords } from '../queue/case-words.ts';
import { useQueueCounts } from '../queue/cases-api.ts';
import { DayPlot, SharePlot } from './day-plots.tsx';
import { FailedTasks } from './failed-tasks.tsx';

/** How the platform is doing, for all operators; owners run failed tasks again. */
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
        <QueryState
          query={query}
          loading={<PageSkeleton />}
          errorTitle="We couldn't load the figures"
          describe={errorText}
          asOf={formatAgo}
        >
          {(health) => <Figures health={health} />}
        </QueryState>
        <QueueAges />
        {operatorMay(roles, 'tasks') ? <FailedTasks /> : null}
      </div>
    </Page>
  );
}

const total = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);

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
      <Audits audits={health.audits} />
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
                cell: ({ oldestAt }) => formatDayTime(oldestAt, ownTimeZone()),
              },
            ]}
          />
        )}
      </section>
    </div>
  );
}

const auditNames: Record<PlatformHealth['audits'][number]['name'], string> = {
  ledger: 'Ledger',
  'operators-log': 'Log of operators',
  statements: 'Statement lines',
};

/** What the daily checks of the books and the log found last. */
function Audits({ audits }: { audits: PlatformHealth['audits'] }) {
  return (
    <section className="card" aria-label="Daily checks">
      <h2 className="h-s">Daily checks</h2>
      {audits.length === 0 ? <p className="mute mt2">They have not run yet.</p> : null}
      <ul>
        {audits.map((audit) => (
          <li key={audit.name} className="li top">
            <div className="grow">
              <p className="strong">{auditNames[audit.name]}</p>
              <p className="sm mute">
                {formatDayTime(audit.at, ownTimeZone())}
                {audit.checked === null ? '' : `, ${formatNumber(audit.checked)} checked`}
              </p>
              {audit.first.map((finding) => (
                <p key={finding} className="sm break">
                  {finding}
                </p>
              ))}
            </div>
            <Badge tone={audit.findings === 0 ? 'good' : 'bad'}>
              {audit.findings === 0 ? 'Nothing found' : `${formatNumber(audit.findings)} found`}
            </Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** How many cases are open of each kind, and how long the oldest has been. */
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
        describe={errorText}
        asOf={formatAgo}
        isEmpty={(counts) => counts.every(({ open }) => open === 0)}
        empty={<p className="mute mt2">No case is open.</p>}
      >
        {(counts) => (
          <Table
            caption="Open cases"
            density="tight"
            rows={counts.filter(({ open }) => open > 0)}
            rowKey={({ kind }) => kind}
            columns={[
              {
                key: 'kind',
                head: 'Kind',
                cell: ({ kind }) => (
                  <Link className="link" to={`/cases?kind=${kind}`}>
                    {kindWords[kind].many}
                  </Link>
                ),
              },
              { key: 'open', head: 'Open', number: true, cell: ({ open }) => formatNumber(open) },
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
                  oldestAt ? ageWords({ openedAt: oldestAt, deadline: oldestAt }, now).open : '',
              },
            ]}
          />
        )}
      </QueryState>
    </section>
  );
}
