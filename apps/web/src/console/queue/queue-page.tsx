import { caseKinds } from '@nearhand/contract/case-kinds';
import { isId } from '@nearhand/contract/ids';
import { languages } from '@nearhand/contract/languages';
import type { CaseItem } from '@nearhand/contract/trust/cases';
import { caseLimits, caseNumber, type QueueShow, queueShows } from '@nearhand/contract/trust/cases.rules';
import { type ReactNode, type RefObject, useDeferredValue, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useAction } from '../../lib/pages/use-action.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import {
  allOf,
  formatDate,
  formatNumber,
  formatShare,
  formatSpanShort,
  ownTimeZone,
} from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button, IconButton } from '../../ui/controls/button.tsx';
import { Chip } from '../../ui/controls/chip.tsx';
import { Form } from '../../ui/controls/form.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { api } from '../console-api.ts';
import { Page } from '../page.tsx';
import { PagedList, SimilarOnly } from '../paged-list.tsx';
import { useOperator } from '../sign-in/operator-session.ts';
import { BulkCaseBar } from './bulk.tsx';
import {
  aboutCase,
  ageText,
  caseKindText,
  casePath,
  englishLanguageName,
  priorityText,
} from './case.labels.ts';
import {
  type QueueFilters,
  refetchCases,
  useCaseFigures,
  useColleagues,
  useQueue,
  useQueueCounts,
  useViews,
} from './cases-api.ts';
import { ClosedCases } from './closed-cases.tsx';

const tabs: Record<QueueShow, string> = {
  mine: 'Mine',
  team: 'Team',
  waiting: 'Waiting',
  solved: 'Solved by you',
  closed: 'Closed',
  all: 'All open',
};
const isClosed = (show: QueueShow) => show === 'solved' || show === 'closed';

type QueueQuery = QueueFilters & { text?: string };

/** The filters are in the address, so that a link, Back and a saved view open the same list. */
function useFilters() {
  const [query, setQuery] = useSearchParams();
  const claimedBy = query.get('by');
  const kind = caseKinds.find((caseKind) => caseKind === query.get('kind'));
  const language = languages.find((language) => language === query.get('language'));
  const filters: QueueFilters = {
    show: queueShows.find((show) => show === query.get('show')) ?? 'team',
    ...(kind ? { kind } : {}),
    ...(language ? { language } : {}),
    ...(claimedBy === 'nobody' || isId(claimedBy) ? { claimedBy } : {}),
    ...(query.get('overdue') === 'true' ? { overdue: true } : {}),
  };
  const text = query.get('text') ?? '';
  const set = (next: { [Name in keyof QueueQuery]?: QueueQuery[Name] | undefined }) => {
    const { show, kind, language, claimedBy, overdue, text: words } = { ...filters, text, ...next };
    setQuery(
      {
        ...(show && show !== 'team' ? { show } : {}),
        ...(kind ? { kind } : {}),
        ...(language ? { language } : {}),
        ...(claimedBy ? { by: claimedBy } : {}),
        ...(overdue ? { overdue: 'true' } : {}),
        ...(words ? { text: words } : {}),
      },
      { replace: true },
    );
  };
  const open = (view: QueueQuery) =>
    set({
      kind: undefined,
      language: undefined,
      claimedBy: undefined,
      overdue: undefined,
      text: '',
      ...view,
    });
  return { filters, text, set, open };
}

