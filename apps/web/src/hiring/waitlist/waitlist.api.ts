import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../lib/api/api.ts';
import { keepApplication } from '../applications/applications.api.ts';

/** `waitlist.join`: be offered a spot when one opens. */
export function useJoinWaitlist() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.waitlist.join.mutationOptions({
      onSuccess: (changed) => keepApplication(client, changed),
    }),
  );
}

/** `waitlist.leave`. */
export function useLeaveWaitlist() {
  const client = useQueryClient();
  return useMutation(
    apiQuery.waitlist.leave.mutationOptions({
      onSuccess: (changed) => keepApplication(client, changed),
    }),
  );
}
