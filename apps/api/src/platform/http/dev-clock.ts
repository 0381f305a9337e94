import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { MovableClock } from '../clock.ts';
import type { Config } from '../config/config.ts';

export type TestTime = { clock: MovableClock; runDue(): Promise<void> };

const aYearSeconds = 366 * 86_400;
const bodyShape = z.object({ aheadSeconds: z.int().min(-aYearSeconds).max(aYearSeconds) });

/** Moves the clock for journeys (ADR 58). Only with NODE_ENV=test, which a public server can't have. */
export function registerDevClock(
  app: FastifyInstance,
  config: Pick<Config, 'NODE_ENV'>,
  time: TestTime | undefined,
): void {
  if (config.NODE_ENV !== 'test' || time === undefined) return;
  app.post('/dev/clock', async (request, reply) => {
    const body = bodyShape.safeParse(request.body);
    if (!body.success) return reply.code(422).send({ message: 'aheadSeconds: a whole number, up to a year' });
    time.clock.moveBy(body.data.aheadSeconds * 1_000);
    await time.runDue();
    return { now: time.clock.now().toISOString() };
  });
}
