import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../../app-error.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import { newId } from '../../ids.ts';
import type { Log } from '../../log.ts';
import { nativeHeaders } from '../../native-apps/native-apps.ts';
import { errorBody, retryAfterOf } from '../error-mapper.ts';

type RefusalParts = {
  config: Pick<Config, 'CALLS_AT_ONCE' | 'NATIVE_ORIGINS'>;
  log: Pick<Log, 'warn'>;
  clock: Clock;
  headers: readonly (readonly [string, string])[];
  isFull: () => boolean;
};

const logMs = 1_000;
const refusal = new AppError('request/unavailable');
const { requestId: _, ...body } = errorBody(refusal, '');
const beforeId = `${JSON.stringify(body).slice(0, -1)},"requestId":"`;
const afterId = '"}';
const idLength = 36;

/** Rejects calls before Fastify, so that a flood leaves the processor to running ones (ADR 125). */
export function refuseEarly(
  app: FastifyInstance,
  { config, log, clock, headers, isFull }: RefusalParts,
): void {
  const fixed = [
    ...headers.flat(),
    'content-type',
    'application/json; charset=utf-8',
    'cache-control',
    'no-store',
    'content-length',
    String(beforeId.length + idLength + afterId.length),
    'retry-after',
    String(retryAfterOf(refusal)),
  ];
  const otherPaths: string[] = [];
  app.addHook('onRoute', ({ url }) => {
    if (url.startsWith('/api/') && url !== '/api/*') otherPaths.push(url.split(/[:*]/, 1)[0] ?? url);
  });
  const isCall = ({ method, url = '' }: IncomingMessage) =>
    method !== 'OPTIONS' && url.startsWith('/api/') && !otherPaths.some((path) => url.startsWith(path));

  let unlogged = 0;
  const note = () => {
    unlogged += 1;
    if (unlogged > 1) return;
    setTimeout(() => {
      log.warn({ refused: unlogged, callsAtOnce: config.CALLS_AT_ONCE }, 'calls refused: too many at once');
      unlogged = 0;
    }, logMs).unref();
  };

  const refuse = (request: IncomingMessage, response: ServerResponse) => {
    const id = newId(clock.now());
    const varying = [
      'x-request-id',
      id,
      ...nativeHeaders(request.headers.origin, config).flat(),
      ...(app.draining.on ? ['connection', 'close'] : []),
    ];
    response.writeHead(503, fixed.concat(varying)).end(`${beforeId}${id}${afterId}`);
    app.countRefused();
    note();
  };

  const [answer] = app.server.listeners('request') as RequestListener[];
  if (!answer) throw new Error('Fastify does not listen yet');
  app.server.removeListener('request', answer);
  app.server.on('request', (request, response) => {
    if (isFull() && isCall(request)) refuse(request, response);
    else answer(request, response);
  });
}
