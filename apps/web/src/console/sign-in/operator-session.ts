import { minuteMs } from '@nearhand/contract/durations';
import { peopleLimits } from '@nearhand/contract/people/limits';
import type { OperatorSession } from '@nearhand/contract/trust/operators';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext, useEffect } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { queryClient } from '../../lib/api/query.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { apiQuery } from '../console-api.ts';

const everyMs = minuteMs / 2;
const key = apiQuery.operators.session.queryKey();

/** The console session, polled twice a minute so that a pause closes the page. */
export const useOperatorSession = (signedIn: boolean) =>
  useQuery({
    ...apiQuery.operators.session.queryOptions(),
    enabled: signedIn,
    refetchInterval: everyMs,
    refetchIntervalInBackground: true,
    refetchOnWindowFocus: 'always',
  });

export function useAwayWhenRefused(): void {
  useEffect(() => {
    const note = (error: unknown) => {
      if (isApiError(error, 'operator/confirm-again'))
        queryClient.setQueryData<OperatorSession>(
          key,
          (session) => session && { ...session, present: false },
        );
    };
    const stops = [
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') note(event.action.error);
      }),
      queryClient.getMutationCache().subscribe((event) => {
        if (event.type === 'updated' && event.action.type === 'error') note(event.action.error);
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
}

/** True after so long without a network that the session must have ended. */
export function useUnseenTooLong(seenAt: number): boolean {
  const now = useNow(everyMs).getTime();
  return seenAt > 0 && now - seenAt > peopleLimits.operatorIdleMinutes * minuteMs;
}

/** Refetches everything that the server refused before the code was accepted. */
export const refetchAll = (): Promise<void> => queryClient.invalidateQueries();

export type OperatorAtWork = OperatorSession & { id: string };

const Operator = createContext<OperatorAtWork | null>(null);
export const OperatorProvider = Operator.Provider;

export function useOperator(): OperatorAtWork {
  const operator = useContext(Operator);
  if (!operator) throw new Error('useOperator is for pages behind the door');
  return operator;
}
