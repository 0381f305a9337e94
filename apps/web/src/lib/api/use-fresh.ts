import { useOnline } from '../device/online.ts';
import { useConnected } from '../realtime/realtime.ts';

/** While signals arrive they trigger refetching; poll anyway now and then, since a signal may be lost (ADR 89). */
const connectedMs = 60_000;

/**
 * Options of a query that the other side changes: refetched on focus, on a signal (`signal-keys.ts`) and by polling, only while its page
 * is shown, the tab visible and the device online: a hidden page has no effects, and so does not poll.
 */
export function useFresh(everyMs: number) {
  const online = useOnline();
  const connected = useConnected();
  return {
    refetchInterval: online ? (connected ? Math.max(everyMs, connectedMs) : everyMs) : (false as const),
    refetchIntervalInBackground: false,
    refetchOnWindowFocus: 'always' as const,
    refetchOnReconnect: 'always' as const,
  };
}
