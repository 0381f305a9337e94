import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { jobPath } from '@nearhand/contract/app-paths';
import type { FollowedBusiness } from '@nearhand/contract/hiring/followed-businesses';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { dotted } from '../../lib/words/format.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Card } from '../../ui/card.tsx';
import { ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { LoadMore } from '../../ui/controls/load-more.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { EmptyState } from '../../ui/pages/states.tsx';
import { FollowButton } from './follow-button.tsx';
import { useFollowedBusinesses } from './followed-businesses.api.ts';

export function FollowedBusinessList() {
  const { t } = useLingui();
  const query = useFollowedBusinesses();
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't load the businesses you follow`}
      isEmpty={({ pages }) => pages[0]?.items.length === 0}
      empty={<NoBusinesses />}
    >
      {({ pages }) => (
        <>
          <ul className="col">
            {pages
              .flatMap(({ items }) => items)
              .map((follow) => (
                <BusinessCard key={follow.business.id} followed={follow} />
              ))}
          </ul>
          <LoadMore query={query} />
        </>
      )}
    </QueryState>
  );
}

function BusinessCard({ followed: { business, newest, openJobs } }: { followed: FollowedBusiness }) {
  const { t } = useLingui();
  return (
    <Card as="li">
      <div className="row top">
        <BusinessMark
          src={business.logoPath ? fileUrl(business.logoPath) : null}
          category={business.category}
        />
        <div className="grow">
          <h3 className="h-s break">
            {business.name}
            {business.verified ? (
              <>
                {' '}
                <span className="verified">
                  <Icon name="seal-check" label={t`Verified business`} />
                </span>
              </>
            ) : null}
          </h3>
          <p className="sm mute break">
            {dotted(
              business.area,
              openJobs === 0
                ? t`No open jobs right now`
                : plural(openJobs, { one: '# open job', other: '# open jobs' }),
            )}
          </p>
          {newest ? (
            <p className="sm break mt1">
              <Link className="link" to={jobPath(newest.id)}>
                {newest.title}
              </Link>
            </p>
          ) : null}
        </div>
      </div>
      <div className="row wrap mt2">
        <FollowButton business={business} />
      </div>
    </Card>
  );
}

function NoBusinesses() {
  const { t } = useLingui();
  return (
    <EmptyState
      title={t`You don't follow any businesses yet`}
      actions={
        <ButtonLink kind="out" full to="/tabs/menu/explore">
          {t`Find work nearby`}
        </ButtonLink>
      }
    >
      <p>{t`Press Follow on a job to hear when that business has a new one.`}</p>
    </EmptyState>
  );
}
