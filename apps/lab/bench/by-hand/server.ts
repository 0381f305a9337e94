import { createServer } from 'node:http';
import pg from 'pg';
import { answerByHand } from './answers.ts';

/** The second floor: what the same answers and the same lasting rows cost in one file of SQL each, without any framework. */
const [url = '', port = '0'] = process.argv.slice(2);
// A day has no zone.
pg.types.setTypeParser(pg.types.builtins.DATE, (text) => text);
const pool = new pg.Pool({ connectionString: url, max: 10, application_name: 'by hand' });

const server = createServer((request, response) => {
  let sent = '';
  request.setEncoding('utf8');
  request.on('data', (part: string) => {
    sent += part;
  });
  request.on('end', async () => {
    try {
      const text = JSON.stringify(await answerByHand(pool, request, sent));
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
