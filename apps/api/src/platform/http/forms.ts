import { limits } from '@nearhand/contract/limits';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../app-error.ts';

/** The largest allowed file with its form. A larger body is refused while it arrives, not after. */
const formBytes = 11 * 1024 * 1024;
const maxParts = 20;
/** Concurrent form uploads per account: each is held in memory until complete. A delivery's files are sent at once, alongside a photo or a CV. */
const formsAtOnce = limits.deliveryFilesMax + 2;

const writes = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);
const guestBytes = 4 * 1024;
const isSmall = (request: FastifyRequest): boolean =>
  !isForm(request) && Number(request.headers['content-length'] ?? Number.NaN) <= guestBytes;
const isForm = (request: FastifyRequest): boolean =>
  /^\s*multipart\//i.test(request.headers['content-type'] ?? '');

/**
 * Reads bodies only where the sender allows it (ADR 125). A guest's body is read for the few writes open to guests, if it is small; a
 * form, which is large and may be slow, is read for verified accounts only, a few at a time.
 * @throws session/required, session/email-not-verified, request/too-many
 */
export function registerForms(api: FastifyInstance, guestWrites: ReadonlySet<string>): void {
  const arriving = new Map<string, number>();

  api.addHook('preParsing', async (request, reply) => {
    const { actor } = request;
    // Routes outside the contract define what they accept, and from whom.
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
      // The parser splits by the boundary that was counted, however else the header could be read.
      new Response(body as Buffer<ArrayBuffer>, {
        headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` },
      })
        .formData()
        .then((form) => done(null, form), refuse);
    },
  );
}

/** The boundary of the parts; null if the header has none or one that is not a simple word. */
function boundaryOf(contentType: string): string | null {
  return /(?:^|;)\s*boundary=("?)([\w'()+,./:=?-]{1,70})\1\s*(?:;|$)/i.exec(contentType)?.[2] ?? null;
}

/** Checked before parsing the form, which costs far more than scanning its lines. */
function hasMoreParts(body: Buffer, boundary: string, maxCount: number): boolean {
  let position = -1;
  for (let parts = 0; parts <= maxCount; parts += 1) {
    position = body.indexOf(`--${boundary}`, position + 1, 'latin1');
    if (position === -1) return false;
  }
  return true;
}
