import { minuteMs } from '@nearhand/contract/durations';
import type { Message } from '@nearhand/contract/talk/messages';
import type { Outgoing } from '../outbox/outbox.api.ts';

/** One line of a conversation as it is drawn: what is above it (a new day, the first unread) belongs to it, so that earlier pages only add lines in front. */
export type ThreadItem = {
  key: string;
  message: Message | null;
  outgoing: Outgoing | null;
  /** The day that begins here. */
  day: string | null;
  /** Here begins what was not read when the conversation was opened. */
  unread: boolean;
  /** The first and the last of what one person said in one go. */
  first: boolean;
  last: boolean;
  /** Another person of theirs speaks than before, so it is said who. */
  named: boolean;
  /** Newer messages belong above it that are not here. */
  gap: boolean;
};

const pauseMs = 5 * minuteMs;
const speaker = (item: Pick<ThreadItem, 'message' | 'outgoing'>, me: string | null): string =>
  item.outgoing
    ? `me ${me}`
    : item.message?.from
      ? item.message.from.accountId === me
        ? `me ${me}`
        : item.message.from.accountId
      : 'system';
const time = (item: Pick<ThreadItem, 'message' | 'outgoing'>): number =>
  Date.parse(item.message?.at ?? item.outgoing?.at ?? '');

type Thread = {
  messages: readonly Message[];
  outgoing: readonly Outgoing[];
  me: string | null;
  /** How far was read when the conversation was opened; null where nothing was unread. */
  readSeq: number | null;
  /** Whether the newest message is among them: then what waits stands below. */
  atEnd: boolean;
  /** What waits was written below an older part: it stands there, beyond a gap, until the newest has come. */
  wroteHere: boolean;
  dayOf: (at: string) => string;
};

/** The lines of a conversation from its messages and what waits to be sent. */
export function threadItems(thread: Thread): ThreadItem[] {
  const { messages, outgoing, me, readSeq, atEnd, dayOf } = thread;
  const arrived = new Set<string>();
  const items: ThreadItem[] = [];
  let marked = false;
  let received: string | null = null;
  const add = (message: Message | null, waiting: Outgoing | null) => {
    const at = message?.at ?? waiting?.at ?? '';
    const before = items.at(-1);
    const gap = !atEnd && before?.message != null && waiting !== null;
    const sameDay =
      before !== undefined && dayOf(at) === dayOf(before.message?.at ?? before.outgoing?.at ?? '');
    const unread =
      !marked &&
      readSeq !== null &&
      message !== null &&
      message.seq > readSeq &&
      message.kind === 'text' &&
      message.from?.accountId !== me;
    if (unread) marked = true;
    const item: ThreadItem = {
      key: message?.clientId ?? waiting?.clientId ?? `s${message?.seq}`,
      message,
      outgoing: waiting,
      day: sameDay ? null : dayOf(at),
      unread,
      first: true,
      last: true,
      named: false,
      gap,
    };
    const speaks = message?.from && message.from.accountId !== me ? message.from.accountId : null;
    if (speaks !== null) {
      item.named = speaks !== received;
      received = speaks;
    }
    if (
      before &&
      sameDay &&
      !unread &&
      !gap &&
      speaker(before, me) === speaker(item, me) &&
      speaker(item, me) !== 'system' &&
      time(item) - time(before) < pauseMs
    ) {
      before.last = false;
      item.first = false;
    }
    items.push(item);
  };
  for (const message of messages) {
    if (message.clientId) arrived.add(message.clientId);
    add(message, null);
  }
  if (atEnd || thread.wroteHere) for (const one of outgoing) if (!arrived.has(one.clientId)) add(null, one);
  return items;
}

export type DeliveryState = 'sent' | 'delivered' | 'read';

/** How far an own message has come: its receipts are those of the other side as a whole. */
export function deliveryOf(
  seq: number,
  theirs: { deliveredSeq: number; readSeq: number | null },
): DeliveryState {
  if (theirs.readSeq !== null && theirs.readSeq >= seq) return 'read';
  return theirs.deliveredSeq >= seq ? 'delivered' : 'sent';
}

/** Whether an own message may still be changed. */
export const editableUntil = (message: Pick<Message, 'at'>, minutes: number): number =>
  Date.parse(message.at) + minutes * minuteMs;

/** Words and web addresses of a text, in order; only what begins with http(s) can be pressed. */
export function textPieces(text: string): { text: string; href: string | null }[] {
  const pieces: { text: string; href: string | null }[] = [];
  let at = 0;
  for (const found of text.matchAll(/https?:\/\/[^\s<>"']+/giu)) {
    const address = found[0].replace(/[.,;:!?)\]}]+$/, '');
    let valid = false;
    try {
      valid = ['http:', 'https:'].includes(new URL(address).protocol);
    } catch {
      // Not an address after all.
    }
    if (!valid) continue;
    if (found.index > at) pieces.push({ text: text.slice(at, found.index), href: null });
    pieces.push({ text: address, href: address });
    at = found.index + address.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), href: null });
  return pieces;
}
