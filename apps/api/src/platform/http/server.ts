import { hash, randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import compress from '@fastify/compress';
import type { OperationMeta } from '@nearhand/contract/operation';
import { positionHeader } from '@nearhand/contract/read-position';
import { leadsToHire } from '@nearhand/contract/trust/suspensions.rules';
import type { Router } from '@orpc/server';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify';
import type { Registry } from 'prom-client';
import { AppError } from '../app-error.ts';
import type { Config } from '../config/config.ts';
import { proxiesOf } from '../connections/network-of.ts';
import { limitSlowPeers } from '../connections/slow-peers.ts';
import type { Db } from '../db.ts';
import { newId } from '../ids.ts';
import type { Log } from '../log.ts';
import { createMetrics, registerMetrics } from '../metrics/metrics.ts';
import { registerNativeApps } from '../native-apps/native-apps.ts';
import { registerDrain } from '../process/drain.ts';
import { registerWarmUp } from '../process/warm-up.ts';
import type { RecentReads } from '../replicas/recent-reads.ts';
import type { WalPosition } from '../replicas/wal-position.ts';
import { actorOutside, type OperatorGate, type OperatorPass, requireAccess } from './access.ts';
import { callerNetwork } from './caller-network.ts';
import { errorBody, retryAfterOf, toAppError } from './error-mapper.ts';
import { registerForms } from './forms.ts';
import { createAnswerRoom } from './idempotency-quota.ts';
import { type CalledOperation, createOperations, listOperations } from './operations/operations.ts';
import { type CallerLimits, limitCallers } from './overload/caller-limits.ts';
import { refuseEarly } from './overload/early-refusals.ts';
import { recordFailure, registerRefusals } from './refusals.ts';
import { OneLineLog, RequestLog } from './request-log.ts';
import type { Actor, CallContext, Scope } from './scope.ts';
import { registerSecurityHeaders } from './security-headers.ts';

type PlainRouteParts = {
  db: Db;
  scopeOf(request: FastifyRequest): Scope<Actor | null>;
  limitReads: onRequestHookHandler;
  limitWrites: onRequestHookHandler;
};

/** Registers routes under `/api` with the contract's sessions, errors and limits. */
export type PlainRoutes = (api: FastifyInstance, parts: PlainRouteParts) => void;

export type ServerParts = {
  config: Config;
  log: Log;
  db: Db;
  reads: RecentReads;
  base: Omit<Scope<null>, 'actor' | 'requestId'>;
  // biome-ignore lint/suspicious/noExplicitAny: the router of all slices; each slice's types are checked where it is bound
  router: Router<any, CallContext>;
  plainRoutes: readonly PlainRoutes[];
  /**
   * `live` bypasses the session cache.
   * @throws session/expired; returns null if there is no token
   */
  authenticate(authorization: string | undefined, live?: boolean): Actor | null | Promise<Actor | null>;
  /** Asks an external identity provider before a write; throws session/expired. */
  requireStanding(actor: Actor, meta: OperationMeta): Promise<void>;
  /** Requires recent proof before a guarded write; throws session/password-required. */
  requireRecentProof(actor: Actor): Promise<void>;
  /** Requires the input's business to be hiring; throws business/wrong-state. */
  requireHiring(actor: Actor, input: unknown): Promise<void>;
  /** Records operator activity; throws operator/confirm-again after too long a pause. */
  recordOperatorCall(actor: Actor): Promise<void>;
  /** Logs a call with an operator's powers (ADR 176). */
  operatorGate: OperatorGate;
  metrics?: Registry;
};

/** Marks the console's manual reads; only manual reads and writes count as activity (ADR 181). */
const presentHeader = 'nearhand-present';

const jsonBytes = 256 * 1024;
/** Time for a whole request. A large file over a slow line takes minutes. */
const requestMs = 300_000;
/** Time for a request's headers. */
const headersMs = 20_000;
/** The interval at which Node checks `requestMs` and `headersMs`. */
const checkMs = 5_000;
const contractRoute = '/api/*';

/** Bytes and time for which a refused body is drained before the response. */
const drainBytes = 100 * 1024 * 1024;
const drainMs = 20_000;

export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const { config, log } = parts;
  const room = limitCalls(config.CALLS_AT_ONCE);
  const app = Fastify({
    loggerInstance: log,
    logController: new OneLineLog(log),
    childLoggerFactory: (logger, bindings) => new RequestLog(logger, bindings),
    trustProxy: config.TRUST_PROXY ?? false,
    genReqId: () => newId(parts.base.clock.now()),
    bodyLimit: jsonBytes,
    requestTimeout: requestMs,
    http: { headersTimeout: headersMs, connectionsCheckingInterval: checkMs },
    // Requests that arrive during shutdown are still served.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 200 },
    clientErrorHandler: refuseUnreadable,
    // A malformed URL (`/api/jobs/%`) reaches no route and none of the hooks below.
    frameworkErrors: (error, request, reply) => {
      const failure = fromFastify(error) ?? toAppError(error, log);
      const plain = reply as unknown as FastifyReply;
      void plain.code(failure.status).send(errorBody(failure, request.id));
    },
  }) as unknown as FastifyInstance;

  app.setErrorHandler(async (error: Error & { code?: string; statusCode?: number }, request, reply) => {
    const failure = fromFastify(error) ?? toAppError(error, request.log as unknown as Log);
    if (failure.code === 'request/too-large') await drain(request.raw);
    const seconds = retryAfterOf(failure);
    if (seconds !== null) reply.header('retry-after', String(seconds));
    recordFailure(request, failure);
    // The route may have set cache headers before it failed.
    reply.removeHeader('etag').header('cache-control', 'no-store');
    return reply.code(failure.status).send(errorBody(failure, request.id));
  });
  app.addHook('onSend', (request, reply, _payload, next) => {
    reply.header('x-request-id', request.id);
    // Exact times would reveal what the server looked up, so production has only metrics (ADR 209).
    if (config.NODE_ENV !== 'production')
      reply.header('server-timing', `app;dur=${reply.elapsedTime.toFixed(1)}`);
    next();
  });
  const headers = await registerSecurityHeaders(app, config, contractRoute);
  registerNativeApps(app, config);
  registerMetrics(app, config, parts.metrics ?? createMetrics());
  registerRefusals(app);
  registerDrain(app);
  refuseEarly(app, { config, log, headers, clock: parts.base.clock, isFull: room.isFull });
  registerWarmUp(app);
  app.server.prependListener('request', ({ socket }, response) => responses.set(socket, response));
  limitSlowPeers(app, proxiesOf(config));
  await app.register(async (api) => registerOperations(api, parts, room), { prefix: '/api' });
  return app;
}

