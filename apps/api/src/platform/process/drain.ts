import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';

/** Default in production: two probes of a usual proxy. */
const usualSeconds = 5;

/** Reports not ready but still serves, so that proxies move on (docs/operations.md, Starts and stops). */
export async function drain(
  app: FastifyInstance,
  { DRAIN_SECONDS, NODE_ENV }: Pick<Config, 'DRAIN_SECONDS' | 'NODE_ENV'>,
): Promise<void> {
  app.draining.on = true;
  await setTimeout((DRAIN_SECONDS ?? (NODE_ENV === 'production' ? usualSeconds : 0)) * 1_000);
}

export function registerDrain(app: FastifyInstance): void {
  app.decorate('draining', { on: false });
  app.addHook('onSend', (_request, reply, _payload, next) => {
    if (app.draining.on) reply.header('connection', 'close');
    next();
  });
  app.addHook('preClose', async () => {
    app.draining.on = true;
  });
}

declare module 'fastify' {
  interface FastifyInstance {
    draining: { on: boolean };
  }
}
