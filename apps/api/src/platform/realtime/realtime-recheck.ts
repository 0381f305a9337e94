import { minuteMs } from '@nearhand/contract/durations';
import type { Log } from '../log.ts';
import type { Membership } from '../members/job-members.ts';
import type { Peer } from './realtime-peer.ts';
import type { Rooms } from './realtime-rooms.ts';

export type RecheckParts = {
  log: Log;
  findEndedSessions(sessionIds: readonly string[]): Promise<readonly string[]>;
  findBusinesses(accountIds: readonly string[]): Promise<ReadonlyMap<string, readonly Membership[]>>;
  findSeers(
    accountIds: readonly string[],
    filter: { jobId: string } | { conversationId: string },
  ): Promise<readonly string[]>;
};

const everyoneMs = minuteMs;
/** The authenticator may use a 3-second cache, and memberships may have changed during the handshake. */
const newcomerMs = 4_000;

export type Recheck = ReturnType<typeof createRecheck>;

/** Runs on request, shortly after each socket connects, and every minute. */
export function createRecheck({ log, findEndedSessions, findBusinesses }: RecheckParts, rooms: Rooms) {
  let newcomers = new Set<Peer>();

  async function recheck(peers: readonly Peer[]): Promise<void> {
    if (peers.length === 0) return;
    try {
      const [ended, businesses] = await Promise.all([
        findEndedSessions([...new Set(peers.map((peer) => peer.sessionId))]),
        findBusinesses([...new Set(peers.map((peer) => peer.accountId))]),
      ]);
      const over = new Set(ended);
      for (const peer of peers) {
        if (!rooms.everyone.has(peer)) continue;
        if (over.has(peer.sessionId)) peer.end();
        else rooms.place(peer, businesses.get(peer.accountId) ?? []);
      }
    } catch (error) {
      log.warn({ err: error }, 'sockets were not rechecked');
    }
  }

  function recheckNewcomers(): void {
    const peers = [...newcomers];
    newcomers = new Set();
    void recheck(peers);
  }

  const recheckEveryone = () => recheck([...rooms.everyone]);
  const everyMinute = setInterval(recheckEveryone, everyoneMs);
  everyMinute.unref();

  return {
    recheck,
    recheckEveryone,
    came(peer: Peer): void {
      if (newcomers.size === 0) setTimeout(recheckNewcomers, newcomerMs).unref();
      newcomers.add(peer);
    },
    left(peer: Peer): void {
      newcomers.delete(peer);
    },
    stop: (): void => clearInterval(everyMinute),
  };
}
