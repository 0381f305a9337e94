import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Db } from '../db.ts';

/** How long a health result is cached. */
const knownMs = 1_000;

/** `/health/live`: the process responds. `/health/ready`: it can serve: the database responds and it is not stopping. */
export function registerHealth(app: FastifyInstance, db: Db): void {
  let stopping = false;
  let asked: { at: number; answers: Promise<boolean> } | null = null;

  function databaseAnswers(): Promise<boolean> {
    const at = performance.now();
    if (asked && at - asked.at < knownMs) return asked.answers;
    const answers = sql`select 1`.execute(db).then(
      () => true,
      (error) => {
        app.log.error({ err: error }, 'the database does not respond');
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
    return reply.code(503).send({ status: 'database does not respond' });
  });
}
