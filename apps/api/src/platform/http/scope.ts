import type { SuspensionScope } from '@nearhand/contract/trust/sanctions.rules';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Db, ReadDb } from '../db.ts';
import type { FileStore } from '../file-store/file-store.ts';
import type { Log } from '../log.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import type { Sign } from '../sign.ts';
import type { AnswerRoom } from './idempotency-quota.ts';

/** Scope and end of a suspension; a null end means until it is lifted. */
export type Suspension = { scope: SuspensionScope; until: string | null };

/** The caller, from the session. */
export type Actor = {
  accountId: string;
  sessionId: string;
  emailVerified: boolean;
  /** Platform staff who confirmed their second factor in this session and did not pause since (ADR 86, ADR 181). */
  operator?: boolean;
  /** Platform staff who have to confirm it first; until then they are like anyone else. */
  operatorAway?: boolean;
  /** Platform staff in a call that names no case and no reason: like anyone else (ADR 177). */
  operatorOutside?: boolean;
  /** The account is being deleted, and can still undo it (ADR 160). */
  leaving?: boolean;
  /** Running suspensions (ADR 179). */
  suspensions?: readonly Suspension[];
};

/** Context of a service call besides database and input. */
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
  /** The caller's network as limits count it (ADR 125); absent where no request is answered. */
  network?: string;
  /** Set for the demo town, whose past is notified in the app without mail. */
  unmailed?: true;
};

/** Context of each call. `idempotencyKey` is null if the client sent none. */
export type CallContext = {
  db: Db;
  /** Database for reads that may be a second old; includes the caller's own writes. */
  recentDb(): ReadDb;
  scope: Scope<Actor | null>;
  idempotencyKey: string | null;
  answerRoom: AnswerRoom;
  setHeader(name: string, value: string): void;
};
