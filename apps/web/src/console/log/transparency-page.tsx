import type { ExportedStatement, TransparencyReport } from '@nearhand/contract/trust/transparency';
import { isPeriod } from '@nearhand/contract/trust/transparency.rules';
import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { csvOf } from '../../lib/forms/csv.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatMinutes, formatNumber } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { Facts, FactsCard } from '../case/facts-card.tsx';
import { api, apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { measureText, ruleName, sourceName } from '../queue/case.labels.ts';

type Period = { from: string; until: string };
type Table = readonly (readonly string[])[];

/** A calendar month, `back` months before this one, in UTC as the report counts; this month until today. */
function monthOf(now: Date, back: 0 | 1): Period {
  const dayOf = (month: number, day: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), month, day)).toISOString().slice(0, 10);
  const month = now.getUTCMonth() - back;
  return { from: dayOf(month, 1), until: back === 0 ? now.toISOString().slice(0, 10) : dayOf(month + 1, 0) };
}

const months = [
  { back: 1, label: 'Last month' },
  { back: 0, label: 'This month so far' },
] as const;

/** The figures and statements that the law requires to be published, for owners. */
export function TransparencyPage() {
  const [query, setQuery] = useSearchParams();
  const now = useNow();
  const month = monthOf(now, 1);
  const period = { from: query.get('from') ?? month.from, until: query.get('until') ?? month.until };
  const report = useQuery(
    apiQuery.transparency.report.queryOptions({ input: period, enabled: isPeriod(period) }),
  );
  const set = (next: Partial<Period>) =>
    setQuery({ from: period.from, until: period.until, ...next }, { replace: true });
  return (
    <Page
      title="Transparency"
      lead="Figures and statements of reasons to publish (DSA, articles 15 and 24). Days are in UTC."
    >
      <div className="col g4">
        <Chips label="Period" wrap>
          {months.map(({ back, label }) => {
            const { from, until } = monthOf(now, back);
            const pressed = from === period.from && until === period.until;
            return (
              <Chip key={label} pressed={pressed} onClick={() => set({ from, until })}>
                {label}
              </Chip>
            );
          })}
        </Chips>
        <div className="c-filters">
          <TextInput
            label="From"
            type="date"
            value={period.from}
            onChange={(event) => set({ from: event.target.value })}
          />
          <TextInput
            label="To"
            type="date"
            value={period.until}
            error={isPeriod(period) ? undefined : 'Choose an end date within a year of the start.'}
            onChange={(event) => set({ until: event.target.value })}
          />
        </div>
        {isPeriod(period) ? (
          <QueryState query={report} loading={<PageSkeleton />} errorTitle="We couldn't count this period">
            {(figures) => <Figures report={figures} />}
          </QueryState>
        ) : null}
      </div>
    </Page>
  );
}

/** "31 h 12 min" or "7 days 17 h". */
function hoursText(hours: number | null): string {
  if (hours === null) return 'None decided';
  const whole = Math.round(hours);
  return hours < 48
    ? formatMinutes(Math.round(hours * 60))
    : `${Math.floor(whole / 24)} days ${whole % 24} h`;
}

