import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type pg from 'pg';
import { applyByHand, readByHand } from './job-pages.ts';
import { searchByHand } from './searches.ts';

/** The answer of a request of the benchmark. Who asks is read from the token, unchecked. */
export async function answerByHand(
  pool: pg.Pool,
  request: { url?: string | undefined; headers: IncomingHttpHeaders },
  sent: string,
): Promise<unknown> {
  const { headers } = request;
  const [path = '', query = ''] = String(request.url).split('?');
  const [, , , jobId = '', verb] = path.split('/');
  if (jobId === 'nearby') return searchByHand(pool, new URLSearchParams(query));
  const [, claims = ''] = String(headers.authorization).split('.');
  const accountId = String(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub);
  if (verb === undefined) return readByHand(pool, jobId, accountId);
  const { coverNote } = JSON.parse(sent) as { coverNote: string };
  const hash = createHash('sha256').update(`${path}\n${sent}`).digest();
  return applyByHand(pool, { jobId, accountId, key: String(headers['idempotency-key']), hash, coverNote });
}
