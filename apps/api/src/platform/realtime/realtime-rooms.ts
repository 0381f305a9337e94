import type { Membership } from '../members/job-members.ts';
import type { RealtimeRoom } from './publish.ts';
import type { Peer } from './realtime-peer.ts';

export type Rooms = ReturnType<typeof createRooms>;

/** Members limited to branches. Signals are checked individually, never emitted to this room. */
export const limitedRoom = (businessId: string): RealtimeRoom => `limited:${businessId}`;

/** Members who read conversations and are not limited to branches. Signals to their business are narrowed to it. */
export const chatsRoom = (businessId: string): RealtimeRoom => `chats:${businessId}`;

export function createRooms() {
  const everyone = new Set<Peer>();
  const rooms = new Map<RealtimeRoom, Set<Peer>>();

  function enter(peer: Peer, newRooms: ReadonlySet<RealtimeRoom>): void {
    for (const room of peer.rooms) {
      if (newRooms.has(room)) continue;
      const inside = rooms.get(room);
      inside?.delete(peer);
      if (inside?.size === 0) rooms.delete(room);
    }
    for (const room of newRooms) {
      const inside = rooms.get(room);
      if (inside) inside.add(peer);
      else rooms.set(room, new Set([peer]));
    }
    peer.rooms = newRooms;
  }

  const nobody: ReadonlySet<Peer> = new Set();

  return {
    place(peer: Peer, businesses: readonly Membership[]): void {
      everyone.add(peer);
      enter(
        peer,
        new Set<RealtimeRoom>([
          `account:${peer.accountId}`,
          ...businesses.flatMap(({ businessId, limited, chats }): RealtimeRoom[] => {
            if (limited) return [limitedRoom(businessId)];
            return chats ? [`business:${businessId}`, chatsRoom(businessId)] : [`business:${businessId}`];
          }),
        ]),
      );
    },
    remove(peer: Peer): void {
      everyone.delete(peer);
      enter(peer, new Set());
    },
    in: (room: RealtimeRoom): ReadonlySet<Peer> =>
      room === 'everyone' ? everyone : (rooms.get(room) ?? nobody),
    ofAccount: (accountId: string): ReadonlySet<Peer> => rooms.get(`account:${accountId}`) ?? nobody,
    everyone: everyone as ReadonlySet<Peer>,
  };
}
