import { useLingui } from '@lingui/react/macro';
import { formatAgo, joined } from '../../lib/words/format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { outcomeText, reasonText, subjectText } from './report.labels.ts';
import { useReports } from './reports.api.ts';

export function ReportList() {
  const { t, i18n } = useLingui();
  const query = useReports();
  const reports = query.data?.pages.flatMap(({ items }) => items) ?? [];
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
          {reports.map((report) => {
            const outcome = report.outcome && outcomeText[report.outcome];
            return (
              <Card key={report.id} as="li" roomy>
                <div className="col g2">
                  <p className="row g3 wrap">
                    <b className="grow break" dir="auto">
                      {report.subject.name}
                    </b>
                    <Badge tone={outcome?.tone ?? 'wait'}>
                      {outcome ? i18n._(outcome.text) : t`In review`}
                    </Badge>
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
                      {report.answer}
                    </p>
                  ) : null}
                </div>
              </Card>
            );
          })}
          <LoadMore query={query} />
        </ul>
      )}
    </QueryState>
  );
}