async function registerOperations(api: FastifyInstance, parts: ServerParts, room: CallLimit): Promise<void> {
  await compressAnswers(api);
  keepOutOfCaches(api);
  const limits = limitCallers(parts.config);
  authenticateCalls(api, parts, room);
  registerReadPosition(api, parts.reads, parts.config);
  registerForms(api, guestWritesOf(parts.router));
  registerPlainRoutes(api, parts, limits);
  registerContract(api, parts, room, limits);
  parts.log.debug('operations registered');
}

/**
 * Compresses API responses only: static files are precompressed, and decompressing requests is an attack vector.
 */
async function compressAnswers(api: FastifyInstance): Promise<void> {
  await api.register(compress, { threshold: 2_048, encodings: ['br', 'gzip'], globalDecompression: false });
}

/** Prevents users of a shared device from finding each other's responses. */
function keepOutOfCaches(api: FastifyInstance): void {
  api.addHook('onSend', (_request, reply, _payload, next) => {
    if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
    next();
  });
}

/** Authenticates before any body is read. The contract's operations use `letIn`. */
function authenticateCalls(api: FastifyInstance, parts: ServerParts, room: CallLimit): void {
  api.decorateRequest('actor', null);
  const authenticate = ({ method, headers }: FastifyRequest) =>
    parts.authenticate(headers.authorization, method !== 'GET' && method !== 'HEAD');
  const enterOutside = async (request: FastifyRequest) => {
    const { params: input, headers, routeOptions } = request;
    const call = { operation: `${routeOptions.method} ${routeOptions.url}`, input, headers, byHand: true };
    const admitted = await actorOutside(await authenticate(request), parts.operatorGate, call);
    request.actor = admitted.actor;
    request.finishOperatorCall = admitted.finish;
  };
  api.addHook('onRequest', (request, _reply, next) => {
    if (request.routeOptions.url !== contractRoute)
      return void enterOutside(request).then(() => next(), next);
    const enter = (actor: Actor | null) => {
      request.actor = actor;
      next();
    };
    try {
      room.assertRoom();
      const actor = authenticate(request);
      // A session that was checked lately needs no promise.
      if (actor instanceof Promise) actor.then(enter, next);
      else enter(actor);
    } catch (error) {
      next(error as Error);
    }
  });
  // Before the answer leaves, so that an operator who reads the log next finds how the call ended.
  api.decorateRequest('finishOperatorCall', null);
  api.addHook('onSend', (request, reply, _payload, next) => {
    const finish = request.finishOperatorCall;
    if (finish === null) return next();
    request.finishOperatorCall = null;
    const result = reply.statusCode < 400 ? 'done' : (request.failure?.code ?? 'request/internal');
    finish(result)
      .catch((error: unknown) => request.log.error(error, 'outcome of an operator’s call'))
      .then(() => next());
  });
}

