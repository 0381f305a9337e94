import { useLingui } from '@lingui/react/macro';
import { useLocation } from 'react-router';
import { allOf } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Card, ListRow } from '../../ui/card.tsx';
import { useMyProfile } from './profiles.api.ts';

/** The page that edits the worker's profile and then returns to `path`. */
const editProfilePath = (path: string): string => `/myprofile?edit=1&next=${encodeURIComponent(path)}`;

/**
 * Names what a business looks for in the worker's profile and doesn't find there, with the way to add it and back.
 * Empty if nothing is missing.
 */
export function ProfileGaps({ business }: { business: string }) {
  const { t } = useLingui();
  const { pathname } = useLocation();
  const profile = useMyProfile().data;
  if (!profile) return null;
  const gaps = [
    profile.skills.length === 0 && t`skills`,
    profile.home === null && t`home area`,
    profile.availability.length === 0 && t`usual free times`,
  ].filter((gap) => gap !== false);
  if (gaps.length === 0) return null;
  return (
    <Card flush as="section" label={t`Your profile`}>
      <ListRow
        to={editProfilePath(pathname)}
        needsNetwork
        lead={<Icon name="user" />}
        title={t`Not in your profile yet: ${allOf(gaps)}`}
        note={t`${business} compares them with the job. Add them now, it counts for this application too.`}
      />
    </Card>
  );
}
