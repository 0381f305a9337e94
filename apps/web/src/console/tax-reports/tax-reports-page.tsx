import type {
  MissingSeller,
  SellerReport,
  SellerReportFormat,
} from '@nearhand/contract/money/seller-reports';
import { sellerReminderDays } from '@nearhand/contract/money/seller-reports.rules';
import type { OperatorContext } from '@nearhand/contract/operator-context';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { formatDay, formatNumber, ownTimeZone } from '../../lib/words/format.ts';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { Facts, FactsCard } from '../case/facts-card.tsx';
import { api, apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { PagedList } from '../paged-list.tsx';
import { AccessReasonGate, useAccessReason } from '../search/access-reason.tsx';

type Overview = Awaited<ReturnType<typeof api.sellerReports.overview>>;

/** The interval of reads while a report is being made. */
const makingMs = 3_000;

/** The yearly reports of workers' pay to the tax office, for finance. */
export function TaxReportsPage() {
  const query = useQuery(
    apiQuery.sellerReports.overview.queryOptions({
      input: {},
      refetchInterval: ({ state }) =>
        state.data?.reports.some(({ madeAt }) => madeAt === null) ? makingMs : false,
    }),
  );
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
        <Year key={year} year={year} reports={reports.filter((report) => report.year === year)} />
      ))}
    </div>
  );
}

const makeOnce = sendOnce('sellerReports.make', api.sellerReports.make);

const titleText = ({ corrects }: SellerReport): string => (corrects === null ? 'Report' : 'Correction');

const refetch = () => queryClient.invalidateQueries({ queryKey: apiQuery.sellerReports.key() });

/** The reports of a year, newest first: at most one of them isn't sent yet. */
function Year({ year, reports }: { year: number; reports: SellerReport[] }) {
  const [newest] = reports;
  const isSent = newest !== undefined && newest.sentAt !== null;
  const action = useAction();
  const make = () =>
    void action.run(async () => {
      await makeOnce({ year });
      await refetch();
    });
  const makeText = !newest
    ? 'Make the report'
    : isSent
      ? 'Make a correction'
      : `Make the ${titleText(newest).toLowerCase()} again`;
  const markSent = async (report: SellerReport) => {
    const choice = await showAlert({
      tone: 'ask',
      title: `Has the tax office received the ${titleText(report).toLowerCase()} of ${year}?`,
      message: 'Everyone in it is told what it says. It can’t be changed after that.',
      buttons: [
        { value: 'sent', label: 'Mark as sent' },
        { value: 'later', label: 'Not yet' },
      ],
    });
    if (choice === 'sent')
      await action.run(async () => {
        await api.sellerReports.markSent({ sellerReportId: report.id });
        await refetch();
      });
  };
  return (
    <FactsCard title={String(year)}>
      {newest ? null : <p className="mute">No report yet.</p>}
      <div className="row g2 wrap mt3">
        <Button kind="out" size="s" busy={action.busy} aria-label={`${makeText}: ${year}`} onClick={make}>
          {makeText}
        </Button>
        {newest && isReady(newest) && !isSent ? (
          <Button kind="out" size="s" busy={action.busy} onClick={() => void markSent(newest)}>
            Mark as sent
          </Button>
        ) : null}
      </div>
      <Refused text={action.refusal} />
      {reports.map((report) => (
        <Report key={report.id} report={report} />
      ))}
      {reports.some(isReady) ? (
        <div className="mt3">
          <AccessReasonGate>{() => null}</AccessReasonGate>
        </div>
      ) : null}
    </FactsCard>
  );
}

const isReady = ({ madeAt, problem }: SellerReport): boolean => madeAt !== null && problem === null;

const problemText: Record<NonNullable<SellerReport['problem']>, string> = {
  too_long: 'It has too many people for one report. Tell the developers.',
  unchanged: 'Nothing changed since the report that was sent, so there is nothing to correct.',
};

function Report({ report }: { report: SellerReport }) {
  const access = useAccessReason();
  const { corrects, madeAt, missing, problem, sellers, sentAt } = report;
  const title = titleText(report);
  if (madeAt === null)
    return (
      <p className="mute mt3" role="status">
        {title} is being made. This can take some minutes.
      </p>
    );
  const label = `${title} of ${report.year}, made on ${formatDay(madeAt, ownTimeZone())}`;
  return (
    <section className="mt4" aria-label={label}>
      <h3 className="strong">{title}</h3>
      {problem ? <p className="mute">{problemText[problem]}</p> : null}
      <Facts
        rows={[
          [corrects === null ? 'People' : 'People who are new, changed or deleted', formatNumber(sellers)],
          ['Left out, details missing', formatNumber(missing)],
          ['Made', formatDay(madeAt, ownTimeZone())],
          ['Sent', sentAt ? formatDay(sentAt, ownTimeZone()) : 'Not yet'],
        ]}
      />
      {problem || !access ? null : (
        <div className="mt3">
          <Downloads report={report} label={label} access={access} />
          {missing > 0 ? <Missing reportId={report.id} access={access} /> : null}
        </div>
      )}
    </section>
  );
}

/** People who were left out of a report, and whether a correction would have them. */
function Missing({ reportId, access }: { reportId: string; access: OperatorContext }) {
  const query = useInfiniteQuery(
    apiQuery.sellerReports.missing.infiniteOptions({
      ...pages,
      input: (cursor) => ({ sellerReportId: reportId, cursor }),
      context: { operator: access },
    }),
  );
  return (
    <div className="mt3">
      <PagedList
        query={query}
        label="Left out"
        titled
        flush={false}
        errorTitle="We couldn't load their names"
        empty={<p className="mute">Nobody.</p>}
      >
        {(people) => (
          <ul>
            {people.map((person) => (
              <li key={person.accountId} className="sm">
                <Link className="link" to={`/search/person/${person.accountId}`}>
                  {person.name}
                </Link>
                , {missingText(person)}
              </li>
            ))}
          </ul>
        )}
      </PagedList>
    </div>
  );
}

const missingText = ({ askedAt, reminders, hasDetails }: MissingSeller): string => {
  if (hasDetails) return 'gave their details since';
  return askedAt === null
    ? 'not asked yet'
    : `asked ${formatDay(askedAt, ownTimeZone())}, reminders sent: ${formatNumber(Math.min(reminders, sellerReminderDays.length))}`;
};

const formatText: Record<SellerReportFormat, string> = {
  csv: 'CSV',
  xml: 'XML',
  'xml-new': 'XML of new people',
};

function Downloads({
  report,
  label,
  access,
}: {
  report: SellerReport;
  label: string;
  access: OperatorContext;
}) {
  const action = useAction();
  const save = (format: SellerReportFormat) =>
    void action.run(async () => {
      const file = await api.sellerReports.file(
        { sellerReportId: report.id, format },
        { context: { operator: access } },
      );
      saveBlob(new Blob([file.content], { type: file.mediaType }), file.fileName);
    });
  return (
    <div className="row g2 wrap">
      {report.formats.map((format) => (
        <Button
          key={format}
          kind="out"
          size="s"
          icon="download-simple"
          busy={action.busy}
          aria-label={`${label}: ${formatText[format]}`}
          onClick={() => save(format)}
        >
          {formatText[format]}
        </Button>
      ))}
      <Refused text={action.refusal} />
    </div>
  );
}
