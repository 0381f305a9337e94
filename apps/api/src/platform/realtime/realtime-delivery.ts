import type { Signal } from '@nearhand/contract/realtime';
import type { Log } from '../log.ts';
import type { Emitted } from './publish.ts';
import type { Outbox } from './realtime-outbox.ts';
import type { Peer } from './realtime-peer.ts';
import type { Recheck, RecheckParts } from './realtime-recheck.ts';
import { chatsRoom, limitedRoom, type Rooms } from './realtime-rooms.ts';

type DeliveryParts = Pick<RecheckParts, 'findSeers'> & {
  rooms: Rooms;
  outbox: Outbox;
  rechecks: Recheck;
  log: Log;
};

export function createDelivery({ rooms, outbox, rechecks, findSeers, log }: DeliveryParts) {
  return function notified(all: readonly Emitted[]): void {
    for (const { rooms: to, signal } of all) {
      for (const room of to) {
        const businessId = room.startsWith('business:') ? room.slice('business:'.length) : null;
        // Finance members may not read conversations, and would only be refused.
        const readers = businessId !== null && isChat(signal) ? chatsRoom(businessId) : room;
        for (const peer of rooms.in(readers)) deliver(peer, signal);
        if (businessId !== null) void deliverLimited(businessId, signal);
      }
      if (!mayChangeRooms(signal)) continue;
      void rechecks.recheck(to.flatMap((room) => (room.startsWith('account:') ? [...rooms.in(room)] : [])));
    }
  };

  /** Delivers to members limited to branches if they see the job; drops signals without a job. */
  async function deliverLimited(businessId: string, signal: Signal): Promise<void> {
    const peers = [...rooms.in(limitedRoom(businessId))];
    if (peers.length === 0) return;
    const jobId = jobOf(signal);
    if (jobId === null && !isAbout(businessId, signal)) return;
    try {
      const accounts = [...new Set(peers.map((peer) => peer.accountId))];
      const seers = new Set(jobId === null ? accounts : await findSeers(accounts, jobId));
      for (const peer of peers)
        if (seers.has(peer.accountId) && rooms.everyone.has(peer)) deliver(peer, signal);
    } catch (error) {
      log.warn({ err: error }, 'signals were withheld from those limited to branches');
    }
  }

  function deliver(peer: Peer, signal: Signal): void {
    if (signal.kind === 'session-ended') return;
    if (signal.kind === 'typing' && signal.accountId === peer.accountId) return;
    outbox.push(peer, signal);
  }
}

const isChat = (signal: Signal): signal is Extract<Signal, { conversationId: string }> =>
  signal.kind === 'message' || signal.kind === 'conversation' || signal.kind === 'typing';

function jobOf(signal: Signal): { jobId: string } | { conversationId: string } | null {
  if (isChat(signal)) return { conversationId: signal.conversationId };
  if (signal.kind !== 'record') return null;
  if (signal.record === 'job') return { jobId: signal.id };
  return signal.jobId === undefined ? null : { jobId: signal.jobId };
}

const isAbout = (businessId: string, signal: Signal): boolean =>
  signal.kind === 'resync' || (signal.kind === 'record' && signal.id === businessId);

/** Sent to an account, these mean that its sessions or memberships changed. */
const mayChangeRooms = (signal: Signal): boolean =>
  signal.kind === 'session-ended' || (signal.kind === 'record' && signal.record === 'business');
