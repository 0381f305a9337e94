import type { StoredFile } from '@nearhand/contract/people/files';

/** A file of a message that waits; its bytes lie beside it until it is stored with us. */
export type OutgoingFile = { name: string; mediaType: string; bytes: number; stored: StoredFile | null };

/** A message on its way: on this device, under the id that makes it one however often it is sent (ADR 0101). */
export type Outgoing = {
  clientId: string;
  conversationId: string;
  body: string;
  replyTo: { seq: number; name: string; excerpt: string } | null;
  files: readonly OutgoingFile[];
  at: string;
  /** The code it was refused with: a person decides what becomes of it. Null while it waits. */
  refusal: string | null;
};

export const isOutbox = (value: unknown): value is Outgoing[] =>
  Array.isArray(value) &&
  value.every(
    (one) =>
      typeof one?.clientId === 'string' &&
      typeof one?.conversationId === 'string' &&
      typeof one?.body === 'string' &&
      Array.isArray(one?.files),
  );

/**
 * What goes next: the oldest of each conversation that is not resting. A refused one holds nobody up, since it may be deleted; one that only could not go yet
 * holds up what was written after it.
 */
export function nextToSend(
  waiting: readonly Outgoing[],
  resting: (conversationId: string) => boolean,
): Outgoing | undefined {
  return waiting.find((one) => one.refusal === null && !resting(one.conversationId));
}

const firstRestMs = 1_000;
const longestRestMs = 30_000;

/** How long a conversation rests after so many failures in a row; what the server asked for is never undercut. */
export function restMs(failures: number, askedMs: number | null, random: number): number {
  const grown = Math.min(longestRestMs, firstRestMs * 2 ** Math.max(0, failures - 1));
  return Math.round(Math.max(askedMs ?? 0, grown * (0.75 + random / 2)));
}

/** Merges a change of one message into the list; null takes it out. */
export const withChange = (
  list: readonly Outgoing[],
  clientId: string,
  change: Partial<Outgoing> | null,
): Outgoing[] =>
  list.flatMap((one) => (one.clientId !== clientId ? [one] : change === null ? [] : [{ ...one, ...change }]));
