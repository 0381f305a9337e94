import { useOnline } from './online.ts';
import { useConnected } from './realtime.ts';

/** While signals come in they say when to ask; now and then it is asked all the same, since a signal may be lost (ADR 0102). */
const connectedMs = 60_000;

/**
 * Options of a query whose answer the other side changes: asked again on focus, when a signal names it (`signal-keys.ts`) and every so often, only while its page
 * is in view, the tab is visible and there is a network: a hidden page has no effects, and so does not ask.
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
