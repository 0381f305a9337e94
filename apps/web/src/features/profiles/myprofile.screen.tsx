import { useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Screen } from '../../ui/screen.tsx';
import { PageSkeleton } from '../../ui/skeleton.tsx';
import { OwnReliability } from '../reliability/own-reliability.part.tsx';
import { EditProfile } from './edit-profile.tsx';
import { ProfileView } from './profile-view.tsx';
import { type Profile, useMyProfile } from './profiles.api.ts';

/** The own profile, as it is and as businesses see it, and its edit. */
export default function MyProfileScreen() {
  const { t } = useLingui();
  const query = useMyProfile();
  const [editing, setEditing] = useState(false);
  const profile = query.data as Profile | undefined;
  if (editing && profile) return <EditProfile profile={profile} onDone={() => setEditing(false)} />;
  return (
    <Screen
      title={t`My profile`}
      heading={null}
      back="/tabs/menu/account"
      dock={
        profile ? (
          <Button kind="go" full icon="pencil-simple" onClick={() => setEditing(true)}>
            {t`Edit profile`}
          </Button>
        ) : undefined
      }
    >
      <QueryState
        query={query}
        loading={<PageSkeleton />}
        errorTitle={t`We could not load your profile`}
        describe={errorText}
        asOf={formatAgo}
      >
        {(data) => (
          <>
            <ProfileView profile={data as Profile} onEdit={() => setEditing(true)} />
            <div className="mt8">
              <OwnReliability />
            </div>
          </>
        )}
      </QueryState>
    </Screen>
  );
}
