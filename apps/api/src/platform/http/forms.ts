import { limits } from '@nearhand/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

/** A file of the largest purpose and its form around it. A larger body is refused while it arrives, not after. */
const formBytes = 11 * 1024 * 1024;
/** Names and files in a form; ours have two. */
const maxParts = 20;
/** Forms of one account that arrive at the same time: each is held whole in memory until it is there. The files of a delivery come all at once, beside a photo or a CV. */
const formsAtOnce = limits.deliveryFilesMax + 2;

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const isForm = (request: FastifyRequest): boolean =>
  /^\s*multipart\//i.test(request.headers['content-type'] ?? '');

/**
 * Bodies, as far as who sends them matters (ADR 0125). No operation that writes is open to strangers, so nothing that a stranger sends is read; a form, which is
 * large and may arrive as slowly as its sender likes, is read for a verified account only, and a few of one account at a time.
 * @throws session/required, session/email-not-verified, request/too-many
 */
export function registerForms(api: FastifyInstance): void {
  const arriving = new Map<string, number>();

  api.addHook('preParsing', async (request, reply) => {
    const { actor } = request;
    // Routes outside the contract say themselves what they take, and from whom.
    if (request.routeOptions.url !== `${api.prefix}/*` || !writes.has(request.method)) return;
    if (!actor) throw new AppError('session/required');
    if (!isForm(request)) return;
    if (!actor.emailVerified) throw new AppError('session/email-not-verified');
    const now = (arriving.get(actor.accountId) ?? 0) + 1;
    if (now > formsAtOnce) throw new AppError('request/too-many', { retryAfterSeconds: 5 });
    arriving.set(actor.accountId, now);
    let gone = false;
    const leave = () => {
      if (gone) return;
      gone = true;
      const left = (arriving.get(actor.accountId) ?? 1) - 1;
      if (left > 0) arriving.set(actor.accountId, left);
      else arriving.delete(actor.accountId);
    };
    reply.raw.once('finish', leave).once('close', leave);
  });

  api.removeContentTypeParser('multipart/form-data');
  api.addContentTypeParser(
    'multipart/form-data',
    { parseAs: 'buffer', bodyLimit: formBytes },
    (request, body, done) => {
      const refuse = () =>
        done(new AppError('request/invalid', { issues: [{ path: '', message: 'a readable form' }] }));
      const boundary = boundaryOf(request.headers['content-type'] ?? '');
      if (boundary === null || hasMoreParts(body as Buffer, boundary, maxParts)) return refuse();
      // The parser splits by the text that was counted, however else the header may be read.
      new Response(body as Buffer<ArrayBuffer>, {
        headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      })
        .formData()
        .then((form) => done(null, form), refuse);
    },
  );
}

/** What stands between the parts; null where the header names none, or one that is no plain word. */
function boundaryOf(contentType: string): string | null {
  return /(?:^|;)\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*(?:;|$)/i.exec(contentType)?.[2] ?? null;
}

/** Looked at before the form is taken apart, which costs far more than finding its lines. */
function hasMoreParts(body: Buffer, boundary: string, most: number): boolean {
  let found = -1;
  for (let parts = 0; parts <= most; parts += 1) {
    found = body.indexOf(`--${boundary}`, found + 1, 'latin1');
    if (found === -1) return false;
  }
  return true;
}