/** Everything operators decide, most urgent first. J and K move, X selects, Enter opens, C claims. */
export function QueuePage() {
  const { filters, text, set, open } = useFilters();
  const { show, kind, ...narrower } = filters;
  const narrowedBy = Object.keys(narrower).length + (kind ? 1 : 0);
  const [showsFilters, setShowsFilters] = useState(false);
  const words = useDeferredValue(text.trim());
  const decider = filters.claimedBy === 'nobody' ? undefined : filters.claimedBy;
  const operator = useOperator();
  const counts = useQueueCounts();
  const sums = { mine: 0, team: 0, waiting: 0 };
  let answered = 0;
  const ofKind = { waiting: 0, answered: 0 };
  for (const count of counts.data ?? []) {
    sums.mine += count.mine;
    sums.team += count.open;
    sums.waiting += count.waiting;
    answered += count.answered;
    if (kind !== undefined && count.kind !== kind) continue;
    ofKind.waiting += count.waiting;
    ofKind.answered += count.answered;
  }
  const showsAnswered = show === 'waiting' && ofKind.answered > 0;
  const numbers: Partial<Record<QueueShow, number>> = counts.data
    ? { mine: sums.mine, team: sums.team, waiting: sums.waiting + answered, all: sums.team + sums.waiting }
    : {};
  const listedCases = () => {
    // The operator in the filters is who decided there, not who claimed.
    if (words !== '') return <FoundCases filters={isClosed(show) ? { kind } : filters} text={words} />;
    if (isClosed(show)) {
      const decidedBy = show === 'solved' ? operator.id : decider;
      return <ClosedCases key={show} kind={kind} decidedBy={decidedBy} own={decidedBy === operator.id} />;
    }
    if (showsAnswered && ofKind.waiting === 0) return null;
    const isFiltered = show !== 'team' || narrowedBy > 0;
    return (
      <OpenCases
        filters={filters}
        empty={<NoCases filtered={isFiltered} onAll={() => open({ show: 'team' })} />}
      />
    );
  };
  return (
    <Page
      title="Queue"
      actions={
        <p className="c-keys xs mute">
          <span className="kbd">J</span> <span className="kbd">K</span> move <span className="kbd">X</span>{' '}
          select <span className="kbd">Enter</span> open <span className="kbd">C</span> claim
        </p>
      }
    >
      <div className="c-queue">
        <nav className="c-tabs" aria-label="Lists">
          {queueShows.map((value) => (
            <button
              key={value}
              type="button"
              className="c-tab"
              aria-current={show === value && words === '' ? 'page' : undefined}
              onClick={() => set({ show: value, text: '' })}
            >
              {tabs[value]}
              {numbers[value] === undefined ? null : <span className="num mute">{numbers[value]}</span>}
            </button>
          ))}
          <SavedViews filters={filters} onOpen={open} />
        </nav>
        <div className="col g3">
          <div className="c-queue-search">
            {/* biome-ignore lint/a11y/useSemanticElements: older web views don't support <search>. */}
            <div className="search slim" role="search">
              <Icon name="magnifying-glass" />
              <input
                type="search"
                aria-label="Search all cases, open and closed"
                placeholder="Number, title, name or email"
                maxLength={caseLimits.searchMax}
                value={text}
                onChange={(event) => set({ text: event.target.value })}
              />
            </div>
            <Button
              kind="out"
              size="s"
              icon="sliders-horizontal"
              aria-expanded={showsFilters}
              onClick={() => setShowsFilters(!showsFilters)}
            >
              {narrowedBy === 0 ? 'Filters' : `Filters (${narrowedBy})`}
            </Button>
          </div>
          <div className={showsFilters ? 'c-narrow col g3 open' : 'c-narrow col g3'}>
            <Figures onOverdue={() => open({ show: 'team', overdue: true })} />
            <Filters filters={filters} onChange={set} />
          </div>
          {listedCases()}
          {showsAnswered && words === '' ? <ClosedCases kind={kind} waiting /> : null}
        </div>
      </div>
    </Page>
  );
}

/** Cases by number, address, title, or the people and businesses they concern: open ones, then closed ones. */
export function FoundCases({ filters = {}, text }: { filters?: Partial<QueueFilters>; text: string }) {
  const { kind, language, claimedBy, overdue } = filters;
  return (
    <>
      <OpenCases
        filters={{ ...filters, show: 'all' }}
        text={text}
        empty={<p className="c-pad mute">No open case matches.</p>}
      />
      {language || claimedBy || overdue ? null : <ClosedCases kind={kind} text={text} />}
    </>
  );
}

