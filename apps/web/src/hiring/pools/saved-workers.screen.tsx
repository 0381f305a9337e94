import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Pool, SavedWorker } from '@nearhand/contract/hiring/pools';
import { limits } from '@nearhand/contract/limits';
import { useDeferredValue, useState } from 'react';
import { useLocation } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { csvTime } from '../../lib/forms/csv.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useCanShow } from '../../lib/pages/use-can-show.ts';
import { useLinkQuery } from '../../lib/pages/use-link-query.ts';
import { ownTimeZone } from '../../lib/words/format.ts';
import { BusinessPick } from '../../people/businesses/business-pick.tsx';
import { CsvButton } from '../../people/businesses/csv-button.tsx';
import { ForBusiness } from '../../people/businesses/not-for-role.tsx';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Chip, Chips } from '../../ui/controls/chip.tsx';
import { TextInput } from '../../ui/controls/inputs.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import '../../work/business-engagements/business-work.css';
import '../pipeline/pipeline.css';
import { type Rebooking, RebookSheet } from '../rebook/rebook-sheet.tsx';
import { UnpaidOffers } from '../rebook/unpaid-offers.tsx';
import { hireText, workedText } from './pool.labels.ts';
import { type Open, PoolSheets } from './pool-sheets.tsx';
import { type SavedAsk, savedWorkers, useDeletePool, usePools, useSavedWorkers } from './pools.api.ts';
import { usePoolToggle } from './save-worker.tsx';
import { SavedDetail } from './saved-detail.tsx';
import './pools.css';

const offerIn = (search: string): string | null => new URLSearchParams(search).get('offer');

export default function SavedWorkersScreen() {
  const { t } = useLingui();
  const first = offerIn(useLocation().search);
  const [offerId, setOfferId] = useState(first);
  useLinkQuery(offerIn, setOfferId);
  return (
    <ForBusiness
      screen="/saved-workers"
      title={t`Saved workers`}
      lead={t`Register a business to keep the people you'd hire again.`}
    >
      {({ id }) => <SavedWorkers key={id} businessId={id} offerId={offerId} />}
    </ForBusiness>
  );
}

/** The chosen pool, the search in it, and the saved workers that match. */
function useSavedList(businessId: string) {
  const [poolId, setPoolId] = useState<string | null>(null);
  const [q, setQ] = useState('');
  const [tag, setTag] = useState('');
  const words = useDeferredValue(q.trim());
  const pools = usePools(businessId);
  const pool = pools.data?.pools.find(({ id }) => id === poolId) ?? null;
  const askOf = (inPool: string | null, tagged: string, named = words) => ({
    ...(inPool ? { poolId: inPool } : {}),
    ...(named ? { q: named } : {}),
    ...(tagged ? { tag: tagged } : {}),
  });
  const ask = askOf(pool?.id ?? null, tag);
  const query = useSavedWorkers(businessId, ask);
  const canShow = useCanShow();
  return {
    pools,
    pool,
    setPoolId,
    q,
    setQ,
    tag,
    setTag,
    ask,
    query,
    isFiltered: Boolean(words || tag),
    needsNetwork: (...ask: Parameters<typeof askOf>) => !canShow(savedWorkers(businessId, askOf(...ask))),
  };
}

/** Downloads the listed workers as CSV. */
function DownloadWorkers({ businessId, ask }: { businessId: string; ask: SavedAsk }) {
  const { t } = useLingui();
  return (
    <CsvButton
      fileName={t`Saved workers`}
      head={[t`Name`, t`Area`, t`Pools`, t`Tags`, t`Times worked`, t`Last worked`, t`Saved on`]}
      read={(page) => api.pools.workers({ businessId, ...ask, ...page })}
      rowOf={({ worker, pools, tags, timesWorked, lastWorkedAt, savedAt }) => [
        worker.name,
        worker.area,
        pools.map(({ name }) => name).join(', '),
        tags.join(', '),
        timesWorked,
        csvTime(lastWorkedAt, ownTimeZone()),
        csvTime(savedAt, ownTimeZone()),
      ]}
    />
  );
}

type SavedList = ReturnType<typeof useSavedList>;