function Figures({ report }: { report: TransparencyReport }) {
  const { notices, appeals, decisions, automatedDetections, authorityReports } = report;
  const period = { from: report.from, until: report.until };
  const name = `nearhand-${report.from}-to-${report.until}`;
  return (
    <div className="col g4">
      <div className="row g3 wrap">
        <Download
          name={`${name}-report`}
          label="Report"
          read={async () => ({ data: report, table: reportTable(report) })}
        />
        <Download
          name={`${name}-statements`}
          label="Statements of reasons"
          read={async () => {
            const statements = await readStatements(period);
            return { data: statements, table: statementTable(statements) };
          }}
        />
      </div>
      <FactsCard title="Reports by people">
        <Facts
          rows={[
            ['Received', formatNumber(notices.received)],
            ['Led to a decision', formatNumber(notices.actioned)],
            ['Dismissed', formatNumber(notices.dismissed)],
            ['Median time to decide', hoursText(notices.medianHours)],
          ]}
        />
      </FactsCard>
      <FactsCard title="Decisions">
        {decisions.length === 0 ? (
          <p className="mute">No decisions in this period.</p>
        ) : (
          <Facts
            rows={decisions.map(({ measure, rule, source, count }): [string, string] => [
              [measureText(measure), ruleName[rule], sourceName[source]].join(' · '),
              formatNumber(count),
            ])}
          />
        )}
        <p className="sm mute mt3">
          Found by the automatic check: {formatNumber(automatedDetections)}. Every decision was made by a
          person.
        </p>
      </FactsCard>
      <FactsCard title="Reported to an authority">
        <Facts rows={[['Suspected crimes', formatNumber(authorityReports)]]} />
      </FactsCard>
      <FactsCard title="Appeals and contested dismissals">
        <Facts
          rows={[
            ['Received', formatNumber(appeals.received)],
            ['Upheld', formatNumber(appeals.upheld)],
            ['Reversed', formatNumber(appeals.overturned)],
            ['Median time to decide', hoursText(appeals.medianHours)],
          ]}
        />
      </FactsCard>
    </div>
  );
}

type DownloadProps = { name: string; label: string; read: () => Promise<{ data: unknown; table: Table }> };

function Download({ name, label, read }: DownloadProps) {
  const action = useAction();
  const save = (type: 'csv' | 'json') =>
    void action.run(async () => {
      const { data, table } = await read();
      const json = () => new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' });
      saveBlob(type === 'csv' ? csvOf(table) : json(), `${name}.${type}`);
    });
  return (
    <>
      <Button kind="out" size="s" icon="download-simple" busy={action.busy} onClick={() => save('csv')}>
        {label} as CSV
      </Button>
      <Button kind="out" size="s" icon="download-simple" busy={action.busy} onClick={() => save('json')}>
        {label} as JSON
      </Button>
      <Refused text={action.refusal} />
    </>
  );
}

async function readStatements(period: Period): Promise<ExportedStatement[]> {
  const statements: ExportedStatement[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const input = { ...period, limit: 100 };
    const page: Awaited<ReturnType<typeof api.transparency.statements>> = await api.transparency.statements(
      cursor === '' ? input : { ...input, cursor },
    );
    statements.push(...page.items);
    cursor = page.nextCursor;
  }
  return statements;
}

export const reportTable = ({
  from,
  until,
  notices,
  decisions,
  authorityReports,
  appeals,
}: TransparencyReport): Table => [
  ['From', 'To', 'Figure', 'Measure', 'Rule', 'Source', 'Value'],
  ...(
    [
      ['Reports received', notices.received],
      ['Reports that led to a decision', notices.actioned],
      ['Reports dismissed', notices.dismissed],
      ['Median hours to decide a report', notices.medianHours],
      ['Reports to an authority', authorityReports],
      ['Appeals received', appeals.received],
      ['Appeals upheld', appeals.upheld],
      ['Appeals reversed', appeals.overturned],
      ['Median hours to decide an appeal', appeals.medianHours],
    ] as const
  ).map(([figure, value]) => [from, until, figure, '', '', '', String(value ?? '')]),
  ...decisions.map(({ measure, rule, source, count }) => [
    from,
    until,
    'Decisions',
    measure,
    rule,
    source,
    String(count),
  ]),
];

const statementColumns = [
  'puid',
  'decision_visibility',
  'decision_monetary',
  'decision_provision',
  'decision_account',
  'decision_ground',
  'incompatible_content_ground',
  'illegal_content_legal_ground',
  'category',
  'content_type',
  'application_date',
  'end_date_account_restriction',
  'end_date_service_restriction',
  'source_type',
  'automated_detection',
  'automated_decision',
] as const satisfies readonly (keyof ExportedStatement)[];

const statementTable = (statements: readonly ExportedStatement[]): Table => [
  statementColumns,
  ...statements.map((statement) =>
    statementColumns.map((column) => {
      const value = statement[column];
      return Array.isArray(value) ? value.join(' ') : String(value ?? '');
    }),
  ),
];