type OpenCasesProps = { filters: QueueFilters; text?: string; empty: ReactNode };

function OpenCases({ filters, text = '', empty }: OpenCasesProps) {
  const query = useQueue(filters, text);
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  const [selected, setSelected] = useState<readonly string[]>([]);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const selectedItems = items.filter((item) => selected.includes(keyOf(item)));
  return (
    <>
      {selectedItems.length > 0 ? (
        <BulkCaseBar
          chosen={selectedItems}
          onClear={() => setSelected([])}
          onDone={() => {
            setSelected([]);
            void refetchCases();
          }}
        />
      ) : null}
      <PagedList
        query={query}
        label={text === '' ? 'Cases' : 'Open cases'}
        titled={text !== ''}
        errorTitle="We couldn't load the queue"
        empty={empty}
      >
        {(items) => (
          <>
            {query.data?.pages[0]?.similar ? <SimilarOnly /> : null}
            <ul ref={list} className="c-cases">
              {items.map((item) => (
                <CaseRow
                  key={keyOf(item)}
                  item={item}
                  selected={selected.includes(keyOf(item))}
                  onSelect={(on) =>
                    setSelected((all) =>
                      on ? [...all, keyOf(item)] : all.filter((key) => key !== keyOf(item)),
                    )
                  }
                />
              ))}
            </ul>
          </>
        )}
      </PagedList>
    </>
  );
}

const keyOf = ({ kind, subjectId }: { kind: string; subjectId: string }) => `${kind} ${subjectId}`;

/** The age of the queue against its deadlines, today and since Monday. */
function Figures({ onOverdue }: { onOverdue: () => void }) {
  const { data } = useCaseFigures();
  if (!data) return null;
  const missed = data.breachedThisWeek;
  const inAll = data.inTimeThisWeek + missed;
  return (
    <section className="pinecard c-figures" aria-label="Deadlines">
      <button type="button" className="c-figure" onClick={onOverdue}>
        <span className="sm mute">Over the deadline</span>
        <span className="h-m num">{formatNumber(data.overdue)}</span>
      </button>
      <p className="c-figure">
        <span className="sm mute">Due today</span>
        <span className="h-m num">
          {formatNumber(data.dueToday)} <span className="sm">of {formatNumber(data.open)}</span>
        </span>
      </p>
      <p className="c-figure">
        <span className="sm mute">In time this week</span>
        <span className="h-m num">
          {inAll === 0 ? '–' : formatShare(Math.round((data.inTimeThisWeek / inAll) * 100) * 100)}
        </span>
      </p>
      <p className="c-figure">
        <span className="sm mute">Deadlines missed this week</span>
        <span className="h-m num">
          {formatNumber(missed)}{' '}
          {data.breachedToday > 0 ? (
            <span className="sm">{formatNumber(data.breachedToday)} of them today</span>
          ) : null}
        </span>
      </p>
    </section>
  );
}

type FilterProps = { filters: QueueFilters; onChange: ReturnType<typeof useFilters>['set'] };

function Filters({ filters, onChange }: FilterProps) {
  const counts = useQueueCounts();
  const colleagues = useColleagues();
  const operator = useOperator();
  const { show, kind, claimedBy, language, overdue } = filters;
  const showsClosed = isClosed(show);
  return (
    <div className="c-filter-row">
      <Select
        label="Kind"
        value={kind ?? ''}
        placeholder="All kinds"
        options={(counts.data ?? []).map((count) => ({
          value: count.kind,
          label: showsClosed
            ? caseKindText[count.kind].many
            : `${caseKindText[count.kind].many} (${count.open})`,
        }))}
        onChange={(event) => onChange({ kind: caseKinds.find((value) => value === event.target.value) })}
      />
      {showsClosed ? null : (
        <Select
          label="Language"
          value={language ?? ''}
          placeholder="Any language"
          options={languages.map((value) => ({ value, label: englishLanguageName(value) }))}
          onChange={(event) =>
            onChange({ language: languages.find((value) => value === event.target.value) })
          }
        />
      )}
      {show === 'mine' || show === 'solved' ? null : (
        <Select
          label={showsClosed ? 'Decided by' : 'Claimed by'}
          value={showsClosed && claimedBy === 'nobody' ? '' : (claimedBy ?? '')}
          placeholder="Anyone"
          options={[
            ...(showsClosed ? [] : [{ value: 'nobody', label: 'Nobody yet' }]),
            ...(colleagues.data ?? []).map(({ id, name }) => ({
              value: id,
              label: id === operator.id ? 'You' : name,
            })),
          ]}
          onChange={(event) => onChange({ claimedBy: event.target.value || undefined })}
        />
      )}
      {showsClosed ? null : (
        <Chip pressed={overdue === true} onClick={() => onChange({ overdue: overdue ? undefined : true })}>
          Overdue only
        </Chip>
      )}
    </div>
  );
}