const scopeOf = (parts: ServerParts, request: FastifyRequest): Scope<Actor | null> => ({
  ...parts.base,
  actor: request.actor,
  log: request.log as unknown as Log,
  requestId: request.id,
  // Few calls need it.
  get network() {
    return callerNetwork(request.ip);
  },
});

function registerPlainRoutes(api: FastifyInstance, parts: ServerParts, limits: CallerLimits): void {
  const { limitReads, limitWrites } = limits;
  for (const register of parts.plainRoutes)
    register(api, { db: parts.db, scopeOf: (request) => scopeOf(parts, request), limitReads, limitWrites });
}

function registerContract(
  api: FastifyInstance,
  parts: ServerParts,
  room: CallLimit,
  limits: CallerLimits,
): void {
  const find = createOperations(parts.router, '/api');
  const answerRoom = createAnswerRoom(parts.config.WRITES_PER_MINUTE);

  const contextOf = (request: FastifyRequest, reply: FastifyReply): CallContext => {
    const key = request.headers['idempotency-key'];
    return {
      db: parts.db,
      recentDb: () => parts.reads.since(positionOf(request)),
      scope: scopeOf(parts, request),
      idempotencyKey: typeof key === 'string' ? key : null,
      answerRoom,
      setHeader: (name, value) => void reply.header(name, value),
    };
  };

  api.all('/*', {
    onRequest: limits.limitByMethod,
    handler: async (request, reply) => {
      const called = find(request);
      if (!called) throw new AppError('request/unknown-operation');
      request.operation = called.name;
      const answer = await room.within(async () => {
        const context = contextOf(request, reply);
        const admission = letIn(parts, called, context.scope, request);
        if (admission) await admission;
        return called.run(context);
      });
      return sendAnswer(called, answer, request, reply);
    },
  });
}

function sendAnswer(
  called: CalledOperation,
  answer: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (answer !== undefined) reply.header('content-type', 'application/json');
  const { revalidated } = called.meta;
  if (revalidated && answer !== undefined && isUnchanged(revalidated, request, reply, answer))
    return reply.code(304).removeHeader('content-type').send();
  return reply.code(called.successStatus).send(answer);
}

/**
 * Checks a call before its input: access, identity provider, recent proof, hiring, operator gate.
 * @returns null for most reads, which are let in at once
 */
function letIn(
  parts: ServerParts,
  called: CalledOperation,
  scope: Scope<Actor | null>,
  request: FastifyRequest,
): Promise<void> | null {
  const { meta, method, input } = called;
  const { actor } = scope;
  requireAccess(meta, method, actor, input);
  if (!actor) return null;
  const isPlainRead = method === 'GET' && !meta.effects?.includes('guarded') && !leadsToHire(meta, input);
  if (isPlainRead && !actor.operator && meta.access !== 'operator') return null;
  return letActorIn(parts, called, scope, actor, request);
}

async function letActorIn(
  parts: ServerParts,
  { meta, method, path, input }: CalledOperation,
  scope: Scope<Actor | null>,
  actor: Actor,
  request: FastifyRequest,
): Promise<void> {
  const { headers } = request;
  if (method !== 'GET') await parts.requireStanding(actor, meta);
  if (meta.effects?.includes('guarded')) await parts.requireRecentProof(actor);
  if (leadsToHire(meta, input)) await parts.requireHiring(actor, input);
  const isByHand = method !== 'GET' || headers[presentHeader] === '1';
  const call = { operation: `${method} ${path}`, input, headers, byHand: isByHand };
  if (meta.access !== 'operator') {
    const admitted = await actorOutside(actor, parts.operatorGate, call);
    scope.actor = admitted.actor;
    request.finishOperatorCall = admitted.finish;
    return;
  }
  if (isByHand) await parts.recordOperatorCall(actor);
  const { watchDecision, finish } = await parts.operatorGate({
    ...call,
    accountId: actor.accountId,
    rule: meta.operator,
  });
  request.finishOperatorCall = finish;
  if (watchDecision) scope.watchDecision = watchDecision;
}

