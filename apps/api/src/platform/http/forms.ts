import { limits } from '@nearhand/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

/** The largest file with its form. A larger body is rejected while it arrives. */
const formBytes = 11 * 1024 * 1024;
const maxParts = 20;
/** Concurrent forms per account, since each is held in memory. Files of a delivery are sent at once. */
const formsAtOnce = limits.deliveryFilesMax + 2;

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const guestBytes = 4 * 1024;
const isSmall = (request: FastifyRequest): boolean =>
  !isForm(request) && Number(request.headers['content-length'] ?? Number.NaN) <= guestBytes;
const isForm = (request: FastifyRequest): boolean =>
  /^\s*multipart\//i.test(request.headers['content-type'] ?? '');

/** Reads small bodies of guests' open writes, and forms of verified accounts only (ADR 125). */
export function registerForms(api: FastifyInstance, guestWrites: ReadonlySet<string>): void {
  const arriving = new Map<string, number>();

  api.addHook('preParsing', async (request, reply) => {
    const { actor } = request;
    // Routes outside the contract define their own rules.
    if (request.routeOptions.url !== `${api.prefix}/*` || !writes.has(request.method)) return;
    if (!actor) {
      if (isSmall(request) && guestWrites.has(`${request.method} ${request.url.split('?')[0]}`)) return;
      throw new AppError('session/required');
    }
    if (!isForm(request)) return;
    if (!actor.emailVerified) throw new AppError('session/email-not-verified');
    const now = (arriving.get(actor.accountId) ?? 0) + 1;
    if (now > formsAtOnce) throw new AppError('request/too-many', { retryAfterSeconds: 5 });
    arriving.set(actor.accountId, now);
    let hasLeft = false;
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      const remaining = (arriving.get(actor.accountId) ?? 1) - 1;
      if (remaining > 0) arriving.set(actor.accountId, remaining);
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
      // Parses by the counted boundary, even if the header is ambiguous.
      new Response(body as Buffer<ArrayBuffer>, {
        headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      })
        .formData()
        .then((form) => done(null, form), refuse);
    },
  );
}

function boundaryOf(contentType: string): string | null {
  return /(?:^|;)\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*(?:;|$)/i.exec(contentType)?.[2] ?? null;
}

/** Checked first, since parsing costs far more than scanning lines. */
function hasMoreParts(body: Buffer, boundary: string, maxCount: number): boolean {
  let position = -1;
  for (let parts = 0; parts <= maxCount; parts += 1) {
    position = body.indexOf(`--${boundary}`, position + 1, 'latin1');
    if (position === -1) return false;
  }
  return true;
}
