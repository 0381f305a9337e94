import { useLingui } from '@lingui/react/macro';
import type { Applicant, ApplicantSort } from '@nearhand/contract/hiring/applicants';
import type { Board } from '@nearhand/contract/hiring/pipeline';
import { limits } from '@nearhand/contract/limits';
import { type ReactNode, useState } from 'react';
import { api } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { csvTime } from '../../lib/forms/csv.ts';
import { formatDate, formatDay, formatDistance, ownTimeZone } from '../../lib/words/format.ts';
import { ratingText } from '../../lib/words/rating.labels.ts';
import { CsvButton } from '../../people/businesses/csv-button.tsx';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { applicantName } from '../applicants/applicant.labels.ts';
import { type ApplicantScope, applicantsOf, useApplicants } from '../applicants/applicants.api.ts';
import { SelectBox, Standing } from '../applicants/card-facts.tsx';
import { CardMenu } from '../applicants/card-menu.tsx';
import { type DropMove, stageText } from '../applicants/stage.labels.ts';
import { Nobody } from './phone-list.tsx';
import { StageChips, stageAsk } from './pipeline-filters.tsx';
import type { Pipeline } from './use-pipeline.ts';

type TableProps = {
  scope: ApplicantScope;
  pipeline: Pipeline;
  counts: Board['stages'] | undefined;
  waiting: Board['waiting'] | undefined;
  zone: string;
  openId: string | null;
  onOpen: (applicant: Applicant) => void;
  onMove: (applicant: Applicant, move: DropMove) => void;
  panel: ReactNode;
};

/** Downloads the listed applicants as CSV, one row per application. */
function DownloadApplicants({ scope, pipeline }: Pick<TableProps, 'scope' | 'pipeline'>) {
  const { t } = useLingui();
  const { rehire, ...ask } = stageAsk(pipeline, pipeline.stage);
  return (
    <CsvButton
      fileName={t`Applicants`}
      head={[t`Name`, t`Job`, t`Start`, t`Stage`, t`Decide by`, t`Match`, t`Distance`, t`Applied`, t`Tags`]}
      read={(page) => {
        const input = { ...ask, rehire: rehire ? ('true' as const) : undefined, ...page };
        return 'businessId' in scope
          ? api.applicants.ofBusiness({ ...scope, ...input })
          : api.applicants.ofJob({ ...scope, ...input });
      }}
      rowOf={(applicant) => [
        applicantName(applicant),
        applicant.jobTitle,
        csvTime(applicant.jobStartsAt, applicant.timeZone),
        stageText(applicant.stage),
        csvTime(applicant.decideBy, applicant.timeZone),
        applicant.matchScore,
        applicant.distanceM === null ? null : formatDistance(applicant.distanceM, applicant.timeZone),
        csvTime(applicant.submittedAt, applicant.timeZone),
        applicant.tags.join(', '),
      ]}
    />
  );
}

/** Applicants of one stage or several as dense rows, one per application, on a desktop. */
export function ApplicantTable(props: TableProps) {
  const { t } = useLingui();
  const { scope, pipeline, openId, zone } = props;
  const { filters, stage, checked } = pipeline;
  const [menuOf, setMenuOf] = useState<Applicant | null>(null);
  const query = useApplicants(scope, stageAsk(pipeline, stage));
  const withJob = 'businessId' in scope;
  const sortable = (label: string, sort: ApplicantSort) => (
    <th
      scope="col"
      className={sort === 'newest' ? 'extra' : undefined}
      aria-sort={filters.sort === sort ? (sort === 'deadline' ? 'ascending' : 'descending') : 'none'}
    >
      <PlainButton
        className="link"
        needsNetwork={pipeline.needsNetwork({ sort })}
        small
        aria-pressed={filters.sort === sort}
        onClick={() => pipeline.setFilters({ sort })}
      >
        {label}
      </PlainButton>
    </th>
  );
  return (
    <div className="board">
      <section className="applicant-list" aria-label={t`Applicants`}>
        <StageChips scope={scope} pipeline={pipeline} counts={props.counts} waiting={props.waiting} />
        <QueryState
          query={query}
          loading={<RowsSkeleton />}
          errorTitle={t`We couldn't load applicants`}
          isEmpty={(data) => applicantsOf(data).length === 0}
          empty={
            <Nobody
              stage={stage}
              filtered={pipeline.isFiltered}
              job={undefined}
              ofBusiness={withJob}
              onClear={pipeline.clear}
              onInvite={undefined}
            />
          }
        >
          {(data) => (
            <>
              <table className={openId === null ? 'applicant-table' : 'applicant-table narrow'}>
                <thead>
                  <tr>
                    <td>
                      <SelectAll query={query} checked={checked} onToggle={pipeline.toggleAll} />
                    </td>
                    <th scope="col">{t`Name`}</th>
                    {withJob ? <th scope="col">{t`Job`}</th> : null}
                    <th scope="col">{t`Stage`}</th>
                    {sortable(t`Decide by`, 'deadline')}
                    {sortable(t`Match`, 'match')}
                    <th scope="col" className="extra">{t`Distance`}</th>
                    {sortable(t`Applied`, 'newest')}
                    <td />
                  </tr>
                </thead>
                <tbody>
                  {applicantsOf(data).map((applicant) => (
                    <ApplicantLine
                      key={applicant.id}
                      applicant={applicant}
                      withJob={withJob}
                      zone={zone}
                      selected={applicant.id === openId}
                      checked={checked.has(applicant.id)}
                      onToggle={pipeline.toggle}
                      onOpen={props.onOpen}
                      onMenu={setMenuOf}
                    />
                  ))}
                </tbody>
              </table>
              <LoadMore query={query} />
              <DownloadApplicants scope={scope} pipeline={pipeline} />
            </>
          )}
        </QueryState>
      </section>
      {props.panel}
      <CardMenu
        applicant={menuOf}
        checked={menuOf !== null && checked.has(menuOf.id)}
        onClose={() => setMenuOf(null)}
        onOpen={props.onOpen}
        onToggle={pipeline.toggle}
        onMove={props.onMove}
      />
    </div>
  );
}

