import { caseKinds } from '@nearhand/contract/case-kinds';
import { isId } from '@nearhand/contract/ids';
import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import type { LoggedCall } from '@nearhand/contract/trust/operator-log';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import { useSearchParams } from 'react-router';
import { errorText } from '../../lib/api/error.labels.ts';
import { pages } from '../../lib/api/query-options.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatNumber, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Banner, Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { zoneText } from '../case/case-zone.ts';
import { api, apiQuery } from '../console-api.ts';
import { Page } from '../page.tsx';
import { PagedList } from '../paged-list.tsx';
import { caseKindText, casePath } from '../queue/case.labels.ts';
import { useColleagues } from '../queue/cases-api.ts';
import { useAccessReason } from '../search/access-reason.tsx';
import { foundRecordPath } from '../search/search.labels.ts';
import {
  type CallLine,
  callDay,
  callsCsv,
  callText,
  callTime,
  idIn,
  mergeOpenings,
  outcomeText,
} from './log.labels.ts';

const results = { done: 'Done', asked: 'Asked another operator', refused: 'Refused' } as const;
const whats = { looks: 'Viewed', actions: 'Actions' } as const;
/** The maximum number of pages, of a hundred calls each, that an export reads. */
const exportPages = 50;

/** A day of a date field, from its start or to its end in the operator's own zone. */
const dayStart = (day: string, next: 0 | 1): string | undefined => {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  return day === '' ? undefined : new Date(year, month - 1, date + next).toISOString();
};

/** The operators' access and action log, for owners only (ADR 176). */
export function LogPage() {
  const [query, setQuery] = useSearchParams();
  const parameter = (name: string) => query.get(name) ?? '';
  const subject = parameter('record');
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(query);
    if (value === '') next.delete(name);
    else next.set(name, value);
    setQuery(next, { replace: true });
  };
  const hasId = isId(subject);
  const filter = parameter('what');
  const result = parameter('result');
  const filters = {
    operatorId: parameter('operator') || undefined,
    subjectId: hasId ? subject : undefined,
    what: filter === 'looks' || filter === 'actions' ? filter : undefined,
    caseKind: caseKinds.find((kind) => kind === parameter('kind')),
    result: result === 'done' || result === 'refused' || result === 'asked' ? result : undefined,
    from: dayStart(parameter('from'), 0),
    until: dayStart(parameter('until'), 1),
  } as const;
  const log = useInfiniteQuery(
    apiQuery.operatorLog.search.infiniteOptions({
      ...pages,
      input: (cursor) => ({ cursor, ...filters }),
      refetchOnWindowFocus: false,
    }),
  );
  return (
    <Page
      title="Log"
      lead={`Everything that operators opened and did. It cannot be changed. All times ${zoneText(ownTimeZone(), new Date())}`}
    >
      <div className="col g4">
        <div className="row g3 wrap">
          <Verification />
          <Export filters={filters} />
        </div>
        <Filters parameter={parameter} set={set} />
        <PagedList
          query={log}
          label="Calls"
          errorTitle="We couldn't load the log"
          empty={
            <EmptyState title="Nothing matches">
              <p>No operator has opened or done anything that fits.</p>
            </EmptyState>
          }
        >
          {(calls) => (
            <ol className="c-cases">
              {mergeOpenings(calls).map((call, index, lines) => {
                const before = lines[index - 1];
                const isNewDay = before === undefined || callDay(before) !== callDay(call);
                return (
                  <Fragment key={call.no}>
                    {isNewDay ? <li className="c-day strong">{callDay(call)}</li> : null}
                    <CallRow call={call} onRecord={(id) => set('record', id)} />
                  </Fragment>
                );
              })}
            </ol>
          )}
        </PagedList>
      </div>
    </Page>
  );
}

type FiltersProps = { parameter: (name: string) => string; set: (name: string, value: string) => void };

