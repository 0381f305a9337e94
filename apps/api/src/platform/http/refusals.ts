import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';

const refusingStatuses = new Set([401, 403, 429]);

export const recordFailure = (request: FastifyRequest, failure: { code: string; status: number }): void => {
  request.failure = { code: failure.code, refused: refusingStatuses.has(failure.status) };
};

/** Counts refused requests by code, a bounded label. */
export function registerRefusals(app: FastifyInstance): void {
  const refusals = new Counter({
    name: 'refusals_total',
    help: 'Requests refused for want of a session, a right or patience, by error code',
    labelNames: ['code'],
    registers: [app.metrics],
  });
  app.decorateRequest('failure', null);
  app.addHook('onResponse', ({ failure }, _reply, next) => {
    if (failure?.refused) refusals.inc({ code: failure.code });
    next();
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** `refused`: not allowed, or rate-limited. Null if nothing failed. */
    failure: { code: string; refused: boolean } | null;
  }
}
