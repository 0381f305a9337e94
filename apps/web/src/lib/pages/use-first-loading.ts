import { useIsRestoring } from '@tanstack/react-query';
import { useState } from 'react';

type Loading = { isLoading: boolean; failureCount: number };

/**
 * Whether any of these is still on its first try, from mount until the first time that none is. What a page shows above its lists must be known
 * before they are drawn, or it moves them; but a part that fails, or has no connection, may not hold up the others.
 */
export function useFirstLoading(...queries: readonly Loading[]): boolean {
  // While stored data is restored, no query is fetched or counts as loading.
  const restoring = useIsRestoring();
  const loading = restoring || queries.some(({ isLoading, failureCount }) => isLoading && failureCount === 0);
  const [over, setOver] = useState(false);
  // A part that failed is asked for again when it mounts, which must not unmount it.
  if (!loading && !over) setOver(true);
  return loading && !over;
}
