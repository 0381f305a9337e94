import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import type { Job } from '@nearhand/contract/hiring/jobs';
import { useState } from 'react';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { formatDay, ownTimeZone } from '../../lib/words/format.ts';
import { BusinessMark } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { Card } from '../../ui/card.tsx';
import { Button, ButtonLink } from '../../ui/controls/button.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { FollowButton } from '../followed-businesses/follow-button.part.tsx';
import { useBusinessProfile } from './jobs.api.ts';

/** The business that offers the work; opens its public profile. */
export function JobBusiness({ job }: { job: Job }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { business } = job;
  const { data: profile } = useBusinessProfile(business.id);
  const logo = business.logoPath ? fileUrl(business.logoPath) : null;
  return (
    <Card as="section" label={t`Business`}>
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
            {profile.website ? (
              <ButtonLink kind="out" full icon="arrow-square-out" to={profile.website}>
                {t`Website`}
              </ButtonLink>
            ) : null}
          </div>
        </Sheet>
      ) : null}
    </Card>
  );
}
