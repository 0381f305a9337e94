import { minuteMs } from '@nearhand/contract/durations';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../platform/app-error.ts';
import type { Config } from '../../platform/config/config.ts';
import { limitNetworks } from '../../platform/http/caller-network.ts';
import type { Sandbox } from './sandbox.parts.ts';
import { fingerprintWith } from './sandbox.parts.ts';
import { newestEvents } from './sandbox.sql.ts';
import { confirmation, decide } from './sandbox-charges.service.ts';
import { makeToken } from './sandbox-methods.service.ts';
import { confirmPage, endedPage, eventsPage, style, unknownPage } from './sandbox-pages.ts';
import { appScheme } from './sandbox-return.ts';
import { readTokenForm } from './sandbox-tokens.ts';

const formBytes = 16_384;
const shownEvents = 200;

type Ref = { Params: { ref: string } };

/**
 * The provider's own site under `/sandbox`, outside our contract as a real provider's would be: form tokens, the card confirmation page,
 * and events in development. It uses no cookies; anyone with a charge's address may confirm it, so refs are unguessable.
 */
export async function registerSandbox(
  app: FastifyInstance,
  config: Pick<Config, 'NODE_ENV' | 'READS_PER_MINUTE' | 'WRITES_PER_MINUTE'>,
  { sandbox }: Sandbox,
): Promise<void> {
  await limitNetworks(app, config.READS_PER_MINUTE);
  // Only those who may confirm a charge know its address.
  const secretReads = { config: { secretPath: true } };
  const writes = {
    config: { rateLimit: { max: config.WRITES_PER_MINUTE, timeWindow: minuteMs } },
    bodyLimit: formBytes,
  };

  // Our own parser: the default one quotes the body in its error, which may contain a card number and is logged.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: formBytes },
    (_request, body, done) => {
      try {
        done(null, JSON.parse(body as string));
      } catch {
        done(new AppError('request/invalid', { issues: [{ path: '', message: 'JSON' }] }));
      }
    },
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1_024 },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  app.addHook('onSend', async (_request, reply) => {
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
  });

  app.post('/tokens', writes, async (request, reply) => {
    requireSameSite(request);
    if (!/^application\/json\b/i.test(request.headers['content-type'] ?? ''))
      throw new AppError('request/invalid', { issues: [{ path: '', message: 'JSON' }] });
    const read = readTokenForm(request.body, sandbox.clock.now(), fingerprintWith(sandbox.secret));
    if ('problem' in read) return reply.code(422).send(read);
    const token = await makeToken(sandbox, read);
    const { behaviour: _, ...shown } = read.details;
    return reply.code(201).send({ token, kind: read.kind, ...shown });
  });

  app.get<Ref>('/confirm/:ref', secretReads, async (request, reply) => {
    const charge = await confirmation(sandbox, request.params.ref);
    if (!charge) return html(reply.code(404), unknownPage());
    return html(reply, charge.status === 'requires_action' ? confirmPage(charge) : endedPage(charge));
  });

  app.post<Ref>(
    '/confirm/:ref',
    { ...writes, config: { ...writes.config, secretPath: true } },
    async (request, reply) => {
      requireSameSite(request);
      const decision = (request.body as { decision?: unknown } | null)?.decision;
      if (decision !== 'approve' && decision !== 'refuse')
        throw new AppError('request/invalid', {
          issues: [{ path: 'decision', message: 'approve or refuse' }],
        });
      const charge = await decide(sandbox, request.params.ref, decision === 'approve');
      if (!charge) return html(reply.code(404), unknownPage());
      // A form may redirect to our own origin only; the app's scheme is a link for the person to follow.
      return charge.return_url.startsWith(appScheme)
        ? html(reply, endedPage(charge))
        : reply.redirect(charge.return_url, 303);
    },
  );

  app.get('/style.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style));

  if (config.NODE_ENV === 'production') return;
  app.get('/events', async (_request, reply) =>
    html(reply, eventsPage(await newestEvents(sandbox.db, shownEvents))),
  );
}

const html = (reply: FastifyReply, page: string) => reply.type('text/html; charset=utf-8').send(page);

/** CSRF protection: browsers send where a request comes from; other clients send nothing. */
function requireSameSite(request: FastifyRequest): void {
  if (request.headers['sec-fetch-site'] === 'cross-site')
    throw new AppError('request/invalid', { issues: [{ path: '', message: 'from our own pages' }] });
}
