import { plural, t } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Pool } from '@nearhand/contract/hiring/pools';
import { type ReactNode, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { useAction } from '../../lib/pages/use-action.ts';
import { Badge } from '../../ui/badge.tsx';
import { Refused } from '../../ui/banner.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { PoolForm } from './pool-form.tsx';
import { useAddToPool, useCreatePool, usePools, useRemoveFromPool, useSavedState } from './pools.api.ts';
import './pools.css';

export function usePoolToggle() {
  const add = useAddToPool();
  const remove = useRemoveFromPool();
  const busy = useRef(false);
  const run = async (
    pool: { id: string; name: string },
    worker: WorkerRef,
    isMember: boolean,
    undoable = true,
  ) => {
    if (busy.current) return;
    busy.current = true;
    const { workerId, name } = worker;
    try {
      if (isMember) await add.mutateAsync({ poolId: pool.id, workerIds: [workerId] });
      else await remove.mutateAsync({ poolId: pool.id, workerId });
      showToast(
        isMember ? t`${name} saved in “${pool.name}”` : t`${name} removed from “${pool.name}”`,
        undoable ? { label: t`Undo`, run: () => void run(pool, worker, !isMember, false) } : undefined,
      );
    } catch (error) {
      showToast(errorText(error));
    } finally {
      busy.current = false;
    }
  };
  return run;
}

export type WorkerRef = { workerId: string; name: string };

export function SaveWorkerButton({
  businessId,
  worker,
}: {
  businessId: string | undefined;
  worker: WorkerRef;
}) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const state = useSavedState(businessId, worker.workerId).data;
  if (!businessId) return null;
  const saved = (state?.pools.length ?? 0) > 0;
  return (
    <>
      <Button kind="out" size="s" icon={saved ? 'check' : 'plus'} needsNetwork onClick={() => setOpen(true)}>
        {saved ? t`Saved` : t`Save worker`}
      </Button>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Save ${worker.name}`}>
        {open ? <PoolsOfWorker businessId={businessId} worker={worker} /> : null}
      </Sheet>
    </>
  );
}

export function PoolsOfWorker({ businessId, worker }: { businessId: string; worker: WorkerRef }) {
  const { t } = useLingui();
  const ownPools = useSavedState(businessId, worker.workerId).data?.pools ?? [];
  const toggle = usePoolToggle();
  const create = useCreatePool();
  return (
    <PoolChoice
      businessId={businessId}
      lead={
        <p className="sm mute">
          <Trans>Pools are private to your team. Workers never see them.</Trans>
        </p>
      }
      end={(pool) => {
        const isAdding = !ownPools.some(({ id }) => id === pool.id);
        return (
          <Button
            kind={isAdding ? 'quiet' : 'out'}
            size="s"
            icon={isAdding ? 'plus' : 'check'}
            aria-pressed={!isAdding}
            needsNetwork
            onClick={() => void toggle(pool, worker, isAdding)}
          >
            {isAdding ? t`Add` : t`Added`}
            <span className="vh">: {pool.name}</span>
          </Button>
        );
      }}
      onCreate={async (name) => {
        const pool = await create.mutateAsync({ businessId, name, workerIds: [worker.workerId] });
        showToast(t`${worker.name} saved in “${pool.name}”`);
      }}
    />
  );
}

const newPool = 'new';

/** The pool for the chosen workers, and the button that adds them: the foot of a sheet. */
export function SaveWorkers({
  businessId,
  workerIds,
  onDone,
}: {
  businessId: string;
  workerIds: readonly string[];
  onDone: () => void;
}) {
  const { t } = useLingui();
  const query = usePools(businessId);
  const add = useAddToPool();
  const create = useCreatePool();
  const action = useAction();
  const [chosenPool, setChosenPool] = useState<string | null>(null);
  const addText = t`${plural(workerIds.length, { one: 'Add # worker', other: 'Add # workers' })}`;
  const finish = (name: string) => {
    showToast(t`Saved in “${name}”`);
    onDone();
  };
  if (workerIds.length === 0) return <p className="sm mute">{t`Choose people, then a pool.`}</p>;
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={1} />}
      errorTitle={t`We couldn't load your pools`}
    >
      {({ pools }) => {
        const pool =
          pools.find(({ id }) => id === chosenPool) ?? (chosenPool === newPool ? undefined : pools[0]);
        return (
          <div className="col g3">
            {pools.length > 0 ? (
              <Select
                label={t`Pool`}
                value={pool?.id ?? newPool}
                options={[
                  ...pools.map(({ id, name }) => ({ value: id, label: name })),
                  { value: newPool, label: t`New pool` },
                ]}
                onChange={(event) => setChosenPool(event.target.value)}
              />
            ) : null}
            {pool ? (
              <>
                <Refused text={action.refusal} />
                <Button
                  kind="go"
                  full
                  busy={action.busy}
                  needsNetwork
                  onClick={() =>
                    void action
                      .run(() => add.mutateAsync({ poolId: pool.id, workerIds: [...workerIds] }))
                      .then((succeeded) => {
                        if (succeeded) finish(pool.name);
                      })
                  }
                >
                  {addText}
                </Button>
              </>
            ) : (
              <PoolForm
                button={addText}
                kind="go"
                send={async (name) => {
                  const created = await create.mutateAsync({ businessId, name, workerIds: [...workerIds] });
                  finish(created.name);
                }}
              />
            )}
          </div>
        );
      }}
    </QueryState>
  );
}

type PoolChoiceProps = {
  businessId: string;
  lead?: ReactNode;
  end: (pool: Pool) => ReactNode;
  onCreate: (name: string) => Promise<void>;
};

function PoolChoice({ businessId, lead, end, onCreate }: PoolChoiceProps) {
  const { t } = useLingui();
  return (
    <QueryState
      query={usePools(businessId)}
      loading={<RowsSkeleton count={2} />}
      errorTitle={t`We couldn't load your pools`}
    >
      {(data) => (
        <div className="col g4">
          {lead}
          <PoolRows pools={data.pools} end={end} />
          <PoolForm button={t`Create and add`} send={onCreate} />
        </div>
      )}
    </QueryState>
  );
}

function PoolRows({ pools, end }: Pick<PoolChoiceProps, 'end'> & { pools: readonly Pool[] }) {
  if (pools.length === 0) return null;
  return (
    <ul className="card flush">
      {pools.map((pool) => (
        <li key={pool.id} className="pool-row">
          <span className="grow mid break">{pool.name}</span>
          <Badge>
            <Plural value={pool.workers} one="# worker" other="# workers" />
          </Badge>
          {end(pool)}
        </li>
      ))}
    </ul>
  );
}
