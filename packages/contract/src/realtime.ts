/** The socket's path on the server; WebSocket only, so that any process can serve any client (ADR 89). */
export const realtimePath = '/api/realtime';

/** Records whose screens are refetched when a signal names them; named as their slices name them. */
export const signalRecords = [
  'application',
  'business',
  'calendar',
  'dispute',
  'engagement',
  'hold',
  'interview',
  'job',
  'job-template',
  'offer',
  'wallet',
  'balance',
  'profile',
  'saved-job',
  'saved-search',
  'followed-business',
  'account',
  'referral',
  'pool',
  'ticket',
  'report',
  'sanction',
  'review',
] as const;
export type SignalRecord = (typeof signalRecords)[number];

/**
 * A hint that something changed: ids only, since the API decides what the recipient may see. It may arrive
 * twice, late or not at all (product.md: no message is lost by a reconnect), so only speed may depend on it.
 * - `message`: a conversation has changes up to `rev`; `seq` is its newest message.
 * - `conversation`: its receipts, state or presence changed.
 * - `typing`: never stored, ends after `limits.typingMs`.
 * - `record`: `jobId` is set if the record belongs to a job.
 * - `resync`: signals may have been missed: refetch, after a random delay within `limits.resyncSpreadMs`.
 */
export type Signal =
  | { kind: 'message'; conversationId: string; rev: number; seq: number }
  | { kind: 'conversation'; conversationId: string }
  | { kind: 'typing'; conversationId: string; accountId: string; side: 'worker' | 'business' }
  | { kind: 'notice' }
  | { kind: 'record'; record: SignalRecord; id: string; jobId?: string }
  | { kind: 'resync' }
  | { kind: 'session-ended'; sessionId: string };

export type ServerEvents = { signals: (signals: readonly Signal[]) => void };

/** `typing`: at most once per `limits.typingMs` / 2. `looking`: the open conversation; null if none is open. */
export type ClientEvents = {
  typing: (conversationId: string) => void;
  looking: (conversationId: string | null) => void;
};

/** An access token. Refusals: `session/required`, `session/expired`, `session/email-not-verified`. */
export type Handshake = { token: string };