type LineProps = {
  applicant: Applicant;
  withJob: boolean;
  zone: string;
  selected: boolean;
  checked: boolean;
  onToggle: (applicant: Applicant) => void;
  onOpen: (applicant: Applicant) => void;
  onMenu: (applicant: Applicant) => void;
};

function ApplicantLine({ applicant, withJob, zone, selected, checked, onToggle, onOpen, onMenu }: LineProps) {
  const { t } = useLingui();
  return (
    <tr className={selected ? 'sel' : undefined} data-applicant={applicant.id}>
      <td>
        <SelectBox applicant={applicant} checked={checked} onToggle={onToggle} />
      </td>
      <th scope="row">
        <button type="button" className="link nowrap" onClick={() => onOpen(applicant)}>
          {applicantName(applicant)}
        </button>{' '}
        {applicant.viewedAt === null && applicant.stage === 'new' ? (
          <Badge tone="hot">{t`Not opened`}</Badge>
        ) : null}
      </th>
      {withJob ? (
        <td>
          <span className="block clip" dir="auto">
            {applicant.jobTitle}
          </span>
          {applicant.jobStartsAt ? (
            <span className="xs mute">{formatDate(applicant.jobStartsAt, applicant.timeZone)}</span>
          ) : null}
        </td>
      ) : null}
      <td>
        <span className="block">{stageText(applicant.stage)}</span>
        {applicant.stage === 'interviewing' || applicant.stage === 'offered' ? (
          <Standing applicant={applicant} zone={zone} />
        ) : null}
      </td>
      <td className="nowrap">
        {applicant.actions.includes('reject') ? formatDay(applicant.decideBy, applicant.timeZone) : null}
      </td>
      <td className="num">{applicant.matchScore}</td>
      <td className="extra nowrap">
        {applicant.distanceM === null
          ? null
          : formatDistance(Math.max(500, applicant.distanceM), applicant.timeZone)}
        <span className="xs mute block">{ratingText(applicant.worker.rating) ?? t`No reviews yet`}</span>
      </td>
      <td className="extra nowrap">{formatDay(applicant.submittedAt, ownTimeZone())}</td>
      <td>
        <IconButton
          icon="dots-three"
          label={t`Actions for ${applicantName(applicant)}`}
          aria-haspopup="dialog"
          onClick={() => onMenu(applicant)}
        />
      </td>
    </tr>
  );
}

/** Selects everyone in a list, at most as many as one bulk move allows; loads the rest of the list first. */
export function SelectAll({
  query,
  checked,
  onToggle,
}: {
  query: ReturnType<typeof useApplicants>;
  checked: ReadonlyMap<string, Applicant>;
  onToggle: (applicants: readonly Applicant[]) => void;
}) {
  const { t } = useLingui();
  const [loading, setLoading] = useState(false);
  const applicants = applicantsOf(query.data).slice(0, limits.bulkMax);
  const isEvery = applicants.length > 0 && applicants.every(({ id }) => checked.has(id));
  const toggle = async () => {
    if (isEvery) return onToggle(applicants);
    setLoading(true);
    try {
      let page = { data: query.data, hasNextPage: query.hasNextPage };
      while (page.hasNextPage && applicantsOf(page.data).length < limits.bulkMax)
        page = await query.fetchNextPage({ throwOnError: true });
      const unchecked = applicantsOf(page.data)
        .slice(0, limits.bulkMax)
        .filter(({ id }) => !checked.has(id));
      onToggle(unchecked);
    } catch (error) {
      showToast(errorText(error));
    } finally {
      setLoading(false);
    }
  };
  return (
    <PlainButton className="link sm select-all" aria-busy={loading} small onClick={() => void toggle()}>
      {isEvery ? t`Deselect all` : t`Select all`}
    </PlainButton>
  );
}
