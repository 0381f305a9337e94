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
 * A hint that something changed: ids only, never content. Recipients query the API, which decides what they may see. It may arrive twice,
 * late or not at all (product.md: no message is lost by a reconnect), so nothing but speed may depend on it.
 * - `message`: a conversation has messages, edits or reactions up to `rev`; `seq` is its newest message.
 * - `conversation`: its receipts, its state or the other side's presence changed.
 * - `typing`: someone on `side` is typing; never stored, over after `limits.typingMs`.
 * - `notice`: the inbox changed.
 * - `record`: a record changed; `jobId` if it belongs to a job.
 * - `resync`: signals may have been missed: refetch everything on screen, after a random delay within `limits.resyncSpreadMs`.
 * - `session-ended`: the socket's session is over.
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

/**
 * Client events on the socket. `typing`: in this conversation, at most once per `limits.typingMs` / 2.
 * `looking`: the open conversation, null for none: its messages are not pushed to that person.
 */
export type ClientEvents = {
  typing: (conversationId: string) => void;
  looking: (conversationId: string | null) => void;
};

/**
 * The socket's handshake: `auth: { token }` with an access token. Refusals have a code as their message:
 * `session/required`, `session/expired`, `session/email-not-verified`.
 */
export type Handshake = { token: string };
