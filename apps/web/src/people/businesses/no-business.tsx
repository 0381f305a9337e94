import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { formatDate, ownTimeZone } from '../../lib/words/format.ts';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';

/**
 * Names the team that someone without a business was last removed from. Without a `title`, it is the page's
 * heading.
 */
export function NoBusiness({ title, children }: { title?: string; children: ReactNode }) {
  const { t } = useLingui();
  const removals = useQuery(apiQuery.team.removals.queryOptions(neverPersist));
  const level = title === undefined ? 'h1' : 'h2';
  const removal = removals.data?.[0];
  if (removals.isLoading) return <RowsSkeleton />;
  if (!removal)
    return (
      <EmptyState
        title={title ?? t`Hire people nearby`}
        level={level}
        actions={
          <ButtonLink kind="go" full icon="storefront" to="/register-business">
            {t`Register a business`}
          </ButtonLink>
        }
      >
        {children}
      </EmptyState>
    );
  const { businessName } = removal;
  return (
    <EmptyState
      title={t`You're no longer on the team of ${businessName}`}
      level={level}
      actions={
        <>
          <ButtonLink kind="go" full to="/tabs/menu/explore">
            {t`Find work`}
          </ButtonLink>
          <ButtonLink kind="quiet" full icon="storefront" to="/register-business">
            {t`Register a business`}
          </ButtonLink>
        </>
      }
    >
      <Trans>
        An owner or manager removed you on {formatDate(removal.at, ownTimeZone())}. If that was a mistake, ask
        someone at {businessName} to invite you again. You can also look for work, or register a business of
        your own.
      </Trans>
    </EmptyState>
  );
}
