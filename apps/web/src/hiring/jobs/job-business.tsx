import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { reportPath } from '@nearhand/contract/app-paths';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { useState } from 'react';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { ratingText } from '../../lib/words/rating.labels.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { useLoadable } from '../../ui/art/loadable.ts';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { FollowButton } from '../followed-businesses/follow-button.tsx';
import { useBusinessProfile } from './jobs.api.ts';

export function JobBusiness({ job }: { job: Job }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { business } = job;
  const { data: profile } = useBusinessProfile(business.id);
  const rating = ratingText(business.rating);
  const reviews = `/business-review?business=${business.id}`;
  const cover = useLoadable(job.coverPath ? fileUrl(job.coverPath) : null);
  const logo = business.logoPath ? fileUrl(business.logoPath) : null;
  return (
    <Card as="section" label={t`Business`}>
      {cover.url ? <img className="cover-photo" src={cover.url} alt="" onError={cover.onError} /> : null}
      <div className="row wrap job-who">
        <BusinessMark src={logo} category={profile?.category ?? job.category} />
        <div className="grow">
          <h2 className="h-s">{business.name}</h2>
          {business.verified ? (
            <p className="xs mute row g1">
              <span className="up">
                <Icon name="seal-check" />
              </span>
              <Trans>Verified business</Trans>
            </p>
          ) : (
            <p className="xs mute">
              <Trans>Not verified yet</Trans>
            </p>
          )}
          {rating ? (
            <Link className="link xs" to={reviews}>
              {rating}
            </Link>
          ) : null}
        </div>
        <FollowButton business={business} />
        {profile ? (
          <Button kind="text" size="s" onClick={() => setOpen(true)}>
            {t`About the business`}
          </Button>
        ) : null}
      </div>
      {profile ? (
        <Sheet open={open} onClose={() => setOpen(false)} title={profile.name}>
          <div className="col">
            <p className="mute">{profile.area}</p>
            {profile.description ? <p className="pre-line">{profile.description}</p> : null}
            <p className="sm mute">
              {plural(profile.openJobs, { one: '# open job', other: '# open jobs' })} ·{' '}
              {t`on Nearhand since ${formatDay(profile.memberSince, ownTimeZone())}`}
            </p>
            <ButtonLink kind="out" full icon="star" to={reviews}>
              {t`Reviews`}
            </ButtonLink>
            {profile.website ? (
              <ButtonLink kind="out" full icon="arrow-square-out" to={profile.website}>
                {t`Website`}
              </ButtonLink>
            ) : null}
            {job.member ? null : (
              <Link className="link sm" to={reportPath('business', business.id)}>
                {t`Report this business`}
              </Link>
            )}
          </div>
        </Sheet>
      ) : null}
    </Card>
  );
}
