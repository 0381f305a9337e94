import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { teamPath, withdrawRestPath } from '@nearhand/contract/app-paths';
import type { DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import { isOnlyMoney } from '@nearhand/contract/people/account-deletion.rules';
import { formatMoney } from '../../lib/words/format.ts';
import { Card, ListRow } from '../../ui/card.tsx';

/** What keeps the account from being deleted, each with the place to clear it. */
export function ObstacleList({ obstacles }: { obstacles: readonly DeletionObstacle[] }) {
  const { t } = useLingui();
  const onlyMoney = isOnlyMoney(obstacles);
  const rowOf = (one: DeletionObstacle): { title: string; note: string; to?: string } => {
    switch (one.kind) {
      case 'balance':
        return {
          title: t`${formatMoney(one.amountMinor, one.currency)} in your balance`,
          note: onlyMoney
            ? t`Withdraw it to your bank account, even if it's below the minimum`
            : t`Withdraw it to your bank account`,
          to: onlyMoney ? withdrawRestPath : '/withdraw',
        };
      case 'withdrawal':
        return {
          title: plural(one.count, { one: '# withdrawal on its way', other: '# withdrawals on their way' }),
          note: t`Wait until your bank has it`,
          to: '/withdraw',
        };
      case 'work':
        return {
          title: plural(one.count, { one: '# job not finished', other: '# jobs not finished' }),
          note: t`Finish or cancel your booked work`,
          to: '/tabs/menu/my-work',
        };
      case 'dispute':
        return {
          title: plural(one.count, { one: '# open dispute', other: '# open disputes' }),
          note: t`Settle it, or wait for the decision`,
          to: '/tabs/menu/my-work',
        };
      case 'offer':
        return {
          title: plural(one.count, { one: '# offer to answer', other: '# offers to answer' }),
          note: t`Accept or decline it`,
          to: '/tabs/menu/my-work',
        };
      case 'business':
        return {
          title: t`You're the last owner of ${one.name}`,
          note: t`Hand it over to someone else, or close it`,
          to: teamPath(one.businessId),
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
      {obstacles.map((one) => {
        const row = rowOf(one);
        return <ListRow key={row.title} {...row} />;
      })}
    </Card>
  );
}
