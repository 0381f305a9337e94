import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import pg from 'pg';

/**
 * The cost of the same work without us: node's own HTTP server and pg, sending the statements our server sends for each request
 * (`capture.ts`) and returning the last rows as JSON. No session, no validation, no limits, no log.
 */
const [file = '', url = '', port = '0'] = process.argv.slice(2);
type Statement = { text: string; values: unknown[] };
const known = new Map(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as Record<string, Statement[]>));
/** Statements that our server prepares once are prepared once here too. */
const named = ({ text, values }: Statement): pg.QueryConfig =>
  text.trimStart().startsWith('/* kept plan */')
    ? { name: createHash('md5').update(text).digest('hex'), text, values }
    : { text, values };
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'replay' });

const server = createServer((request, response) => {
  request.resume();
  request.on('end', async () => {
    const statements = known.get(String(request.headers['idempotency-key'] ?? request.url));
    if (!statements) return response.writeHead(404).end();
    try {
      let rows: unknown[] = [];
      if (statements.length === 1 && statements[0]) rows = (await pool.query(named(statements[0]))).rows;
      else {
        const client = await pool.connect();
        for (const statement of statements) {
          const result = await client.query(named(statement));
          if (result.rows?.length) rows = result.rows;
        }
        client.release();
      }
      const body = JSON.stringify(rows);
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      });
      response.end(body);
    } catch (error) {
      console.error(error);
      response.writeHead(500).end();
    }
  });
});
server.listen(Number(port), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
