import { useEffect, useState } from 'react';

/** The device's time, renewed every `everyMs` and at the instant `at`. */
export function useNow(everyMs = 30_000, at?: string | null): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  useEffect(() => {
    const leftMs = at ? Date.parse(at) - Date.now() : 0;
    if (leftMs <= 0) return;
    const timer = setTimeout(() => setNow(new Date()), leftMs);
    return () => clearTimeout(timer);
  }, [at]);
  return now;
}
