import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import pg from 'pg';
import { applyByHand, readByHand } from './job-pages.ts';
import { searchByHand } from './searches.ts';

/** The floor: the same responses and lasting rows as ours for three hot cases, in SQL without a framework. */
const [url = '', port = '0'] = process.argv.slice(2);
// A day has no zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'by hand' });

/** The account is read from the token, unchecked. */
async function answer(request: IncomingMessage, body: string): Promise<string> {
  const { headers } = request;
  const [path = '', query = ''] = String(request.url).split('?');
  const [, , , jobId = '', verb] = path.split('/');
  if (jobId === 'nearby') return JSON.stringify(await searchByHand(pool, new URLSearchParams(query)));
  const [, claims = ''] = String(headers.authorization).split('.');
  const accountId = String(JSON.parse(Buffer.from(claims, 'base64url').toString()).sub);
  if (verb === undefined) return JSON.stringify(await readByHand(pool, jobId, accountId));
  const { coverNote } = JSON.parse(body) as { coverNote: string };
  const hash = createHash('sha256').update(`${path}\n${body}`).digest();
  return applyByHand(pool, { jobId, accountId, key: String(headers['idempotency-key']), hash, coverNote });
}

const server = createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    body += part;
  });
  request.on('end', async () => {
    try {
      const text = await answer(request, body);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
});
server.listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
