import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import { isSame } from '../sign.ts';

const loopback = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1']);

/** Gauges that prom-client names like counters; the same figures exist without `_total`. */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
];

export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  return registry;
}

/** Serves the METRICS_TOKEN bearer; without a token only this machine, and never in production. */
export function registerMetrics(
  app: FastifyInstance,
  config: Pick<Config, 'METRICS_TOKEN' | 'NODE_ENV'>,
  registry: Registry,
): void {
  app.decorate('metrics', registry);
  app.decorateRequest('operation', null);
  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Responses by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: 'http_request_seconds',
    help: 'Response time by operation',
    labelNames: ['operation'],
    registers: [registry],
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  app.decorate('countRefused', () => requests.inc({ operation: 'refused', status: 503 }));
  app.addHook('onResponse', (request, reply, next) => {
    next();
    if (app.warming.on) return;
    const operation = operationOf(request);
    requests.inc({ operation, status: reply.statusCode });
    seconds.observe({ operation }, reply.elapsedTime / 1000);
  });
  app.get('/metrics', async (request, reply) => {
    if (!mayRead(request, config)) return reply.code(404).send();
    return reply.type(registry.contentType).send(await registry.metrics());
  });
}

/** An operation or route pattern, never a path, whose number is unbounded. */
function operationOf({ operation, method, routeOptions }: FastifyRequest): string {
  if (operation !== null) return operation;
  const { url } = routeOptions;
  return url === undefined || url === '/api/*' ? 'unmatched' : `${method} ${url}`;
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
    metrics: Registry;
    countRefused: () => void;
  }
  interface FastifyRequest {
    /** Null until the operation is found, and for other routes. */
    operation: string | null;
  }
}
