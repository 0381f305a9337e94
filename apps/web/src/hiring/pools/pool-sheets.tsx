import { useLingui } from '@lingui/react/macro';
import type { Pool } from '@nearhand/contract/hiring/pools';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { PoolForm } from './pool-form.tsx';
import { PoolInvite } from './pool-invite.tsx';
import { useCreatePool, useRenamePool } from './pools.api.ts';

export type Open = { kind: 'new' | 'rename' | 'invite' } | null;

export function PoolSheets({
  open,
  pool,
  businessId,
  onClose,
  onMade,
}: {
  open: Open;
  pool: Pool | null;
  businessId: string;
  onClose: () => void;
  onMade: (poolId: string) => void;
}) {
  const { t } = useLingui();
  const create = useCreatePool();
  const rename = useRenamePool();
  return (
    <>
      <Sheet open={open?.kind === 'new'} onClose={onClose} title={t`New pool`}>
        {open?.kind === 'new' ? (
          <PoolForm
            button={t`Create pool`}
            kind="go"
            send={async (name) => {
              const pool = await create.mutateAsync({ businessId, name });
              onMade(pool.id);
              onClose();
            }}
          />
        ) : null}
      </Sheet>
      <Sheet open={open?.kind === 'rename'} onClose={onClose} title={t`Rename pool`}>
        {open?.kind === 'rename' && pool ? (
          <PoolForm
            name={pool.name}
            button={t`Save`}
            kind="go"
            send={async (name) => {
              await rename.mutateAsync({ poolId: pool.id, name });
              onClose();
            }}
          />
        ) : null}
      </Sheet>
      <Sheet
        open={open?.kind === 'invite'}
        onClose={onClose}
        title={pool ? t`Invite “${pool.name}” to a job` : ''}
      >
        {open?.kind === 'invite' && pool ? (
          <PoolInvite pool={pool} businessId={businessId} onDone={onClose} />
        ) : null}
      </Sheet>
    </>
  );
}
