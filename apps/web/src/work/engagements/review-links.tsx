import { Plural, useLingui } from '@lingui/react/macro';
import { writeReviewPath } from '@nearhand/contract/app-paths';
import type { Engagement } from '@nearhand/contract/work/engagements';
import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { neverPersist } from '../../lib/api/query-options.ts';
import { useUser } from '../../lib/session.ts';
import { formatDay, joined, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';

const listPath = (businessId: string | undefined): string =>
  businessId ? `/business-review?business=${businessId}&part=to-write` : '/rating-review?part=to-write';

/**
 * The ended work that a worker, or a business, can review now; `path` opens the form of a single one. `isLoaded`
 * too if not `enabled`.
 */
export function useReviewsDue(businessId?: string, enabled = true) {
  const user = useUser();
  const query = useQuery({
    ...apiQuery.reviews.toWrite.queryOptions({
      input: { businessId },
      enabled: enabled && user?.emailVerified === true,
    }),
    ...neverPersist,
  });
  const items = query.data?.items ?? [];
  const [first] = items;
  const path =
    items.length === 1 && first
      ? writeReviewPath(businessId ? 'business' : 'worker', {
          engagementId: first.engagementId,
          businessId: first.business.id,
        })
      : listPath(businessId);
  return { query, items, path, isLoaded: !enabled || query.data !== undefined };
}

/** The worker's reviews to write, as one row. */
export function ReviewsToWrite({ items, path }: Pick<ReturnType<typeof useReviewsDue>, 'items' | 'path'>) {
  const { t } = useLingui();
  const [first] = items;
  if (!first) return null;
  return (
    <Card flush as="article">
      <ListRow
        to={path}
        lead={<Icon name="star" />}
        title={
          items.length === 1 ? (
            t`Review ${first.business.name}`
          ) : (
            <Plural value={items.length} one="# review to write" other="# reviews to write" />
          )
        }
        note={joined(first.jobTitle, t`until ${formatDay(first.closesAt, ownTimeZone())}`)}
      />
    </Card>
  );
}

/** Leads to the review of ended work while it can be written. For both sides. */
export function ReviewLink({ work }: { work: Engagement }) {
  const { t } = useLingui();
  const { id: engagementId, status, side, business, worker } = work;
  const isEnded = status === 'completed' || work.cancelled?.late === true;
  const query = useQuery({
    ...apiQuery.reviews.ofEngagement.queryOptions({ input: { engagementId }, enabled: isEnded }),
    ...neverPersist,
  });
  const due = query.data?.toWrite;
  if (!due) return null;
  const name = side === 'worker' ? business.name : worker.name;
  return (
    <ButtonLink
      kind="out"
      full
      icon="star"
      to={writeReviewPath(side, { engagementId, businessId: business.id })}
    >
      {name ? t`Review ${name}` : t`Write a review`}
    </ButtonLink>
  );
}
