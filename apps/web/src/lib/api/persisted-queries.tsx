import { IsRestoringProvider, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { queryClient } from './query.ts';
import { persisted } from './query-owner.ts';

/** Provides the query client. Queries wait until stored data is restored, and are stored as they change. */
export function PersistedQueries({ children }: { children: ReactNode }) {
  const [isRestoring, setIsRestoring] = useState(persisted.get);
  useEffect(() => {
    let isUnmounted = false;
    let stop = () => {};
    const start = async () => {
      const { restoreQueries, storeQueries } = await import('./query-persistence.ts');
      if (persisted.get()) {
        await restoreQueries(queryClient);
        void queryClient.invalidateQueries({ refetchType: 'none' });
      }
      if (!isUnmounted) stop = storeQueries(queryClient);
    };
    start()
      .catch((error: unknown) => console.warn('Queries are not stored on this device', error))
      .finally(() => setIsRestoring(false));
    return () => {
      isUnmounted = true;
      stop();
    };
  }, []);
  return (
    <QueryClientProvider client={queryClient}>
      <IsRestoringProvider value={isRestoring}>{children}</IsRestoringProvider>
    </QueryClientProvider>
  );
}
