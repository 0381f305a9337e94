import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { unreadCount } from './unread-count.api.ts';

type Badges = { setAppBadge?: (count: number) => Promise<void> };

/** The number on the installed app's icon: the cached unread count. It fetches nothing. */
export default function AppBadge(): null {
  const { data = 0 } = useQuery({ ...unreadCount(), enabled: false });
  useEffect(() => {
    (navigator as Badges).setAppBadge?.(data).catch(() => {});
  }, [data]);
  return null;
}
