import { hash } from 'node:crypto';
import type { OperationMeta } from '@nearhand/contract/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Gives the response of a read its ETag (ADR 253). A browser may keep what anyone sees, and asks each time whether it still holds; what is
 * about its viewer is kept by nobody, but a client that has it saves the body.
 * @returns whether the caller has this response already: then the status is 304 and nothing else is sent
 */
export function isUnchanged(
  kind: NonNullable<OperationMeta['revalidated']>,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: string,
): boolean {
  const etag = `"${hash('sha1', answer, 'base64url')}"`;
  const other = reply.raw.getHeader('vary');
  const keeps = kind === 'public' || request.actor === null;
  reply.headers({
    etag: `W/${etag}`,
    'cache-control': keeps ? 'private, no-cache' : 'private, no-store',
    vary: [...(other === undefined ? [] : [String(other)]), 'authorization'].join(', '),
  });
  return request.headers['if-none-match']?.includes(etag) ?? false;
}
