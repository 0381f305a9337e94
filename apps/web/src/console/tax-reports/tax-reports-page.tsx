import type { SellerReport, SellerReportFormat } from '@nearhand/contract/money/seller-reports';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import { useQuery } from '@tanstack/react-query';
import { queryClient } from '../../lib/api/query.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { useMove } from '../../lib/pages/use-move.ts';
import { formatDay, formatNumber, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { Facts, FactsCard } from '../case/facts-card.tsx';
import { api, apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { AccessReasonGate } from '../search/access-reason.tsx';

type Overview = Awaited<ReturnType<typeof api.sellerReports.overview>>;

/** The yearly reports of workers' pay to the tax office, for finance. */
export function TaxReportsPage() {
  const query = useQuery(apiQuery.sellerReports.overview.queryOptions({ input: {} }));
  return (
    <Page title="Tax reports" lead="What we report to the tax office about pay for self-employed work.">
      <QueryState query={query} loading={<PageSkeleton />} errorTitle="We couldn't load the reports">
        {(overview) => <Overview {...overview} />}
      </QueryState>
    </Page>
  );
}

function Overview({ law, counts, years, reports }: Overview) {
  if (!law) return <p className="mute">No law has us report where our company is, or no company is set.</p>;
  return (
    <div className="col g4">
      <FactsCard title="Details of workers">
        <Facts
          rows={[
            ['Asked so far', formatNumber(counts.asked)],
            ['Details missing', formatNumber(counts.missing)],
            ['Withdrawals waiting', formatNumber(counts.waiting)],
          ]}
        />
        <p className="sm mute mt3">
          {law.name}. A report is due by {law.reportBy.split('-').reverse().join('/')} of the next year.
        </p>
      </FactsCard>
      {years.map((year) => (
        <Year
          key={year}
          year={year}
          hasXml={law.hasXml}
          report={reports.find((report) => report.year === year) ?? null}
        />
      ))}
    </div>
  );
}

const refetch = () => queryClient.invalidateQueries({ queryKey: apiQuery.sellerReports.key() });

function Year({ year, hasXml, report }: { year: number; hasXml: boolean; report: SellerReport | null }) {
  const move = useMove();
  const make = () =>
    void move.run(async () => {
      await api.sellerReports.make({ year });
      await refetch();
    });
  const markSent = async ({ id }: SellerReport) => {
    const choice = await showAlert({
      tone: 'ask',
      title: `Has the tax office received the report of ${year}?`,
      message: 'Everyone in it is told what it says. It can’t be changed after that.',
      buttons: [
        { value: 'sent', label: 'Mark as sent' },
        { value: 'later', label: 'Not yet', kind: 'quiet' },
      ],
    });
    if (choice === 'sent')
      await move.run(async () => {
        await api.sellerReports.markSent({ sellerReportId: id });
        await refetch();
      });
  };
  return (
    <FactsCard title={String(year)}>
      {report ? (
        <Facts
          rows={[
            ['People', formatNumber(report.sellers)],
            ['Left out, details missing', formatNumber(report.missing)],
            ['Made', formatDay(report.madeAt, ownTimeZone())],
            ['Sent', report.sentAt ? formatDay(report.sentAt, ownTimeZone()) : 'Not yet'],
          ]}
        />
      ) : (
        <p className="mute">No report yet.</p>
      )}
      {report?.sentAt ? null : (
        <div className="row g2 wrap mt3">
          <Button
            kind="out"
            size="s"
            busy={move.busy}
            aria-label={`Make the report of ${year}`}
            onClick={make}
          >
            {report ? 'Make it again' : 'Make the report'}
          </Button>
          {report ? (
            <Button kind="out" size="s" busy={move.busy} onClick={() => void markSent(report)}>
              Mark as sent
            </Button>
          ) : null}
        </div>
      )}
      <Refused text={move.refusal} />
      {report ? (
        <div className="mt3">
          <AccessReasonGate>
            {(access) => (
              <Downloads report={report} formats={hasXml ? ['csv', 'xml'] : ['csv']} access={access} />
            )}
          </AccessReasonGate>
        </div>
      ) : null}
    </FactsCard>
  );
}

function Downloads({
  report,
  formats,
  access,
}: {
  report: SellerReport;
  formats: SellerReportFormat[];
  access: OperatorContext;
}) {
  const move = useMove();
  const save = (format: SellerReportFormat) =>
    void move.run(async () => {
      const file = await api.sellerReports.file(
        { sellerReportId: report.id, format },
        { context: { operator: access } },
      );
      saveBlob(new Blob([file.content], { type: file.mediaType }), file.fileName);
    });
  return (
    <div className="row g2 wrap">
      {formats.map((format) => (
        <Button
          key={format}
          kind="out"
          size="s"
          icon="download-simple"
          busy={move.busy}
          aria-label={`Download ${report.year} as ${format.toUpperCase()}`}
          onClick={() => save(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
      <Refused text={move.refusal} />
    </div>
  );
}
