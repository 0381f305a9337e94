import type { GuestTicket, TicketThread } from '@nearhand/contract/trust/tickets';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { guestCall } from '../../lib/api/guest-call.ts';
import { queryClient } from '../../lib/api/query.ts';
import { pages } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { useUser } from '../../lib/session.ts';

const freshMs = 60_000;

export function useTickets() {
  const user = useUser();
  return useInfiniteQuery(
    apiQuery.tickets.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ limit: 5, ...(cursor ? { cursor } : {}) }),
      ...pages,
      enabled: user !== null,
    }),
  );
}

export function useTicket(ticketId: string) {
  const user = useUser();
  const fresh = useFresh(freshMs);
  return useQuery({
    ...apiQuery.tickets.get.queryOptions({ input: { ticketId }, enabled: user !== null }),
    ...fresh,
  });
}

/** A write that returns the whole request. A retry after a lost response is the same write. */
function useTicketWrite<Input>(
  name: string,
  call: (input: Input, options: { context: { idempotencyKey: string } }) => Promise<TicketThread>,
) {
  return useMutation({
    mutationFn: sendOnce(name, call as never) as (input: Input) => Promise<TicketThread>,
    onSuccess: (thread) => {
      const queryKey = apiQuery.tickets.get.queryKey({ input: { ticketId: thread.id } });
      queryClient.setQueryData(queryKey, thread);
      refetchChanged(['ticket'], queryKey);
    },
  });
}

export const useCreateTicket = () => useTicketWrite('tickets.create', api.tickets.create);
export const useReplyToTicket = () => useTicketWrite('tickets.reply', api.tickets.reply);
export const useRateTicket = () => useTicketWrite('tickets.rate', api.tickets.rate);
export const useSolveTicket = () => useTicketWrite('tickets.solve', api.tickets.solve);

export const sendGuestTicket = (ticket: GuestTicket): Promise<void> =>
  guestCall('POST', '/guest-tickets', ticket);

export const confirmGuestTicket = (token: string): Promise<void> =>
  guestCall('POST', '/guest-tickets/confirm', { token });
