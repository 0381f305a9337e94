import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A file that is compressed once and answered from memory. */
export type PackedFile = { type: string; tag: string; plain: Buffer; br: Buffer; gzip: Buffer };

/** Beyond this, brotli takes seconds for a few percent. */
const quality = 9;

/** @param type its Content-Type */
export async function packFile(content: Buffer | string, type: string): Promise<PackedFile> {
  const plain = Buffer.from(content);
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } }),
    promisify(gzip)(plain),
  ]);
  const tag = `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return { type, tag, plain, br, gzip: zipped };
}

/** Answers with the file, or with a 304 if the caller has it. Caches may keep it but ask each time. */
export function sendPacked(request: FastifyRequest, reply: FastifyReply, file: PackedFile): FastifyReply {
  const encoding = encodingFor(request.headers['accept-encoding']);
  const tag = encoding ? file.tag.replace(/"$/, `-${encoding}"`) : file.tag;
  reply.headers({ etag: tag, vary: 'accept-encoding', 'cache-control': 'public, no-cache' });
  const known = (request.headers['if-none-match'] ?? '')
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''));
  if (known.includes(tag) || known.includes('*')) return reply.code(304).send();
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(file.type).send(file[encoding ?? 'plain']);
}

/** The best of ours that the caller takes; `br;q=0` refuses one. */
function encodingFor(header: string | string[] | undefined): 'br' | 'gzip' | null {
  const taken = String(header ?? '')
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]?.trim());
  return (['br', 'gzip'] as const).find((encoding) => taken.includes(encoding)) ?? null;
}
