import rateLimit from '@fastify/rate-limit';
import { dayMs } from '@nearhand/contract/durations';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Config } from '../../config/config.ts';
import { callerNetwork } from '../caller-network.ts';

/** Rate limits per caller as `onRequest` hooks (ADR 125). They throw request/too-many. */
export type CallerLimits = {
  limitReads: onRequestHookHandler;
  limitWrites: onRequestHookHandler;
  limitByMethod: onRequestHookHandler;
};

/** Minutes of full-rate writes that an account gets per day. */
const busyMinutesOfDay = 90;
const callersMax = 50_000;

const noHeaders = { 'x-ratelimit-limit': false, 'x-ratelimit-remaining': false, 'x-ratelimit-reset': false };

const callerOf = (request: FastifyRequest): string => request.actor?.accountId ?? callerNetwork(request.ip);

export async function limitCallers(
  api: FastifyInstance,
  { READS_PER_MINUTE, WRITES_PER_MINUTE }: Pick<Config, 'READS_PER_MINUTE' | 'WRITES_PER_MINUTE'>,
): Promise<CallerLimits> {
  await api.register(rateLimit, {
    global: false,
    keyGenerator: callerOf,
    // Callers don't need the rest of a limit: a refusal contains when to try again.
    addHeaders: noHeaders,
    addHeadersOnExceeding: noHeaders,
    errorResponseBuilder: (_request, context) =>
      new AppError('request/too-many', { retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
  });
  const perMinute = (max: number) =>
    api.rateLimit({ max, timeWindow: 60_000, hook: 'onRequest', cache: callersMax } as never);
  const reads = perMinute(READS_PER_MINUTE);
  const writes = perMinute(WRITES_PER_MINUTE);
  const writesOfDay = api.createRateLimit({
    max: WRITES_PER_MINUTE * busyMinutesOfDay,
    timeWindow: dayMs,
    keyGenerator: callerOf,
    cache: callersMax,
  } as never);
  return {
    limitReads: reads as onRequestHookHandler,
    limitWrites: writes as onRequestHookHandler,
    limitByMethod: async function limit(request, reply) {
      if (request.method === 'GET' || request.method === 'HEAD')
        return void (await reads.call(api, request, reply));
      await writes.call(api, request, reply);
      const day = await writesOfDay(request);
      if (!day.isAllowed && day.isExceeded)
        throw new AppError('request/too-many', { retryAfterSeconds: day.ttlInSeconds });
    },
  };
}
