import { id } from '@nearhand/contract/operation';
import { guestReply, guestTicket, tickets } from '@nearhand/contract/trust/tickets';
import { guestLinkHeader } from '@nearhand/contract/trust/tickets.rules';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendFile } from '../../people/files/files.ts';
import { parseBody } from '../../platform/app-error.ts';
import { read, write } from '../../platform/http/bind.ts';
import { countedNetworks } from '../../platform/http/caller-network.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import {
  rateAsGuest,
  readFileAsGuest,
  readGuestThread,
  renewGuestLink,
  replyAsGuest,
  solveAsGuest,
} from './guest-threads.ts';
import { confirmGuestTicket, createGuestTicket, readGuestLink } from './guest-tickets.ts';
import { receiveInboundMail, requireInbound } from './inbound-mail.ts';
import { createTicket, getTicket, listTickets, rateTicket, replyToTicket, solveTicket } from './tickets.ts';

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

const rating = z.object({ helpful: z.boolean() });
const fileParams = z.object({ fileId: id });

/** A guest's request, opened with the link in our mails (ADR 379). The link is checked before a body is read. */
export const registerGuestThreads: PlainRoutes = (api, { db, scopeOf, limitReads, limitWrites }) => {
  const linkOf = (request: FastifyRequest) =>
    readGuestLink(scopeOf(request), request.headers[guestLinkHeader]);
  const requireLink = async (request: FastifyRequest) => {
    linkOf(request);
  };
  const reads = { onRequest: [limitReads, requireLink] };
  const writes = { onRequest: [limitWrites, requireLink] };
  const path = '/guest-tickets/thread';
  api.get(path, reads, (request) => readGuestThread(db, scopeOf(request), linkOf(request)));
  api.get(`${path}/files/:fileId`, reads, async (request, reply) => {
    const { fileId } = parseBody(fileParams, request.params);
    return sendFile(reply, await readFileAsGuest(db, scopeOf(request), linkOf(request), fileId));
  });
  api.post(`${path}/messages`, writes, async (request, reply) => {
    const form = request.body instanceof FormData ? request.body : new FormData();
    const fields = { id: form.get('id'), body: form.get('body'), files: form.getAll('files') };
    const input = parseBody(guestReply, fields);
    return reply.code(201).send(await replyAsGuest(db, scopeOf(request), linkOf(request), input));
  });
  api.post(`${path}/solve`, writes, (request) =>
    db.transaction().execute((tx) => solveAsGuest(tx, scopeOf(request), linkOf(request))),
  );
  api.post(`${path}/rating`, writes, (request) => {
    const { helpful } = parseBody(rating, request.body);
    return db.transaction().execute((tx) => rateAsGuest(tx, scopeOf(request), linkOf(request), helpful));
  });
  api.post(`${path}/link`, writes, async (request, reply) => {
    await db.transaction().execute((tx) => renewGuestLink(tx, scopeOf(request), linkOf(request)));
    return reply.send({ sent: true });
  });
};

/** `POST /webhooks/mail`: a signed mail from the provider, as raw MIME (ADR 162, docs/operations.md). */
export const registerInboundMail: PlainRoutes = (api, { db, scopeOf, limitWrites }) => {
  api.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: mailBytes }, (_request, body, done) =>
      done(null, body),
    );
    // Checked before the body arrives, so that unsigned mails can't fill the memory.
    hooks.addHook('onRequest', async (request) =>
      requireInbound(scopeOf(request), request.headers[signatureHeader]),
    );
    hooks.post('/webhooks/mail', { onRequest: limitWrites }, async (request, reply) => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return reply.send(
        await receiveInboundMail(db, scopeOf(request), request.headers[signatureHeader], raw),
      );
    });
  });
};

const signatureHeader = 'x-nearhand-signature';

export const ticketsRoutes = {
  create: write(tickets.create, createTicket),
  list: read(tickets.list, listTickets),
  get: read(tickets.get, getTicket),
  reply: write(tickets.reply, replyToTicket),
  solve: write(tickets.solve, solveTicket),
  rate: write(tickets.rate, rateTicket),
};