function SavedWorkers({ businessId, offerId }: { businessId: string; offerId: string | null }) {
  const { t } = useLingui();
  const wide = useWide();
  const list = useSavedList(businessId);
  const { pools, pool, setPoolId, query, isFiltered } = list;
  const [open, setOpen] = useState<Open>(null);
  const [openWorker, setOpenWorker] = useState<SavedWorker | null>(null);
  const [rebooking, setRebooking] = useState<Rebooking | null>(null);
  const hire = ({ workerId, worker, timesWorked }: SavedWorker) => {
    setOpenWorker(null);
    setRebooking({ worker: { workerId, name: worker.name }, past: null, isNew: timesWorked === 0 });
  };
  const detail = openWorker ? (
    <SavedDetail
      key={openWorker.workerId}
      saved={openWorker}
      businessId={businessId}
      onHire={() => hire(openWorker)}
    />
  ) : null;
  return (
    <Screen
      title={t`Saved workers`}
      lead={t`People you'd hire again, in pools only your team can see.`}
      back="menu"
      width="wide"
      actions={<BusinessPick />}
      aside={
        wide && openWorker ? (
          <div className="business-aside">
            <h2 className="h-l">{openWorker.worker.name}</h2>
            {detail}
          </div>
        ) : undefined
      }
      asideLabel={t`Selected worker`}
      onRefresh={() => Promise.all([pools.refetch(), query.refetch()])}
    >
      <UnpaidOffers businessId={businessId} openId={offerId} />
      {/* The pool or tag isn't on the device. The tools stay, so that another one can be chosen. */}
      {query.data === undefined && query.error && (isFiltered || pool) ? (
        <div className="saved-tools">
          <ListTools list={list} onOpen={setOpen} />
        </div>
      ) : null}
      <QueryState
        query={query}
        loading={<RowsSkeleton />}
        errorTitle={t`We couldn't load your saved workers`}
      >
        {(data) => {
          const items = data.pages.flatMap((page) => page.items);
          const isEmpty = items.length === 0;
          return (
            <div className="saved-tools">
              <ListTools list={list} onOpen={setOpen} hidesSearch={isEmpty && !isFiltered} />
              {isEmpty ? (
                <NoSavedWorkers filtered={isFiltered} pool={pool} />
              ) : (
                <ul className="card flush long">
                  {items.map((saved) => (
                    <SavedWorkerRow
                      key={saved.workerId}
                      saved={saved}
                      pool={pool}
                      selected={saved.workerId === openWorker?.workerId}
                      onOpen={() => setOpenWorker(saved)}
                      onHire={() => hire(saved)}
                    />
                  ))}
                </ul>
              )}
              <LoadMore query={query} />
              {isEmpty ? null : <DownloadWorkers businessId={businessId} ask={list.ask} />}
            </div>
          );
        }}
      </QueryState>
      <Sheet
        open={!wide && openWorker !== null}
        onClose={() => setOpenWorker(null)}
        title={openWorker?.worker.name ?? ''}
      >
        {wide ? null : detail}
      </Sheet>
      <PoolSheets
        open={open}
        pool={pool}
        businessId={businessId}
        onClose={() => setOpen(null)}
        onMade={setPoolId}
      />
      <RebookSheet rebooking={rebooking} businessId={businessId} onClose={() => setRebooking(null)} />
    </Screen>
  );
}

function ListTools({
  list,
  onOpen,
  hidesSearch = false,
}: {
  list: SavedList;
  onOpen: (open: Open) => void;
  hidesSearch?: boolean;
}) {
  const { pools, pool, setPoolId, q, setQ, tag, setTag, needsNetwork } = list;
  return (
    <>
      <Pools
        pools={pools.data?.pools ?? []}
        pool={pool}
        needsNetwork={(id) => needsNetwork(id, tag)}
        onPick={setPoolId}
        onNew={() => onOpen({ kind: 'new' })}
      />
      {pool ? <PoolBar pool={pool} onOpen={onOpen} onGone={() => setPoolId(null)} /> : null}
      {hidesSearch ? null : (
        <SavedSearch
          q={q}
          tag={tag}
          tags={(pools.data?.tags ?? []).map((entry) => entry.tag)}
          needsNetwork={(...ask) => needsNetwork(pool?.id ?? null, ...ask)}
          onSearch={setQ}
          onTag={setTag}
        />
      )}
    </>
  );
}

type SearchProps = {
  q: string;
  tag: string;
  tags: readonly string[];
  /** Returns whether only the server has the list for this tag and name. */
  needsNetwork: (tag: string, name?: string) => boolean;
  onSearch: (q: string) => void;
  onTag: (tag: string) => void;
};

function SavedSearch({ q, tag, tags, needsNetwork, onSearch, onTag }: SearchProps) {
  const { t } = useLingui();
  const options = ['', ...tags];
  const clear = () => {
    onSearch('');
    onTag('');
  };
  return (
    <div className="saved-find">
      <TextInput
        type="search"
        label={t`Search by name`}
        icon="magnifying-glass"
        autoComplete="off"
        maxLength={limits.searchMax}
        value={q}
        needsNetwork
        onChange={(event) => onSearch(event.target.value)}
      />
      {tags.length > 0 || tag ? (
        <Select
          label={t`Tag`}
          value={tag}
          needsNetwork={options.every((option) => option === tag || needsNetwork(option))}
          options={options.map((option) => ({ value: option, label: option || t`All tags` }))}
          onChange={(event) => onTag(event.target.value)}
        />
      ) : null}
      {q || tag ? (
        <Button kind="quiet" needsNetwork={needsNetwork('', '')} onClick={clear}>
          {t`Clear`}
        </Button>
      ) : null}
    </div>
  );
}

