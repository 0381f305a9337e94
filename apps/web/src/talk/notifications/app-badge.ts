import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unreadCount } from './unread-count.api.ts';

type Badges = { setAppBadge?: (count: number) => Promise<void> };

/** The number on the installed app's icon: unread notifications, as the bell last knew them. Asks for nothing itself, and shows nothing. */
export default function AppBadge(): null {
  const { data = 0 } = useQuery({ ...unreadCount(), enabled: false });
  useEffect(() => {
    // Refused where the app is not installed.
    (navigator as Badges).setAppBadge?.(data).catch(() => {});
  }, [data]);
  return null;
}
