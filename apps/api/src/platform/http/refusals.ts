import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';

const refusingStatuses = new Set([401, 403, 429]);

/** Notes why a request failed: its log line names the code, and `refusals_total` counts it if it is a refusal. */
export const noteFailure = (request: FastifyRequest, failure: { code: string; status: number }): void => {
  request.failure = { code: failure.code, refused: refusingStatuses.has(failure.status) };
};

/** Counts refused requests by their code, of which there is a fixed number. */
export function registerRefusals(app: FastifyInstance): void {
  const refusals = new Counter({
    name: 'refusals_total',
    help: 'Requests refused for want of a session, a right or patience, by error code',
    labelNames: ['code'],
    registers: [app.metrics],
  });
  app.decorateRequest('failure', null);
  app.addHook('onResponse', async ({ failure }) => {
    if (failure?.refused) refusals.inc({ code: failure.code });
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Why it failed; null unless it did. `refused`: the caller may not do that, or not that often. */
    failure: { code: string; refused: boolean } | null;
  }
}
