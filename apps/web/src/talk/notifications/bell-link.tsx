import { useLingui } from '@lingui/react/macro';
import { useUser } from '../../lib/session.ts';
import { IconLink } from '../../ui/controls/button.tsx';
import { useUnreadCount } from './unread-count.api.ts';

export function BellLink() {
  const { t } = useLingui();
  const user = useUser();
  const unread = useUnreadCount();
  if (!user?.emailVerified) return null;
  return (
    <IconLink
      icon="bell"
      label={unread === 0 ? t`Notifications` : t`Notifications, ${unread} unread`}
      to="/notifications"
      dot={unread > 0}
    />
  );
}