/** The filters of the log, as parameters of its address. */
function Filters({ parameter, set }: FiltersProps) {
  const colleagues = useColleagues();
  const subject = parameter('record');
  return (
    <div className="c-filters">
      <Select
        label="Operator"
        value={parameter('operator')}
        placeholder="Everyone"
        options={(colleagues.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(event) => set('operator', event.target.value)}
      />
      <Select
        label="What"
        value={parameter('what')}
        placeholder="Both"
        options={Object.entries(whats).map(([value, label]) => ({ value, label }))}
        onChange={(event) => set('what', event.target.value)}
      />
      <Select
        label="Kind of case"
        value={parameter('kind')}
        placeholder="Any"
        options={caseKinds.map((value) => ({ value, label: caseKindText[value].many }))}
        onChange={(event) => set('kind', event.target.value)}
      />
      <Select
        label="Outcome"
        value={parameter('result')}
        placeholder="Any"
        options={Object.entries(results).map(([value, label]) => ({ value, label }))}
        onChange={(event) => set('result', event.target.value)}
      />
      <TextInput
        label="From"
        type="date"
        value={parameter('from')}
        onChange={(event) => set('from', event.target.value)}
      />
      <TextInput
        label="To"
        type="date"
        value={parameter('until')}
        error={
          parameter('from') !== '' && parameter('until') !== '' && parameter('until') < parameter('from')
            ? 'This day is before “From”.'
            : undefined
        }
        onChange={(event) => set('until', event.target.value)}
      />
      <TextInput
        label="About"
        placeholder="Id or address"
        spellCheck={false}
        value={subject}
        error={
          subject !== '' && !isId(subject)
            ? 'Paste its id, or the address of its page in the console.'
            : undefined
        }
        onChange={(event) => set('record', idIn(event.target.value))}
      />
    </div>
  );
}

/** Downloads the filtered calls, newest first. */
function Export({ filters }: { filters: Omit<Parameters<typeof api.operatorLog.search>[0], 'cursor'> }) {
  const action = useAction();
  const [cut, setCut] = useState(false);
  const download = async () => {
    const calls: LoggedCall[] = [];
    let cursor: string | null | undefined;
    for (let page = 0; page < exportPages && cursor !== null; page += 1) {
      const result: Awaited<ReturnType<typeof api.operatorLog.search>> = await api.operatorLog.search({
        ...filters,
        limit: 100,
        cursor,
      });
      calls.push(...result.items);
      cursor = result.nextCursor;
    }
    setCut(cursor !== null);
    saveBlob(callsCsv(calls, new Date()), 'operators-log.csv');
  };
  return (
    <div className="col g2">
      <Refused text={action.refusal} />
      <Button
        kind="out"
        size="s"
        icon="download-simple"
        busy={action.busy}
        onClick={() => void action.run(download)}
      >
        Export what is listed
      </Button>
      {cut ? <p className="xs mute">Only the newest 5,000. Narrow the dates for the rest.</p> : null}
    </div>
  );
}

/** A withdrawal is shown as its person, who may be among the subjects too. */
const subjectsOnce = (subjects: LoggedCall['subjects']): LoggedCall['subjects'] =>
  subjects.filter(({ id }, index) => subjects.findIndex((subject) => subject.id === id) === index);

function CallRow({ call, onRecord }: { call: CallLine; onRecord: (id: string) => void }) {
  const access = useAccessReason();
  const outcome = outcomeText(call, useNow());
  return (
    <li className="c-call">
      <p className="row g2 wrap">
        <span className="break">
          <span className="strong">{call.operator.name}</span> {callText(call)}
        </span>
        <span className="sm mute end">{callTime(call)}</span>
      </p>
      {/* The sentence says what was done. */}
      {outcome && outcome !== 'Done' ? <p className="sm break">Outcome: {outcome}</p> : null}
      {call.reason ? <p className="sm break">Reason: {call.reason}</p> : null}
      <p className="row g3 wrap xs mute">
        {call.case ? (
          <Link className="link" to={casePath(call.case)}>
            {caseKindText[call.case.kind].one} {caseNumber(call.case)}
          </Link>
        ) : null}
        {subjectsOnce(call.subjects).map((subject) => (
          <span key={subject.loggedId} className="row g2">
            <Link className="link" to={foundRecordPath(subject, access)}>
              {subject.name}
            </Link>
            <button
              type="button"
              className="link"
              aria-label={`Only calls about ${subject.name}`}
              title={`Only calls about ${subject.name}`}
              onClick={() => onRecord(subject.loggedId)}
            >
              <Icon name="magnifying-glass" />
            </button>
          </span>
        ))}
        <span className="num">
          No. {formatNumber(call.no)}
          {call.opening ? ` and ${formatNumber(call.opening)}` : ''}
        </span>
      </p>
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
