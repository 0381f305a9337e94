import { dayMs, minuteMs } from '@nearhand/contract/durations';
import type {
  FastifyInstance,
  FastifyRequest,
  HookHandlerDoneFunction,
  onRequestHookHandler,
  preHandlerHookHandler,
} from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Config } from '../../config/config.ts';
import { callerNetwork } from '../caller-network.ts';

/** Rate limits per caller as `onRequest` hooks (ADR 125). They answer request/too-many. */
export type CallerLimits = {
  limitReads: onRequestHookHandler;
  limitWrites: onRequestHookHandler;
  limitByMethod: onRequestHookHandler;
};

/** Minutes of full-rate writes that an account gets per day. */
const busyMinutesOfDay = 90;
const callersMax = 50_000;

const callerOf = (request: FastifyRequest): string => request.actor?.accountId ?? callerNetwork(request.ip);

/**
 * Counts the calls of each caller, in windows that begin with a first call. Beyond `callersMax` it forgets who called
 * longest ago.
 */
function createCounter(max: number, windowMs: number) {
  const windows = new Map<string, { calls: number; endsAt: number }>();
  /** @returns after how many seconds the caller may call again; 0 for now */
  return (caller: string): number => {
    const now = performance.now();
    const current = windows.get(caller);
    // Set again, the window is the last of the map, which keeps the order of writes.
    windows.delete(caller);
    if (current && current.endsAt > now) {
      current.calls += 1;
      windows.set(caller, current);
      return current.calls > max ? Math.ceil((current.endsAt - now) / 1_000) : 0;
    }
    for (const oldest of windows.keys()) {
      if (windows.size < callersMax) break;
      windows.delete(oldest);
    }
    windows.set(caller, { calls: 1, endsAt: now + windowMs });
    return max < 1 ? Math.ceil(windowMs / 1_000) : 0;
  };
}

const tooMany = (retryAfterSeconds: number): Error => new AppError('request/too-many', { retryAfterSeconds });

export function limitCallers({
  READS_PER_MINUTE,
  WRITES_PER_MINUTE,
}: Pick<Config, 'READS_PER_MINUTE' | 'WRITES_PER_MINUTE'>): CallerLimits {
  const countRead = createCounter(READS_PER_MINUTE, minuteMs);
  const countWrite = createCounter(WRITES_PER_MINUTE, minuteMs);
  const countWriteOfDay = createCounter(WRITES_PER_MINUTE * busyMinutesOfDay, dayMs);
  const limit = (count: (caller: string) => number): onRequestHookHandler =>
    function limit(request, _reply, next) {
      const seconds = count(callerOf(request));
      next(seconds > 0 ? tooMany(seconds) : undefined);
    };
  const limitReads = limit(countRead);
  const limitWritesOfDay = limit((caller) => countWrite(caller) || countWriteOfDay(caller));
  return {
    limitReads,
    limitWrites: limit(countWrite),
    limitByMethod: function limitByMethod(request, reply, next) {
      const isRead = request.method === 'GET' || request.method === 'HEAD';
      (isRead ? limitReads : limitWritesOfDay).call(this, request, reply, next);
    },
  };
}

/**
 * Limits requests per network and minute.
 * @param refusal the error above the limit
 */
export function networkLimit(
  max: number,
  refusal: (retryAfterSeconds: number) => Error = tooMany,
): onRequestHookHandler & preHandlerHookHandler {
  const count = createCounter(max, minuteMs);
  return (request: FastifyRequest, _reply: unknown, next: HookHandlerDoneFunction) => {
    const seconds = count(callerNetwork(request.ip));
    next(seconds > 0 ? refusal(seconds) : undefined);
  };
}

/** Limits the routes of `site`, which have no session. */
export function limitNetworks(site: FastifyInstance, limit: onRequestHookHandler): void {
  site.addHook('onRoute', (route) => {
    const hooks = [route.onRequest ?? []].flat();
    // The route of HEAD has the hooks of GET already.
    if (!hooks.includes(limit)) route.onRequest = [...hooks, limit];
  });
}
