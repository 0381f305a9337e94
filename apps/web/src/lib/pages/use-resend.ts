import { useEffect, useRef } from 'react';

/** Sends while `ready`: after `firstMs`, then every `everyMs`, since a network can return without an event. */
export function useResend(ready: boolean, send: () => Promise<void>, everyMs: number, firstMs = 0): void {
  const newest = useRef(send);
  newest.current = send;
  useEffect(() => {
    if (!ready) return;
    const first = setTimeout(() => void newest.current(), firstMs);
    const timer = setInterval(() => void newest.current(), everyMs);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [ready, everyMs, firstMs]);
}
