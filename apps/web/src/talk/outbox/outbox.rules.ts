import type { StoredFile } from '@nearhand/contract/people/files';

/** A queued message's file; its bytes are stored separately until it is uploaded. */
type OutgoingFile = { name: string; mediaType: string; bytes: number; stored: StoredFile | null };

/** A queued message on this device, under the id that deduplicates it (ADR 100). */
export type Outgoing = {
  clientId: string;
  conversationId: string;
  body: string;
  replyTo: { seq: number; name: string; excerpt: string } | null;
  files: readonly OutgoingFile[];
  at: string;
  /** The code it was refused with; a person decides what to do. Null while it is pending. */
  refusal: string | null;
};

export const isOutbox = (value: unknown): value is Outgoing[] =>
  Array.isArray(value) &&
  value.every(
    (entry) =>
      typeof entry?.clientId === 'string' &&
      typeof entry?.conversationId === 'string' &&
      typeof entry?.body === 'string' &&
      Array.isArray(entry?.files),
  );

/** The oldest message of each conversation that is not backing off. A refused one blocks nothing. */
export function nextToSend(
  waiting: readonly Outgoing[],
  resting: (conversationId: string) => boolean,
): Outgoing | undefined {
  return waiting.find((entry) => entry.refusal === null && !resting(entry.conversationId));
}

const firstBackoffMs = 1_000;
const longestBackoffMs = 30_000;

/** The backoff of a conversation after failures in a row; at least as long as the server requested. */
export function backoffMs(failures: number, askedMs: number | null, random: number): number {
  const grown = Math.min(longestBackoffMs, firstBackoffMs * 2 ** Math.max(0, failures - 1));
  return Math.round(Math.max(askedMs ?? 0, grown * (0.75 + random / 2)));
}

export const withChange = (
  list: readonly Outgoing[],
  clientId: string,
  change: Partial<Outgoing> | null,
): Outgoing[] =>
  list.flatMap((entry) =>
    entry.clientId !== clientId ? [entry] : change === null ? [] : [{ ...entry, ...change }],
  );
