import { sumOf } from '@nearhand/contract/arithmetic';
import { dayMs } from '@nearhand/contract/durations';
import type { HouseRule, SuspensionScope } from '@nearhand/contract/house-rules';
import type { Page, PageInput } from '@nearhand/contract/operation';
import type { SanctionMeasure, SanctionSource } from '@nearhand/contract/trust/sanctions.rules';
import {
  type ExportedStatement,
  type TransparencyReport,
  transparency,
} from '@nearhand/contract/trust/transparency';
import {
  restrictionOf,
  statementCategories,
  statementSources,
} from '@nearhand/contract/trust/transparency.rules';
import { sql } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { read } from '../../platform/http/bind.ts';
import { cutPage, decodeCursor, newestCursor } from '../../platform/http/paging.ts';
import type { Scope } from '../../platform/http/scope.ts';

type Period = { from: string; until: string };
const periodSpan = ({ from, until }: Period) => ({
  start: new Date(from),
  end: new Date(Date.parse(until) + dayMs),
});

/** The median hours from arrival to decision, of rows with `arrived` and `decided`. */
const medianHours = sql<number | null>`round((percentile_cont(0.5)
  within group (order by extract(epoch from decided - arrived)) / 3600)::numeric, 1)::float8`;

type Outcomes = { received: number; first: number; second: number; medianHours: number | null };

/** Counts reports, decisions and appeals of a period, contested dismissals included, for owners. */
async function readReport(db: Db, _scope: Scope, { from, until }: Period): Promise<TransparencyReport> {
  const { start, end } = periodSpan({ from, until });
  const inPeriod = (column: string) => sql`${sql.ref(column)} >= ${start} and ${sql.ref(column)} < ${end}`;
  const counts = (
    outcomes: readonly [string, string],
  ) => sql`count(*) filter (where ${inPeriod('arrived')})::int as received,
      count(*) filter (where ${inPeriod('decided')} and outcome = ${outcomes[0]})::int as first,
      count(*) filter (where ${inPeriod('decided')} and outcome = ${outcomes[1]})::int as second,
      (select ${medianHours} from rows where ${inPeriod('decided')}) as median_hours`;
  const notices = await sql<Outcomes>`with rows as (
      select opened_at as arrived, decided_at as decided, status as outcome from report_cases where contested_id is null
      union all
      select at, decided_at, case decision when 'dismiss' then 'dismissed' else 'actioned' end from chat_reports where contested_id is null
    ) select ${counts(['actioned', 'dismissed'])} from rows`.execute(db);
  const appeals = await sql<Outcomes>`with rows as (
      select at as arrived, decided_at as decided, outcome from appeals
      union all
      select opened_at, decided_at, case status when 'dismissed' then 'upheld' else 'overturned' end
        from report_cases where contested_id is not null
      union all
      select at, decided_at, case decision when 'dismiss' then 'upheld' else 'overturned' end from chat_reports
        where contested_id is not null)
    select ${counts(['upheld', 'overturned'])} from rows`.execute(db);
  const { rows: decisions } = await sql<TransparencyReport['decisions'][number]>`
    select measure, rule, source, count(*)::int as count from sanctions where ${inPeriod('decidedAt')}
    group by measure, rule, source order by count(*) desc, measure, rule, source`.execute(db);
  const authorityReports = await sql<{ count: number }>`select count(*)::int as count from authority_reports
    where state = 'confirmed' and ${inPeriod('reportedAt')}`.execute(db);
  const notice = notices.rows[0];
  const appeal = appeals.rows[0];
  return {
    from,
    until,
    notices: {
      received: notice?.received ?? 0,
      actioned: notice?.first ?? 0,
      dismissed: notice?.second ?? 0,
      medianHours: notice?.medianHours ?? null,
    },
    decisions,
    automatedDetections: sumOf(
      decisions.filter(({ source }) => source === 'screening'),
      ({ count }) => count,
    ),
    authorityReports: authorityReports.rows[0]?.count ?? 0,
    appeals: {
      received: appeal?.received ?? 0,
      upheld: appeal?.first ?? 0,
      overturned: appeal?.second ?? 0,
      medianHours: appeal?.medianHours ?? null,
    },
  };
}

/** Lists the restrictions of a period as statements of reasons, newest first, for owners. */
async function listStatements(
  db: Db,
  _scope: Scope,
  input: Period & PageInput,
): Promise<Page<ExportedStatement>> {
  const { start, end } = periodSpan(input);
  const after = decodeCursor(input.cursor, newestCursor);
  let query = db
    .selectFrom('sanctions')
    .select([
      'id',
      'measure',
      'scope',
      'rule',
      'source',
      'decidedAt',
      'endsAt',
      'jobId',
      'reviewId',
      'conversationId',
    ])
    .where('measure', '<>', 'warning')
    .where('decidedAt', '>=', start)
    .where('decidedAt', '<', end);
  if (after)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('decidedAt', 'id'), '<', tuple(new Date(after[0]), after[1])),
    );
  const rows = await query
    .orderBy('decidedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(input.limit + 1)
    .execute();
  const page = cutPage(rows, input.limit, (row) => [row.decidedAt.toISOString(), row.id]);
  return { items: page.items.map(toExportedStatement), nextCursor: page.nextCursor };
}

type SanctionFacts = {
  id: string;
  measure: SanctionMeasure;
  scope: SuspensionScope | null;
  rule: string;
  source: SanctionSource;
  decidedAt: Date;
  endsAt: Date | null;
  jobId: string | null;
  reviewId: string | null;
  conversationId: string | null;
};

function toExportedStatement(row: SanctionFacts): ExportedStatement {
  const rule = row.rule as HouseRule;
  const restriction = restrictionOf(row.measure, row.scope);
  const restrictionOn = (field: string) => (restriction?.field === field ? restriction.value : null);
  const visibility = restrictionOn('visibility');
  const isLaw = rule === 'law';
  const end = row.endsAt?.toISOString().slice(0, 10) ?? null;
  const isText = (row.jobId ?? row.reviewId ?? row.conversationId) !== null;
  return {
    puid: row.id,
    decision_visibility: visibility === null ? [] : [visibility],
    decision_monetary: restrictionOn('monetary'),
    decision_provision: restrictionOn('provision'),
    decision_account: restrictionOn('account'),
    decision_ground: isLaw ? 'DECISION_GROUND_ILLEGAL_CONTENT' : 'DECISION_GROUND_INCOMPATIBLE_CONTENT',
    incompatible_content_ground: isLaw ? null : `House rule: ${rule}`,
    illegal_content_legal_ground: isLaw ? `House rule: ${rule}` : null,
    category: statementCategories[rule],
    content_type: [isText ? 'CONTENT_TYPE_TEXT' : 'CONTENT_TYPE_OTHER'],
    application_date: row.decidedAt.toISOString().slice(0, 10),
    end_date_account_restriction: restrictionOn('account') === null ? null : end,
    end_date_service_restriction: restrictionOn('provision') === null ? null : end,
    source_type: statementSources[row.source],
    automated_detection: row.source === 'screening' ? 'Yes' : 'No',
    automated_decision: 'AUTOMATED_DECISION_NOT_AUTOMATED',
  };
}

export const transparencyRoutes = {
  report: read(transparency.report, readReport),
  statements: read(transparency.statements, listStatements),
};
