import { guestTicket, tickets } from '@nearhand/contract/trust/tickets';
import { z } from 'zod';
import { parseBody } from '../../platform/app-error.ts';
import { read, write } from '../../platform/http/bind.ts';
import { countedNetworks } from '../../platform/http/caller-network.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { confirmGuestTicket, createGuestTicket } from './guest-tickets.ts';
import { requireInbound, takeInboundMail } from './inbound-mail.ts';
import { createTicket, getTicket, listTickets, rateTicket, replyToTicket, solveTicket } from './tickets.ts';

export const ticketsRoutes = {
  create: write(tickets.create, createTicket),
  list: read(tickets.list, listTickets),
  get: read(tickets.get, getTicket),
  reply: write(tickets.reply, replyToTicket),
  solve: write(tickets.solve, solveTicket),
  rate: write(tickets.rate, rateTicket),
};

/** A subject and a text of the maximum length, in any script. */
const guestBytes = 64 * 1024;
/** A mail with as many files as a message can have, in base64. */
const mailBytes = 32 * 1024 * 1024;
const tokenMax = 200;
const confirmation = z.object({
  token: z
    .string()
    .max(tokenMax)
    .regex(/^[\w.-]*$/),
});

/** Outside the contract: its writes need a session (ADR 161). Idempotent by the id that the device made. */
export const registerGuestTickets: PlainRoutes = (api, { db, scopeOf, limitWrites }) => {
  const options = { onRequest: limitWrites, bodyLimit: guestBytes };
  api.post('/guest-tickets', options, async (request, reply) => {
    const scope = scopeOf(request);
    const input = parseBody(guestTicket, request.body);
    const networks = countedNetworks(request.ip).map(({ network, share }) => ({
      hash: scope.sign.lasting('ticket-network', network).toString('hex'),
      share,
    }));
    await db.transaction().execute((tx) => createGuestTicket(tx, scope, input, networks));
    return reply.code(201).send({ id: input.id });
  });
  api.post('/guest-tickets/confirm', options, async (request, reply) => {
    const { token } = parseBody(confirmation, request.body);
    const scope = scopeOf(request);
    await db.transaction().execute((tx) => confirmGuestTicket(tx, scope, token));
    return reply.send({ confirmed: true });
  });
};

/** `POST /webhooks/mail`: a signed mail from the provider, as raw MIME (ADR 162, docs/operations.md). */
export const registerInboundMail: PlainRoutes = (api, { db, scopeOf, limitWrites }) => {
  api.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mailBytes }, (_request, body, done) =>
      done(null, body),
    );
    // Checked before the body arrives, so that nobody else can fill the memory.
    hooks.addHook('onRequest', async (request) =>
      requireInbound(scopeOf(request), request.headers[signatureHeader]),
    );
    hooks.post('/webhooks/mail', { onRequest: limitWrites }, async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return reply.send(await takeInboundMail(db, scopeOf(request), request.headers[signatureHeader], raw));
    });
  });
};

const signatureHeader = 'x-nearhand-signature';
