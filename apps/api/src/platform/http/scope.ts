import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db.ts';
import type { FileStore } from '../file-store/file-store.ts';
import type { Log } from '../log.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import type { Sign } from '../sign.ts';
import type { AnswerRoom } from './idempotency-room.ts';

/** The caller, from the session. */
export type Actor = {
  accountId: string;
  sessionId: string;
  emailVerified: boolean;
  /** Platform staff (ADR 0086). */
  operator?: boolean;
  /** The account is being deleted, and can still undo it (ADR 0160). */
  leaving?: boolean;
};

/** What a service gets besides the database and its input. */
export type Scope<Who extends Actor | null = Actor> = {
  actor: Who;
  clock: Clock;
  config: Config;
  fileStore: FileStore;
  log: Log;
  /** Never called inside a transaction (ADR 0067). */
  provider: PaymentProvider;
  sign: Sign;
  requestId: string;
  /** For the demo town, whose past is notified in the app without mail. */
  unmailed?: true;
};

/** What the server passes to each call. `idempotencyKey` is null if the client sent none. */
export type CallContext = {
  db: Db;
  scope: Scope<Actor | null>;
  idempotencyKey: string | null;
  answerRoom: AnswerRoom;
  setHeader(name: string, value: string): void;
};
