import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { isSame } from '../sign.ts';

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Prometheus metrics at `/metrics`: with METRICS_TOKEN for its bearer, otherwise for this machine only, and for nobody in production. */
export function registerMetrics(
  app: FastifyInstance,
  config: Pick<Config, 'METRICS_TOKEN' | 'NODE_ENV'>,
): void {
  const registry = new Registry();
  app.decorate('metrics', registry);
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Responses by method and status',
    labelNames: ['method', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Response time',
    labelNames: ['method'],
    registers: [registry],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  });
  app.addHook('onResponse', async (request, reply) => {
    requests.inc({ method: request.method, status: reply.statusCode });
    seconds.observe({ method: request.method }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, config)) return reply.code(404).send();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

function mayRead(
  request: FastifyRequest,
  { METRICS_TOKEN: token, NODE_ENV }: Pick<Config, 'METRICS_TOKEN' | 'NODE_ENV'>,
): boolean {
  // Behind a local proxy every request comes from loopback, so a forwarded header counts as remote.
  if (token === undefined)
    return (
      NODE_ENV !== 'production' &&
      loopback.has(request.socket.remoteAddress ?? '') &&
      request.headers['x-forwarded-for'] === undefined
    );
  return isSame(request.headers.authorization ?? '', `Bearer ${token}`);
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Where other parts of the server register their metrics. */
    metrics: Registry;
  }
}
