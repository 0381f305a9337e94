import { useOnline } from '../device/online.ts';
import { useConnected } from '../realtime/realtime.ts';

/** Signals trigger refetching while connected. Polling continues slowly because a signal may be lost (ADR 89). */
const connectedMs = 60_000;

/** Refetches data of the other side on focus, on signals and by polling, while its page is visible and online. */
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
