import type { SuspensionScope } from '@nearhand/contract/house-rules';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Db, ReadDb, Tx } from '../db.ts';
import type { FileStore } from '../file-store/file-store.ts';
import type { Log } from '../log.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import type { Sign } from '../sign.ts';
import type { AnswerRoom } from './idempotency-quota.ts';

/** Without an end date, `until` is null: it applies until an operator lifts it. */
type Suspension = { scope: SuspensionScope; until: string | null };

export type Actor = {
  accountId: string;
  sessionId: string;
  emailVerified: boolean;
  /** Staff who confirmed the second factor in this session and stayed active (ADR 86, ADR 181). */
  operator?: boolean;
  /** Staff who have not confirmed it in this session, or were away too long: they have no powers until they do. */
  operatorAway?: boolean;
  /** Staff in a call that names neither a case nor a reason, which gives them no powers (ADR 176). */
  operatorOutside?: boolean;
  /** The account's deletion can still be undone (ADR 160). */
  leaving?: boolean;
  suspensions?: readonly Suspension[];
};

/** Reads a case before an operator's write, and returns what to do after it: record the case if it was closed. */
export type WatchDecision = (db: Db, scope: Scope) => Promise<(tx: Tx) => Promise<void>>;

export type Scope<Who extends Actor | null = Actor> = {
  actor: Who;
  clock: Clock;
  config: Config;
  fileStore: FileStore;
  log: Log;
  /** Never called inside a transaction (ADR 67). */
  provider: PaymentProvider;
  sign: Sign;
  requestId: string;
  /** The caller's network as limits count it (ADR 125); absent outside requests. */
  network?: string;
  watchDecision?: WatchDecision;
  /** Set for the demo town, whose past events are notified in the app but not by mail. */
  unmailed?: true;
};

/** The parts of a scope that most functions need, so that a test or a timer can pass only these. */
export type ClockScope = Pick<Scope, 'clock'>;
export type ConfigScope = Pick<Scope, 'config'>;
export type ClockConfigScope = Pick<Scope, 'clock' | 'config'>;

export type CallContext = {
  db: Db;
  /** Reads that may be a second stale, but include the caller's own writes. */
  recentDb(): ReadDb;
  scope: Scope<Actor | null>;
  idempotencyKey: string | null;
  answerRoom: AnswerRoom;
  setHeader(name: string, value: string): void;
};
