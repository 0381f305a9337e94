import { limits } from '@nearhand/contract/limits';
import type { ClientEvents } from '@nearhand/contract/realtime';
import type { Clock } from '../clock.ts';
import type { Room } from '../emit.ts';
import { isId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Bus } from './realtime-bus.ts';
import type { Peer } from './realtime-peer.ts';

/** Who is notified that someone is typing, and on which side they are. */
export type TypingTo = { rooms: readonly Room[]; side: 'worker' | 'business' };

export type ListeningParts = {
  clock: Clock;
  log: Log;
  bus: Bus;
  findTypingTo(accountId: string, conversationId: string): Promise<TypingTo | null>;
};

/** No app of ours sends this many; a client that does is disconnected. */
const maxEvents = 60;
const maxEventsMs = 10_000;
/** Apps send it every `limits.typingMs` / 2 by their own clock; the network adds jitter. */
const typedAgainMs = limits.typingMs / 3;
/** When switching conversations. */
const typedElsewhereMs = 500;

/** Handles client events. Unknown ones are ignored: nobody expects an answer. */
export function createListening(parts: ListeningParts, presenceChanged: (accountId: string) => void) {
  const { clock, log, bus } = parts;

  async function type(peer: Peer, conversationId: string): Promise<void> {
    const at = clock.now().getTime();
    const { typed } = peer;
    const pause = typed?.conversationId === conversationId ? typedAgainMs : typedElsewhereMs;
    if (typed && Math.abs(at - typed.at) < pause) return;
    peer.typed = { conversationId, at };
    const to = await parts.findTypingTo(peer.accountId, conversationId);
    if (to)
      bus.send([
        {
          rooms: to.rooms,
          signal: { kind: 'typing', conversationId, accountId: peer.accountId, side: to.side },
        },
      ]);
  }

  return (peer: Peer, event: keyof ClientEvents, [value]: readonly unknown[]): void => {
    const at = clock.now().getTime();
    if (Math.abs(at - peer.received.since) > maxEventsMs) peer.received = { since: at, count: 0 };
    peer.received.count += 1;
    if (peer.received.count > maxEvents) {
      peer.cut();
      return;
    }
    if (event === 'typing' && isId(value))
      type(peer, value).catch((error) => log.debug({ err: error }, 'typing was not sent'));
    if (event === 'looking' && (value === null || isId(value)) && peer.looking !== value) {
      peer.looking = value;
      presenceChanged(peer.accountId);
    }
  };
}
