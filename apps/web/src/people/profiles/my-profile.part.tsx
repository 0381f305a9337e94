import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { errorText } from '../../lib/api/error-text.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { Button } from '../../ui/controls/button.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { Screen } from '../../ui/pages/screen.tsx';
import { PageSkeleton } from '../../ui/pages/skeleton.tsx';
import { EditProfile } from './edit-profile.tsx';
import { ProfileView } from './profile-view.tsx';
import { useMyProfile } from './profiles.api.ts';

/** Your own profile, as you and businesses see it, and its form. `below` comes from later domains. */
export function MyProfile({ below }: { below: ReactNode }) {
  const { t } = useLingui();
  const query = useMyProfile();
  const [editing, setEditing] = useState(false);
  const profile = query.data;
  if (editing && profile) return <EditProfile profile={profile} onDone={() => setEditing(false)} />;
  return (
    <Screen
      title={t`My profile`}
      heading={null}
      back="/tabs/menu/account"
      width="wide"
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
        errorTitle={t`We couldn't load your profile`}
        describe={errorText}
        asOf={formatAgo}
      >
        {(data) => (
          <div className="profile-page">
            <ProfileView profile={data} onEdit={() => setEditing(true)} />
            <div>{below}</div>
          </div>
        )}
      </QueryState>
    </Screen>
  );
}
