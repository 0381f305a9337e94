import { Writable } from 'node:stream';
import Fastify from 'fastify';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { logOptions } from '../log.ts';
import { recordFailure } from './refusals.ts';
import { OneLineLog } from './request-log.ts';
import type { Actor } from './scope.ts';

async function linesOf(url: string, method: 'GET' | 'PUT' = 'GET') {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const log = pino(logOptions({ LOG_LEVEL: 'info' }), stream);
  const app = Fastify({ loggerInstance: log, logController: new OneLineLog(log) });
  app.get('/open/:id', async () => 'here');
  app.get('/calendar/:secret([A-Za-z0-9_-]+).ics', { config: { secretPath: true } }, async () => 'here');
  app.decorateRequest('actor', null);
  app.decorateRequest('failure', null);
  app.get('/fails/:status', async (request, reply) => {
    const status = Number((request.params as { status: string }).status);
    request.actor = { accountId: 'leila', sessionId: 'hers' } as Actor;
    recordFailure(request, { code: 'request/too-many', status });
    return reply.code(status).send();
  });
  await app.inject({ method, url });
  await app.close();
  return lines.filter(({ msg }) => msg === 'answered');
}

const logged = async (url: string, method?: 'PUT' | 'GET') =>
  (await linesOf(url, method)).map(({ path, status }) => [path, status]);

describe('the log line of a request', () => {
  it('contains the path without the query', async () => {
    expect(await logged('/open/7?lat=52.1')).toEqual([['/open/7', 200]]);
  });

  it('contains the pattern of a path that is a secret', async () => {
    expect(await logged('/calendar/abcDEF123.ics?x=1')).toEqual([
      ['/calendar/:secret([A-Za-z0-9_-]+).ics', 200],
    ]);
  });

  it('omits possible secrets from an unknown path', async () => {
    const secret = 'WIR01_8Ln3Gh9rdbNDJ6vhyrUELTTVaBcCU3yyfauf4';
    for (const url of [`/calendar/${secret}`, `/Calendar/${secret}.ics`, `/calendar/${secret}.ics/`])
      expect(JSON.stringify(await logged(url)), url).not.toContain(secret.slice(0, 20));
    const id = '01a1fca8-cda7-73d7-9e07-4bf800a4339a';
    expect(await logged(`/open/${id}`)).toEqual([[`/open/${id}`, 200]]);
  });

  it('omits a signed id for any method', async () => {
    const token = '01a1fca8-cda7-73d7-9e07-4bf800a4339a.messages.WIR01_8Ln3Gh9rdbNDJ6vhyr';
    for (const method of ['GET', 'PUT'] as const)
      for (const url of [
        `/unsubscribe/${token}`,
        `/unsubscribe/${token}/`,
        `/unsubscribe/${token.replaceAll('.', '%2E')}`,
      ])
        expect(JSON.stringify(await logged(url, method)), url).not.toContain('WIR01');
  });

  it('contains who failed and why, and where a rejection came from', async () => {
    const [refused] = await linesOf('/fails/429');
    expect(refused).toMatchObject({ account: 'leila', code: 'request/too-many', network: '127.0.0.1' });
    const [failed] = await linesOf('/fails/409');
    expect(failed).toMatchObject({ account: 'leila', code: 'request/too-many' });
    expect(failed).not.toHaveProperty('network');
    const [open] = await linesOf('/open/7');
    for (const field of ['account', 'code', 'network']) expect(open).not.toHaveProperty(field);
  });

  it('exists for an unknown path', async () => {
    expect(await logged('/nowhere?x=1')).toEqual([['/nowhere', 404]]);
  });
});