function SavedViews({ filters, onOpen }: { filters: QueueFilters; onOpen: (view: QueueFilters) => void }) {
  const views = useViews();
  const [naming, setNaming] = useState(false);
  const action = useAction();
  const current = JSON.stringify(Object.entries(filters).sort());
  const remove = async (viewId: string) => {
    await action.run(() => api.cases.removeView({ viewId }));
    await views.refetch();
  };
  return (
    <>
      {(views.data ?? []).length > 0 ? <p className="c-tabs-title xs mute">Saved views</p> : null}
      {(views.data ?? []).map((view) => (
        <span key={view.id} className="c-view">
          <button
            type="button"
            className="c-tab"
            aria-current={
              JSON.stringify(Object.entries(view.filters).sort()) === current ? 'true' : undefined
            }
            onClick={() => onOpen(view.filters)}
          >
            <span className="clip">{view.name}</span>
          </button>
          <IconButton icon="x" label={`Remove the view ${view.name}`} onClick={() => void remove(view.id)} />
        </span>
      ))}
      <button type="button" className="c-tab" onClick={() => setNaming(true)}>
        <span className="row g2">
          <Icon name="plus" />
          Save this view
        </span>
      </button>
      <Refused text={action.refusal} />
      <Sheet open={naming} onClose={() => setNaming(false)} title="Save this view">
        <NameView
          filters={filters}
          onDone={() => {
            setNaming(false);
            void views.refetch();
          }}
        />
      </Sheet>
    </>
  );
}

function NameView({ filters, onDone }: { filters: QueueFilters; onDone: () => void }) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  const action = useAction();
  const save = async () => {
    setTried(true);
    if (name.trim() === '') return;
    if (await action.run(() => api.cases.saveView({ name: name.trim(), filters }))) onDone();
  };
  return (
    <Form className="col g3" onSubmit={() => void save()}>
      <p className="mute">Only you see it. A view of the same name is replaced.</p>
      <TextInput
        label="Name"
        maxLength={caseLimits.viewNameMax}
        value={name}
        error={tried && name.trim() === '' ? 'Name the view.' : undefined}
        onChange={(event) => setName(event.target.value)}
      />
      <Refused text={action.refusal} />
      <Button kind="go" full type="submit" busy={action.busy}>
        Save the view
      </Button>
    </Form>
  );
}

function NoCases({ filtered, onAll }: { filtered: boolean; onAll: () => void }) {
  return (
    <EmptyState
      art="empty"
      title={filtered ? 'No cases match' : 'The queue is empty'}
      actions={
        filtered ? (
          <Button kind="out" full onClick={onAll}>
            Show all cases
          </Button>
        ) : null
      }
    >
      <p>
        {filtered
          ? 'Nothing is open under these filters.'
          : 'Disputes, reports, requests and everything else that needs a decision appear here.'}
      </p>
    </EmptyState>
  );
}

/** "of the business": the row names no person, since it is read without a reason. */
const waitsForText = (sides: CaseItem['waitsFor']): string =>
  sides.length === 0
    ? ''
    : `of the ${allOf(sides.map((side) => (side === 'business' ? 'business' : 'person')))} `;

