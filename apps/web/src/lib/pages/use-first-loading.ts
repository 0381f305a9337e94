import { useIsRestoring } from '@tanstack/react-query';
import { useState } from 'react';

type Loading = { isLoading: boolean; failureCount: number };

/** True while any query is on its first attempt; content above lists would move them when it arrives. */
export function useFirstLoading(...queries: readonly Loading[]): boolean {
  // While stored data is restored, no query is fetched or counts as loading.
  const restoring = useIsRestoring();
  const loading = restoring || queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  const [over, setOver] = useState(false);
  // A failed query is retried when its component mounts. That retry must not show the skeleton again.
  if (!loading && !over) setOver(true);
  return loading && !over;
}
