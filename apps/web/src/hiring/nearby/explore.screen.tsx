import { Trans, useLingui } from '@lingui/react/macro';
import { useUser } from '../../lib/session.ts';
import { useUnreadCount } from '../../talk/notifications/unread-count.api.ts';
import { IconLink } from '../../ui/controls/button.tsx';
import { NearbyScreen } from './nearby-screen.tsx';

/** Home, public: nearby jobs, nearest first, with a map next to it or one tap away. */
export default function ExploreScreen() {
  const { t } = useLingui();
  const user = useUser();
  const unread = useUnreadCount();
  return (
    <NearbyScreen
      path="/tabs/menu/explore"
      title={t`Explore`}
      back="menu"
      hero={
        <h1 className="h-xl">
          <Trans>
            Good work,
            <br />a short walk away
          </Trans>
        </h1>
      }
      actions={
        user?.emailVerified ? (
          <IconLink
            icon="bell"
            label={unread === 0 ? t`Notifications` : t`Notifications, ${unread} new`}
            to="/notifications"
            dot={unread > 0}
          />
        ) : null
      }
    />
  );
}
