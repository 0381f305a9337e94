import { useLingui } from '@lingui/react/macro';
import type { Report } from '@nearhand/contract/trust/reports';
import { reportLimits } from '@nearhand/contract/trust/reports.rules';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { formatAgo, formatDate, joined, ownTimeZone } from '../../lib/words/format.ts';
import { ownText } from '../../lib/words/notice-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { DisagreeForm, Settlement } from '../appeals/appeal.tsx';
import { reasonText, reportOutcomeText, subjectText } from './report.labels.ts';
import { useContestReport, useReports } from './reports.api.ts';

export function ReportList() {
  const { t } = useLingui();
  const query = useReports();
  const opened = new URLSearchParams(useLocation().search).get('report');
  const reports = query.data?.pages.flatMap(({ items }) => items) ?? [];
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  const isMissing = opened !== null && reports.every(({ id }) => id !== opened);
  useEffect(() => {
    if (isMissing && hasNextPage && !isFetching && !isError) void fetchNextPage({ cancelRefetch: false });
  }, [isMissing, hasNextPage, isFetching, isError, fetchNextPage]);
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't load your reports`}
      isEmpty={() => reports.length === 0}
      empty={
        <EmptyState art="door" title={t`You haven't reported anything`}>
          <p>{t`Jobs, businesses, people and messages you report appear here with what we decided.`}</p>
        </EmptyState>
      }
    >
      {() => (
        <ul className="col g3">
          {reports.map((report) => (
            <ReportCard key={report.id} report={report} isOpened={report.id === opened} />
          ))}
          <LoadMore query={query} />
        </ul>
      )}
    </QueryState>
  );
}

function ReportCard({ report, isOpened }: { report: Report; isOpened: boolean }) {
  const { t, i18n } = useLingui();
  const [isPressed, setPressed] = useState(false);
  const isContesting = isOpened || isPressed;
  const start = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isOpened) start.current?.scrollIntoView({ block: 'center' });
  }, [isOpened]);
  // The pressed button is removed, which would lose the focus.
  useEffect(() => {
    if (isPressed) start.current?.querySelector('textarea')?.focus();
  }, [isPressed]);
  const { contest, contestUntil } = report;
  return (
    <Card as="li" roomy>
      <div className="col g2" ref={start}>
        <p className="row g3 wrap">
          <b className="grow break" dir="auto">
            {report.subject.name}
          </b>
          <OutcomeBadge outcome={report.outcome} />
        </p>
        <p className="sm mute">
          {joined(
            i18n._(subjectText[report.subject.kind]),
            i18n._(reasonText[report.reason]),
            formatAgo(report.at),
          )}
        </p>
        {report.answer ? (
          <p className="pre-line break" dir="auto">
            {ownText(report.answer)}
          </p>
        ) : null}
        {contest ? <Contest contest={contest} /> : null}
        {contestUntil === null ? null : isContesting ? (
          <ContestForm reportId={report.id} until={contestUntil} />
        ) : (
          <Button
            kind="out"
            size="s"
            aria-label={joined(t`Ask for another review`, report.subject.name)}
            onClick={() => setPressed(true)}
          >
            {t`Ask for another review`}
          </Button>
        )}
      </div>
    </Card>
  );
}

function OutcomeBadge({ outcome }: { outcome: Report['outcome'] }) {
  const { t, i18n } = useLingui();
  const label = outcome && reportOutcomeText[outcome];
  return <Badge tone={label?.tone ?? 'wait'}>{label ? i18n._(label.text) : t`In review`}</Badge>;
}

function ContestForm({ reportId, until }: { reportId: string; until: string }) {
  const { t } = useLingui();
  const contest = useContestReport();
  const last = formatDate(until, ownTimeZone());
  return (
    <DisagreeForm
      draftName={`contest ${reportId}`}
      lead={t`You can ask once for another review, until ${last}. Someone who didn't make the decision reads everything again.`}
      button={t`Ask for another review`}
      wordsMax={reportLimits.noteMax}
      send={(words) => contest.mutateAsync({ reportId, words })}
    />
  );
}

function Contest({ contest }: { contest: NonNullable<Report['contest']> }) {
  const { t } = useLingui();
  return (
    <section className="col g2 mt3">
      <div className="row g3 wrap">
        <b className="grow">{t`Your request for another review`}</b>
        <OutcomeBadge outcome={contest.outcome} />
      </div>
      <p className="pre-line break" dir="auto">
        {contest.words}
      </p>
      {contest.decidedAt ? (
        <div>
          <p className="sm mute">{t`Our answer, ${formatDate(contest.decidedAt, ownTimeZone())}`}</p>
          <p className="pre-line break mt1" dir="auto">
            {ownText(contest.answer)}
          </p>
          {contest.outcome === 'dismissed' ? <Settlement /> : null}
        </div>
      ) : (
        <p className="sm mute">{t`Someone who didn't make the decision reviews it, usually within three days.`}</p>
      )}
    </section>
  );
}
