import type { FastifyInstance, InjectOptions } from 'fastify';
import { type RawBuilder, sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Db, Tx } from '../../platform/db.ts';

export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #server: FastifyInstance;
  readonly #origin: string;

  readonly #address: string;

  constructor(server: FastifyInstance, origin: string, address = '127.0.0.1') {
    this.#address = address;
    this.#server = server;
    this.#origin = origin;
  }

  async send(
    method: 'GET' | 'POST',
    url: string,
    payload?: unknown,
    headers: Record<string, string | undefined> = {},
  ) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const all = { origin: this.#origin, ...(cookie ? { cookie } : {}), ...headers };
    const response = await this.#server.inject({
      method,
      url,
      remoteAddress: this.#address,
      headers: Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as Record<
        string,
        string
      >,
      ...(payload === undefined ? {} : { payload: payload as InjectOptions['payload'] }),
    });
    for (const set of response.cookies) {
      if (set.value === '' || set.maxAge === 0) this.cookies.delete(set.name);
      else this.cookies.set(set.name, encodeURIComponent(set.value));
    }
    return response;
  }

  post = (path: string, payload: unknown = {}, headers: Record<string, string | undefined> = {}) =>
    this.send('POST', `/api/auth${path}`, payload, headers);
}

/** Commits a change in the middle of a call, which `lock` blocks. */
export async function changeDuring<Answer>(
  db: Db,
  lock: RawBuilder<unknown> | null,
  call: () => Promise<Answer>,
  change: (tx: Tx) => Promise<unknown>,
): Promise<Answer> {
  const { answer } = await db.transaction().execute(async (tx) => {
    if (lock) await lock.execute(tx);
    else await change(tx);
    const answer = call();
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      expect(rows.length).toBeGreaterThan(0);
    }, 20_000);
    if (lock) await change(tx);
    return { answer };
  });
  return answer;
}
