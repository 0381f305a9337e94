import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { teamPath, withdrawRestPath } from '@nearhand/contract/app-paths';
import type { AccountDeletionState, DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import { isOnlyMoney } from '@nearhand/contract/people/account-deletion.rules';
import { useState } from 'react';
import { formatMoney } from '../../lib/words/format.ts';
import { Banner } from '../../ui/banner.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { useDeletion } from './account-deletion.api.ts';
import { ConfirmDeletion } from './confirm-deletion.tsx';
import { KeepAccount } from './keep-account.tsx';

export function DeleteAccount() {
  const { t } = useLingui();
  const deletion = useDeletion();
  return (
    <section className="card settings-part" aria-labelledby="settings-delete">
      <h2 className="h-s" id="settings-delete">{t`Delete account`}</h2>
      <QueryState
        query={deletion}
        loading={<PageSkeleton />}
        errorTitle={t`We couldn't load this part`}
        offlineNote={t`You can delete your account when you're back online.`}
      >
        {(state) => (state.status === 'none' ? <Ask state={state} /> : <Postponed state={state} />)}
      </QueryState>
    </section>
  );
}

function Ask({ state }: { state: AccountDeletionState }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  if (state.obstacles.length > 0)
    return (
      <div className="col g4">
        <p className="sm">
          <Trans>You can't delete your account yet. Clear these first:</Trans>
        </p>
        <ObstacleList obstacles={state.obstacles} />
      </div>
    );
  return (
    <div className="col g4">
      <p className="sm">
        <Trans>
          This removes your profile and everything that names you. You'll have {state.graceDays} days to
          change your mind.
        </Trans>
      </p>
      <div>
        <Button kind="bad" size="s" needsNetwork onClick={() => setOpen(true)}>
          {t`Delete my account`}
        </Button>
      </div>
      <Sheet open={open} onClose={() => setOpen(false)} title={t`Delete your account`}>
        <ConfirmDeletion state={state} />
      </Sheet>
    </div>
  );
}

function Postponed({ state }: { state: AccountDeletionState }) {
  const { t } = useLingui();
  return (
    <div className="col g4">
      <Banner tone="wait" icon="clock">
        <p className="strong">{t`We couldn't delete your account yet`}</p>
        <p>{t`Something came up. Clear it, and we'll delete your account within a day.`}</p>
      </Banner>
      {state.obstacles.length > 0 ? <ObstacleList obstacles={state.obstacles} /> : null}
      <KeepAccount kind="out" />
    </div>
  );
}

function ObstacleList({ obstacles }: { obstacles: readonly DeletionObstacle[] }) {
  const { t } = useLingui();
  const onlyMoney = isOnlyMoney(obstacles);
  const rowOf = (obstacle: DeletionObstacle): { title: string; note: string; to?: string } => {
    switch (obstacle.kind) {
      case 'balance':
        return {
          title: t`${formatMoney(obstacle.amountMinor, obstacle.currency)} in your balance`,
          note: onlyMoney
            ? t`Withdraw it to your bank account, even if it's below the minimum. Pending pay can be withdrawn once it clears.`
            : t`Withdraw it to your bank account. Pending pay can be withdrawn once it clears.`,
          to: onlyMoney ? withdrawRestPath : '/withdraw',
        };
      case 'withdrawal':
        return {
          title: plural(obstacle.count, {
            one: '# withdrawal on its way',
            other: '# withdrawals on their way',
          }),
          note: t`Wait until your bank has it`,
          to: '/withdraw',
        };
      case 'work':
        return {
          title: plural(obstacle.count, { one: '# job not finished', other: '# jobs not finished' }),
          note: t`Finish or cancel your booked work`,
          to: '/tabs/menu/my-work',
        };
      case 'dispute':
        return {
          title: plural(obstacle.count, { one: '# open dispute', other: '# open disputes' }),
          note: t`Settle it, or wait for the decision`,
          to: '/tabs/menu/my-work',
        };
      case 'offer':
        return {
          title: plural(obstacle.count, { one: '# offer to answer', other: '# offers to answer' }),
          note: t`Accept or decline it`,
          to: '/tabs/menu/my-work',
        };
      case 'business':
        return {
          title: t`You're the last owner of ${obstacle.name}`,
          note: t`Hand it over to someone else, or close it`,
          to: teamPath(obstacle.businessId),
        };
      case 'operator':
        return {
          title: t`Your account has a staff role`,
          note: t`Ask another member of staff to remove it`,
        };
    }
  };
  return (
    <Card flush>
      {obstacles.map((obstacle) => {
        const row = rowOf(obstacle);
        return <ListRow key={row.title} {...row} />;
      })}
    </Card>
  );
}
