/** Where the socket is, under the server's own address; WebSocket only, so that any process may answer any client (ADR 0089). */
export const realtimePath = '/api/realtime';

/** Records whose screens are asked again when a signal names them; the words of the slices that own them. */
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
] as const;
export type SignalRecord = (typeof signalRecords)[number];

/**
 * A hint that something changed: ids only, never content. Whoever hears it asks the API, which decides what they may see. It may come twice, late
 * or not at all (product.md: no message is lost by a reconnect), so nothing may depend on it but speed.
 * - `message`: a conversation has messages, edits or reactions up to `rev`; `seq` is its newest message.
 * - `conversation`: its receipts, its state or what is shown of the other side changed.
 * - `typing`: someone on `side` types; never stored, over after `limits.typingMs`.
 * - `notice`: the inbox changed.
 * - `record`: a record changed; `jobId` where it hangs on a job.
 * - `resync`: the server may have missed signals: ask for everything on screen again, within a random part of `limits.resyncSpreadMs`.
 * - `session-ended`: the session of the socket is over.
 */
export type Signal =
  | { kind: 'message'; conversationId: string; rev: number; seq: number }
  | { kind: 'conversation'; conversationId: string }
  | { kind: 'typing'; conversationId: string; accountId: string; side: 'worker' | 'business' }
  | { kind: 'notice' }
  | { kind: 'record'; record: SignalRecord; id: string; jobId?: string }
  | { kind: 'resync' }
  | { kind: 'session-ended'; sessionId: string };

/** What the server says over the socket: one event with several signals, oldest first. */
export type ServerEvents = { signals: (signals: readonly Signal[]) => void };

/**
 * What a client may say over the socket. `typing`: in this conversation, at most once in `limits.typingMs` / 2. `looking`: which conversation is on screen, null for none: what
 * is said there is not pushed to that person meanwhile.
 */
export type ClientEvents = {
  typing: (conversationId: string) => void;
  looking: (conversationId: string | null) => void;
};

/** Handshake of the socket: `auth: { token }` with an access token. Refusals carry one of our codes as their message: `session/required`, `session/expired`, `session/email-not-verified`. */
export type Handshake = { token: string };
