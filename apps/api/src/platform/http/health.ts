import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db.ts';

/** So long one answer of the database is good for everybody who asks: anybody may, as often as they like, and a connection is taken for each time it is asked. */
const knownMs = 1_000;

/** `/health/live`: the process answers. `/health/ready`: it can serve, that is, the database answers and it is not stopping. */
export function registerHealth(app: FastifyInstance, db: Db): void {
  let stopping = false;
  let asked: { at: number; answers: Promise<boolean> } | null = null;

  function databaseAnswers(): Promise<boolean> {
    const at = performance.now();
    if (asked && at - asked.at < knownMs) return asked.answers;
    const answers = sql`select 1`.execute(db).then(
      () => true,
      (error) => {
        app.log.error({ err: error }, 'the database does not answer');
        return false;
      },
    );
    asked = { at, answers };
    return answers;
  }

  app.addHook('preClose', async () => {
    stopping = true;
  });
  app.get('/health/live', async () => ({ status: 'live' }));
  app.get('/health/ready', async (_request, reply) => {
    if (stopping) return reply.code(503).send({ status: 'stopping' });
    if (await databaseAnswers()) return { status: 'ready' };
    return reply.code(503).send({ status: 'database does not answer' });
  });
}