function CaseRow({
  item,
  selected,
  onSelect,
}: {
  item: CaseItem;
  selected: boolean;
  onSelect: (on: boolean) => void;
}) {
  const now = useNow();
  const navigate = useNavigate();
  const operator = useOperator();
  const action = useAction();
  const kind = caseKindText[item.kind];
  const age = ageText(item, now);
  const priority = priorityText[item.priority];
  const { kind: caseKind, subjectId } = item;
  const claim = async () => {
    if (await action.run(() => api.cases.claim({ kind: caseKind, subjectId }))) {
      void refetchCases();
      navigate(casePath(item));
    } else {
      void refetchCases();
    }
  };
  const isMine = item.claimedBy?.id === operator.id;
  return (
    <li className={selected ? 'c-case sel' : 'c-case'}>
      <label className="c-pick">
        <span className="check-box">
          <input
            type="checkbox"
            className="check"
            checked={selected}
            data-select
            aria-label={`Select ${item.title}`}
            onChange={(event) => onSelect(event.target.checked)}
          />
          <Icon name="check" />
        </span>
        <Icon name={kind.icon} />
      </label>
      <div className="c-case-what">
        <Link className="c-case-link strong" to={casePath(item)} data-row>
          <bdi>{item.title}</bdi> <bdi className="num mute">{caseNumber(item)}</bdi>
        </Link>
        <p className="sm mute">
          {[
            ...aboutCase(item),
            ...(item.language && item.language !== 'en' ? [englishLanguageName(item.language)] : []),
          ].join(' · ')}
        </p>
        {isMine && item.handedBy ? (
          <Badge tone="here" icon="arrow-bend-up-left">
            Handed to you by {item.handedBy}
          </Badge>
        ) : null}
        {item.awaitsApproval ? (
          <Badge tone="wait" icon="users">
            Waiting for a second person
          </Badge>
        ) : null}
        <Refused text={action.refusal} />
      </div>
      <span className="c-case-priority">
        <Badge tone={priority.tone}>{priority.text}</Badge>
      </span>
      <span className="c-case-age sm num">
        <span className="mute">
          {item.answeredAt
            ? `Answered ${formatSpanShort(now.getTime() - Date.parse(item.answeredAt))} ago`
            : `Open ${age.open}`}
        </span>
        {item.waitsUntil && Date.parse(item.waitsUntil) > now.getTime() ? (
          <Badge icon="clock">
            Answer {waitsForText(item.waitsFor)}due {formatDate(item.waitsUntil, ownTimeZone(), now)}
          </Badge>
        ) : (
          <Badge tone={age.tone} icon={age.tone === 'bad' ? 'warning-circle' : 'clock'}>
            {age.due}
          </Badge>
        )}
      </span>
      <span className="c-case-who sm">
        {item.claimedBy ? (
          <span className={isMine ? 'strong' : 'mute'}>{isMine ? 'You' : item.claimedBy.name}</span>
        ) : (
          <>
            {item.assignedTo ? (
              <span className="mute">
                For {item.assignedTo.id === operator.id ? 'you' : item.assignedTo.name}
              </span>
            ) : null}
            <Button kind="out" size="xs" busy={action.busy} data-claim onClick={() => void claim()}>
              Claim
            </Button>
          </>
        )}
      </span>
    </li>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input:not([type="checkbox"]), textarea, select, dialog, [role="radiogroup"]') !== null;

function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const row = document.activeElement?.closest('li');
      const at = rows.findIndex((element) => element.closest('li') === row);
      if (event.key === 'j' || event.key === 'k') {
        const next = rows[Math.min(rows.length - 1, Math.max(0, at + (event.key === 'j' ? 1 : -1)))];
        next?.focus();
      } else if (event.key === 'c' && at >= 0) {
        row?.querySelector<HTMLElement>('[data-claim]')?.click();
      } else if (event.key === 'x' && at >= 0) {
        row?.querySelector<HTMLElement>('[data-select]')?.click();
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [list]);
}