function Pools({
  pools,
  pool,
  needsNetwork,
  onPick,
  onNew,
}: {
  pools: readonly Pool[];
  pool: Pool | null;
  needsNetwork: (poolId: string | null) => boolean;
  onPick: (poolId: string | null) => void;
  onNew: () => void;
}) {
  const { t } = useLingui();
  return (
    <Chips label={t`Pools`} wrap>
      {pools.length > 0 ? (
        <Chip pressed={pool === null} needsNetwork={needsNetwork(null)} onClick={() => onPick(null)}>
          {t`Everyone`}
        </Chip>
      ) : null}
      {pools.map((item) => (
        <Chip
          key={item.id}
          pressed={item.id === pool?.id}
          needsNetwork={needsNetwork(item.id)}
          onClick={() => onPick(item.id)}
        >
          {item.name} <span className="num">{item.workers}</span>
        </Chip>
      ))}
      <Chip icon="plus" needsNetwork onClick={onNew}>
        {t`New pool`}
      </Chip>
    </Chips>
  );
}

function PoolBar({ pool, onOpen, onGone }: { pool: Pool; onOpen: (open: Open) => void; onGone: () => void }) {
  const { t } = useLingui();
  const remove = useDeletePool();
  const drop = async () => {
    const answer = await showAlert({
      tone: 'ask',
      title: t`Delete “${pool.name}”?`,
      message: t`Its workers stay in your other pools. Tags and notes are kept.`,
      buttons: [
        { value: 'yes', label: t`Delete pool`, kind: 'bad' },
        { value: 'no', label: t`Keep it` },
      ],
    });
    if (answer !== 'yes') return;
    try {
      await remove.mutateAsync({ poolId: pool.id });
      onGone();
      showToast(t`Pool deleted`);
    } catch (error) {
      showToast(errorText(error));
    }
  };
  return (
    <div className="row g2 wrap">
      {pool.workers > 0 ? (
        <Button kind="go" size="s" icon="users-three" needsNetwork onClick={() => onOpen({ kind: 'invite' })}>
          {t`Invite to a job`}
        </Button>
      ) : null}
      <Button
        kind="quiet"
        size="s"
        icon="pencil-simple"
        needsNetwork
        onClick={() => onOpen({ kind: 'rename' })}
      >
        {t`Rename`}
      </Button>
      <Button kind="quiet" size="s" icon="trash" busy={remove.isPending} onClick={() => void drop()}>
        {t`Delete pool`}
      </Button>
    </div>
  );
}

function SavedWorkerRow({
  saved,
  pool,
  selected,
  onOpen,
  onHire,
}: {
  saved: SavedWorker;
  pool: Pool | null;
  selected: boolean;
  onOpen: () => void;
  onHire: () => void;
}) {
  const { t } = useLingui();
  const toggle = usePoolToggle();
  const { worker, tags, notes, pools } = saved;
  const name = worker.name || t`Unnamed worker`;
  const otherPools = pools.filter(({ id }) => id !== pool?.id);
  return (
    <li className={selected ? 'shift-row sel' : 'shift-row'}>
      <Avatar name={name} src={fileUrl(worker.photoPath)} />
      <div className="who">
        <button type="button" className="shift-open mid break" aria-pressed={selected} onClick={onOpen}>
          {name}
        </button>
        <p className="sm mute">{workedText(saved)}</p>
        <div className="saved-tags mt2">
          {otherPools.map((pool) => (
            <Badge key={pool.id}>{pool.name}</Badge>
          ))}
          {tags.map((tag) => (
            <Badge key={tag} tone="plain">
              {tag}
            </Badge>
          ))}
          {notes > 0 ? (
            <Badge tone="plain" icon="note-pencil">
              <Plural value={notes} one="# note" other="# notes" />
            </Badge>
          ) : null}
        </div>
      </div>
      <span className="above row g2">
        <Button kind="out" size="s" icon="user-plus" needsNetwork onClick={onHire}>
          {hireText(saved)}
          <span className="vh">: {name}</span>
        </Button>
        {pool ? (
          <Button
            kind="quiet"
            size="s"
            needsNetwork
            onClick={() => void toggle(pool, { workerId: saved.workerId, name }, false)}
          >
            {t`Remove`}
            <span className="vh">: {name}</span>
          </Button>
        ) : null}
      </span>
    </li>
  );
}

function NoSavedWorkers({ filtered, pool }: { filtered: boolean; pool: Pool | null }) {
  const { t } = useLingui();
  if (filtered)
    return (
      <EmptyState title={t`Nobody matches`} level="h2">
        <Trans>Try another name or tag.</Trans>
      </EmptyState>
    );
  return (
    <EmptyState
      title={pool ? t`Nobody in this pool yet` : t`No saved workers yet`}
      level="h2"
      actions={
        <>
          <ButtonLink kind="go" full to="/all-job-applicants">
            {t`See your applicants`}
          </ButtonLink>
          <ButtonLink kind="out" full to="/completed-job">
            {t`See finished work`}
          </ButtonLink>
        </>
      }
    >
      <Trans>
        Press “Save worker” on an applicant or a profile, or “Save workers” on finished work. Then invite them
        all to a job at once, or offer them one directly.
      </Trans>
    </EmptyState>
  );
}