const responses = new WeakMap<Socket, ServerResponse>();

/** Handles invalid HTTP, such as a control character in a header. Such requests never reach a route. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed || !socket.writable) return;
  const response = responses.get(socket);
  // The client would mistake a second response for the response to its next call.
  if (response?.headersSent && !response.req.complete) {
    socket.destroySoon();
    return;
  }
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const status = isLate ? '408 Request Timeout' : '400 Bad Request';
  const body = JSON.stringify(errorBody(new AppError('request/invalid', { issues: [] }), randomUUID()));
  socket.end(
    `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function fromFastify(error: { code?: string; statusCode?: number }): AppError | null {
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('request/too-large');
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AppError('request/invalid', { issues: [] });
  }
  return null;
}

/** Closing mid-upload would drop the response, and the client would see a lost connection. */
async function drain(request: IncomingMessage): Promise<void> {
  if (request.complete) return;
  await new Promise<void>((resolve) => {
    let bytes = 0;
    const timer = setTimeout(resolve, drainMs);
    const finish = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > drainBytes) finish();
    });
    request.once('end', finish).once('close', finish).once('error', finish);
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Logs how a call of an operator ended. Null for other calls. */
    finishOperatorCall: OperatorPass['finish'];
    actor: Actor | null;
  }
}

/** Writes open to guests, as `POST /api/path`: small bodies are read without a session. */
function guestWritesOf(router: object): ReadonlySet<string> {
  return new Set(
    listOperations(router).flatMap(({ facts: { method, path, meta } }) =>
      method !== 'GET' && meta.access === 'public' ? [`${method} /api${path}`] : [],
    ),
  );
}

/**
 * Public responses may be stored but revalidated, personal ones never (ADR 209).
 * @returns true for a 304
 */
function isUnchanged(
  kind: NonNullable<OperationMeta['revalidated']>,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: string,
): boolean {
  const etag = `"${hash('sha1', answer, 'base64url')}"`;
  const varyBefore = reply.raw.getHeader('vary');
  const isCacheable = kind === 'public' || request.actor === null;
  reply.headers({
    etag: `W/${etag}`,
    'cache-control': isCacheable ? 'private, no-cache' : 'private, no-store',
    vary: [...(varyBefore === undefined ? [] : [String(varyBefore)]), 'authorization'].join(', '),
  });
  return request.headers['if-none-match']?.includes(etag) ?? false;
}

/** Limits concurrent calls (ADR 125): beyond capacity, all calls would time out. */
function limitCalls(maxRunning: number) {
  let running = 0;
  const assertRoom = () => {
    if (running >= maxRunning) throw new AppError('request/unavailable');
  };
  return {
    isFull: () => running >= maxRunning,
    /**
     * Checked before the session lookup, which may need the database.
     * @throws request/unavailable
     */
    assertRoom,
    /** @throws request/unavailable at once when there is no room */
    async within<Result>(work: () => Promise<Result>): Promise<Result> {
      assertRoom();
      running += 1;
      try {
        return await work();
      } finally {
        running -= 1;
      }
    },
  };
}

type CallLimit = ReturnType<typeof limitCalls>;

/** Longer than any replica may lag (`DATABASE_READ_LAG_SECONDS`). */
const cookieSeconds = 120;
const form = /^[0-9a-f]{1,16}$/;
const cookie = new RegExp(`(?:^|;\\s*)${positionHeader}=([0-9a-f]{1,16})(?:;|$)`);

/** Unsigned: a forged position only costs primary reads, or shows its sender a stale list. */
export function positionOf({ headers }: Pick<FastifyRequest, 'headers'>): WalPosition | null {
  const header = headers[positionHeader];
  const position = typeof header === 'string' ? header : cookie.exec(headers.cookie ?? '')?.[1];
  return position !== undefined && form.test(position) ? BigInt(`0x${position}`) : null;
}

/** Adds the latest commit's position, at or after the caller's own, to every write's response. */
function registerReadPosition(api: FastifyInstance, reads: RecentReads, config: Config): void {
  const secure = config.PUBLIC_URL.startsWith('https:') ? '; Secure' : '';
  api.addHook('onSend', (request, reply, _payload, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') return next();
    const position = reads.latestCommit()?.toString(16);
    if (position === undefined) return next();
    reply.header(positionHeader, position);
    reply.header(
      'set-cookie',
      `${positionHeader}=${position}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${cookieSeconds}${secure}`,
    );
    next();
  });
}
