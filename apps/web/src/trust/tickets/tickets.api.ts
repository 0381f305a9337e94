import type { StoredFile } from '@nearhand/contract/people/files';
import type { GuestThread, GuestTicket, TicketThread } from '@nearhand/contract/trust/tickets';
import { guestLinkHeader } from '@nearhand/contract/trust/tickets.rules';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { api, apiQuery } from '../../lib/api/api.ts';
import { refetchChanged } from '../../lib/api/changed-records.ts';
import { guestCall, guestFetch } from '../../lib/api/guest-call.ts';
import { queryClient } from '../../lib/api/query.ts';
import { neverPersist, pages } from '../../lib/api/query-options.ts';
import { useFresh } from '../../lib/api/use-fresh.ts';
import { sendOnce } from '../../lib/forms/send-once.ts';
import { saveBlob } from '../../lib/forms/stored-file.ts';
import { useUser } from '../../lib/session.ts';

const freshMs = 60_000;

export function useTickets() {
  const user = useUser();
  return useInfiniteQuery(
    apiQuery.tickets.list.infiniteOptions({
      input: (cursor: string | undefined) => ({ limit: 5, cursor }),
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

const threadPath = '/guest-tickets/thread';
const guestKey = (link: string) => ['guest-ticket', link];

/** A guest's request, opened with the link of a mail. */
export function useGuestThread(link: string) {
  const fresh = useFresh(freshMs);
  return useQuery({
    queryKey: guestKey(link),
    queryFn: () => guestAnswer(link, 'GET'),
    ...neverPersist,
    ...fresh,
  });
}

async function guestAnswer(link: string, method: 'GET' | 'POST', move?: { path: string; body: object }) {
  const path = `${threadPath}${move?.path ?? ''}`;
  const headers = { [guestLinkHeader]: link };
  const response = await guestFetch({ method, path, headers, body: move?.body });
  return (await response.json()) as GuestThread;
}

function useGuestWrite<Input>(
  link: string,
  name: string,
  moveOf: (input: Input, messageId: string) => { path: string; body: object },
) {
  return useMutation({
    mutationFn: sendOnce(`${name} ${link}`, (input: Input, { context }) =>
      guestAnswer(link, 'POST', moveOf(input, context.idempotencyKey ?? crypto.randomUUID())),
    ),
    onSuccess: (thread) => queryClient.setQueryData(guestKey(link), thread),
  });
}

export const useGuestReply = (link: string) =>
  useGuestWrite(link, 'guest-reply', (reply: { body: string; files: readonly File[] }, messageId) => {
    const form = new FormData();
    form.set('id', messageId);
    form.set('body', reply.body);
    for (const file of reply.files) form.append('files', file);
    return { path: '/messages', body: form };
  });
export const useGuestSolve = (link: string) =>
  useGuestWrite(link, 'guest-solve', () => ({ path: '/solve', body: {} }));
export const useGuestRating = (link: string) =>
  useGuestWrite(link, 'guest-rating', (helpful: boolean) => ({ path: '/rating', body: { helpful } }));

/**
 * Requests a new link by mail, which ends this one.
 * @throws ApiError
 */
export async function renewGuestLink(link: string): Promise<void> {
  const headers = { [guestLinkHeader]: link };
  await guestFetch({ method: 'POST', path: `${threadPath}/link`, headers, body: {} });
}

/**
 * Downloads a file of the request.
 * @throws ApiError
 */
export async function saveGuestFile(link: string, { id, name }: StoredFile): Promise<void> {
  const headers = { [guestLinkHeader]: link };
  const response = await guestFetch({ method: 'GET', path: `${threadPath}/files/${id}`, headers });
  saveBlob(await response.blob(), name);
}
