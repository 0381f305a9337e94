import { positionHeader } from '@nearhand/contract/read-position';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { RecentReads } from './recent-reads.ts';
import type { WalPosition } from './wal-position.ts';

/** Longer than any replica may be behind (`DATABASE_READ_LAG_SECONDS`). */
const cookieSeconds = 120;
const form = /^[0-9a-f]{1,16}$/;
const cookie = new RegExp(`(?:^|;\\s*)${positionHeader}=([0-9a-f]{1,16})(?:;|$)`);

/**
 * What the caller has to see: the end of their last write, from the header of the apps or the cookie of a browser. Unsigned: a false one
 * can only make the primary answer, or show its sender an older list.
 */
export function positionOf({ headers }: Pick<FastifyRequest, 'headers'>): WalPosition | null {
  const sent = headers[positionHeader];
  const found = typeof sent === 'string' ? sent : cookie.exec(headers.cookie ?? '')?.[1];
  return found !== undefined && form.test(found) ? BigInt(`0x${found}`) : null;
}

/** Answers every write with the position of this process's latest commit, which is at or after the caller's own. */
export function registerReadPosition(api: FastifyInstance, reads: RecentReads, config: Config): void {
  const secure = config.PUBLIC_URL.startsWith('https:') ? '; Secure' : '';
  api.addHook('onSend', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return;
    const position = reads.latestCommit()?.toString(16);
    if (position === undefined) return;
    reply.header(positionHeader, position);
    reply.header(
      'set-cookie',
      `${positionHeader}=${position}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${cookieSeconds}${secure}`,
    );
  });
}
