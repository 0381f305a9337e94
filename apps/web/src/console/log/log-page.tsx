import { isId } from '@nearhand/contract/ids';
import type { LoggedCall } from '@nearhand/contract/trust/operator-log';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { pages } from '../../lib/api/query-options.ts';
import { formatDate, formatNumber, ownTimeZone } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { PagedList } from '../paged-list.tsx';
import { casePath, kindText } from '../queue/case.labels.ts';
import { useColleagues } from '../queue/cases-api.ts';

/** The operators' access and action log, for owners only (ADR 177). */
export function LogPage() {
  const [query, setQuery] = useSearchParams();
  const operatorId = query.get('operator') ?? '';
  const subject = query.get('record') ?? '';
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setQuery(next, { replace: true });
  };
  const colleagues = useColleagues();
  const hasId = isId(subject);
  const log = useInfiniteQuery(
    apiQuery.operatorLog.search.infiniteOptions({
      ...pages,
      input: (cursor) => ({
        cursor,
        ...(operatorId ? { operatorId } : {}),
        ...(hasId ? { subjectId: subject } : {}),
      }),
    }),
  );
  return (
    <Page title="Log" lead="Everything that operators opened and did. It cannot be changed.">
      <div className="col g4">
        <Verification />
        <div className="c-filters">
          <Select
            label="Operator"
            value={operatorId}
            placeholder="All operators"
            options={(colleagues.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(event) => set('operator', event.target.value)}
          />
          <TextInput
            label="Record"
            help="The id of a person, business, job or anything else."
            spellCheck={false}
            value={subject}
            error={subject !== '' && !hasId ? 'This is not an id.' : undefined}
            onChange={(event) => set('record', event.target.value.trim().toLowerCase())}
          />
        </div>
        <PagedList
          query={log}
          label="Calls"
          errorTitle="We couldn't load the log"
          empty={
            <EmptyState title="No calls">
              <p>No operator has opened or done anything that fits.</p>
            </EmptyState>
          }
        >
          {(calls) => (
            <ol className="c-cases">
              {calls.map((call) => (
                <CallRow key={call.no} call={call} onRecord={(id) => set('record', id)} />
              ))}
            </ol>
          )}
        </PagedList>
      </div>
    </Page>
  );
}

function CallRow({ call, onRecord }: { call: LoggedCall; onRecord: (id: string) => void }) {
  return (
    <li className="c-call">
      <p className="row g2 wrap">
        <span className="strong">{call.operator.name}</span>
        <span className="sm mute">{formatDate(call.at, ownTimeZone())}</span>
        <span className="sm mute num end">No. {formatNumber(call.no)}</span>
      </p>
      <p className="sm break">{call.operation}</p>
      {call.case ? (
        <p className="sm">
          Case:{' '}
          <Link className="link" to={casePath(call.case)}>
            {kindText[call.case.kind].one}
          </Link>
        </p>
      ) : null}
      {call.reason ? <p className="sm">Reason: {call.reason}</p> : null}
      {call.subjectIds.length > 0 ? (
        <p className="c-ids">
          {call.subjectIds.map((id) => (
            <button key={id} type="button" className="link xs num" onClick={() => onRecord(id)}>
              {id}
            </button>
          ))}
        </p>
      ) : null}
    </li>
  );
}

function Verification() {
  const query = useQuery({ ...apiQuery.operatorLog.verify.queryOptions(), enabled: false });
  const { data } = query;
  return (
    <div className="col g2">
      {data ? (
        <Banner tone={data.findings.length === 0 ? 'good' : 'bad'} live>
          {data.findings.length === 0
            ? `All ${formatNumber(data.rows)} rows are as they were written.`
            : `${formatNumber(data.findings.length)} rows are not as they were written, the first is no. ${formatNumber(data.findings[0]?.no ?? 0)}. Look at the database's backups.`}
        </Banner>
      ) : null}
      {query.error ? (
        <Banner tone="bad" live>
          {errorText(query.error)}
        </Banner>
      ) : null}
      <p>
        <Button
          kind="out"
          size="s"
          icon="shield-check"
          busy={query.isFetching}
          onClick={() => void query.refetch()}
        >
          Check the log
        </Button>
      </p>
    </div>
  );
}
