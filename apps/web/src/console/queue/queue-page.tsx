import { type CaseKind, caseKinds } from '@nearhand/contract/case-kinds';
import type { CaseItem } from '@nearhand/contract/trust/cases';
import { type RefObject, useEffect, useRef } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useMove } from '../../lib/pages/use-move.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { api } from '../console-api.ts';
import { Page } from '../page.tsx';
import { PagedList } from '../paged-list.tsx';
import { useOperator } from '../sign-in/operator-session.ts';
import { ageText, casePath, kindText, priorityText, tagText } from './case.labels.ts';
import { type QueueFilters, refetchCases, useQueue, useQueueCounts } from './cases-api.ts';
import { ClosedCases } from './closed-cases.tsx';

const shows = ['all', 'mine', 'unclaimed', 'overdue', 'waiting', 'closed'] as const;

function useFilters() {
  const [query, setQuery] = useSearchParams();
  const kind = caseKinds.find((caseKind) => caseKind === query.get('kind'));
  const show = shows.find((show) => show === query.get('show')) ?? 'all';
  const set = (next: { kind?: CaseKind | undefined; show?: (typeof shows)[number] }) => {
    const all = { kind, show, ...next };
    setQuery(
      { ...(all.kind ? { kind: all.kind } : {}), ...(all.show === 'all' ? {} : { show: all.show }) },
      { replace: true },
    );
  };
  const filters: QueueFilters = {
    ...(kind ? { kind } : {}),
    ...(show === 'all' || show === 'closed' ? {} : { show }),
  };
  return { kind, show, filters, set };
}

/** Everything operators decide, most urgent first. J and K move, Enter opens, C claims. */
export function QueuePage() {
  const { kind, show, filters, set } = useFilters();
  const query = useQueue(filters);
  const counts = useQueueCounts();
  const list = useRef<HTMLUListElement>(null);
  useRowKeys(list);
  const sums = { all: 0, mine: 0, unclaimed: 0, overdue: 0, waiting: 0 };
  for (const count of counts.data ?? []) {
    sums.all += count.open;
    sums.mine += count.mine;
    sums.unclaimed += count.unclaimed;
    sums.overdue += count.overdue;
    sums.waiting += count.waiting;
  }
  const labels = {
    all: 'All',
    mine: 'Mine',
    unclaimed: 'Unclaimed',
    overdue: 'Overdue',
    waiting: 'Waiting',
    closed: 'Closed',
  };
  const filtered = kind !== undefined || show !== 'all';
  return (
    <Page
      title="Queue"
      actions={
        <p className="c-keys xs mute">
          <span className="kbd">J</span> <span className="kbd">K</span> move{' '}
          <span className="kbd">Enter</span> open <span className="kbd">C</span> claim
        </p>
      }
    >
      <div className="col g3">
        <Chips label="Show" wrap>
          {shows.map((value) => (
            <Chip key={value} pressed={show === value} onClick={() => set({ show: value })}>
              {counts.data && value !== 'closed' ? `${labels[value]} ${sums[value]}` : labels[value]}
            </Chip>
          ))}
        </Chips>
        <Chips label="Kind" wrap>
          <Chip pressed={kind === undefined} onClick={() => set({ kind: undefined })}>
            All kinds
          </Chip>
          {(counts.data ?? [])
            .filter((count) => count.open > 0 || count.kind === kind)
            .map((count) => (
              <Chip
                key={count.kind}
                icon={kindText[count.kind].icon}
                pressed={kind === count.kind}
                onClick={() => set({ kind: kind === count.kind ? undefined : count.kind })}
              >
                {kindText[count.kind].many} {show === 'closed' ? null : count.open}
              </Chip>
            ))}
        </Chips>
        {show === 'closed' ? (
          <ClosedCases kind={kind} />
        ) : (
          <PagedList
            query={query}
            label="Cases"
            errorTitle="We couldn't load the queue"
            empty={<NoCases filtered={filtered} onShowAll={() => set({ kind: undefined, show: 'all' })} />}
          >
            {(items) => (
              <ul ref={list} className="c-cases">
                {items.map((item) => (
                  <CaseRow key={`${item.kind} ${item.subjectId}`} item={item} />
                ))}
              </ul>
            )}
          </PagedList>
        )}
      </div>
    </Page>
  );
}

function NoCases({ filtered, onShowAll }: { filtered: boolean; onShowAll: () => void }) {
  return (
    <EmptyState
      art="empty"
      title={filtered ? 'No cases match' : 'The queue is empty'}
      actions={
        filtered ? (
          <Button kind="out" full onClick={onShowAll}>
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

function CaseRow({ item }: { item: CaseItem }) {
  const now = useNow();
  const navigate = useNavigate();
  const operator = useOperator();
  const move = useMove();
  const kind = kindText[item.kind];
  const age = ageText(item, now);
  const priority = priorityText[item.priority];
  const { kind: caseKind, subjectId } = item;
  const claim = async () => {
    if (await move.run(() => api.cases.claim({ kind: caseKind, subjectId }))) {
      void refetchCases();
      navigate(casePath(item));
    } else {
      void refetchCases();
    }
  };
  const mine = item.claimedBy?.id === operator.id;
  return (
    <li className="c-case">
      <span className="c-case-kind">
        <Icon name={kind.icon} />
      </span>
      <div className="c-case-what">
        <Link className="c-case-link strong" to={casePath(item)} data-row>
          {item.title}
        </Link>
        <p className="sm mute">
          {[
            kind.one,
            item.tag ? tagText(item.tag) : null,
            item.business?.name === item.title ? null : item.business?.name,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        {item.awaitsApproval ? (
          <Badge tone="wait" icon="users">
            Waiting for a second person
          </Badge>
        ) : null}
        <Refused text={move.refusal} />
      </div>
      <span className="c-case-priority">
        <Badge tone={priority.tone}>{priority.text}</Badge>
      </span>
      <span className="c-case-age sm num">
        <span className="mute">Open {age.open}</span>
        {item.waitsUntil && Date.parse(item.waitsUntil) > now.getTime() ? (
          <Badge icon="clock">Answer due {formatDate(item.waitsUntil, ownTimeZone(), now)}</Badge>
        ) : (
          <Badge tone={age.tone} icon={age.tone === 'bad' ? 'warning-circle' : 'clock'}>
            {age.due}
          </Badge>
        )}
      </span>
      <span className="c-case-who sm">
        {item.claimedBy ? (
          <span className={mine ? 'strong' : 'mute'}>{mine ? 'You' : item.claimedBy.name}</span>
        ) : (
          <Button kind="out" size="xs" busy={move.busy} data-claim onClick={() => void claim()}>
            Claim
          </Button>
        )}
      </span>
    </li>
  );
}

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, dialog, [role="radiogroup"]') !== null;

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
      }
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [list]);
}
