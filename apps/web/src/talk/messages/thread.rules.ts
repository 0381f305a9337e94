import { minuteMs } from '@nearhand/contract/durations';
import type { Message } from '@nearhand/contract/talk/messages';
import type { Outgoing } from '../outbox/outbox.api.ts';

/** One rendered line, with a new day or the unread mark above it, so that earlier pages only add lines. */
export type ThreadItem = {
  key: string;
  message: Message | null;
  outgoing: Outgoing | null;
  day: string | null;
  unread: boolean;
  first: boolean;
  last: boolean;
  /** Another person of the other side writes, so the name is shown. */
  named: boolean;
  gap: boolean;
};

const pauseMs = 5 * minuteMs;
function speakerOf(item: Pick<ThreadItem, 'message' | 'outgoing'>, me: string | null): string {
  const accountId = item.outgoing ? me : item.message?.from?.accountId;
  if (accountId === undefined) return 'system';
  return accountId === me ? `me ${me}` : `${accountId}`;
}
const time = (item: Pick<ThreadItem, 'message' | 'outgoing'>): number =>
  Date.parse(item.message?.at ?? item.outgoing?.at ?? '');

type Thread = {
  messages: readonly Message[];
  outgoing: readonly Outgoing[];
  me: string | null;
  /** The last place read when the conversation was opened; null if nothing was unread. */
  readSeq: number | null;
  /** True if the newest message is included: then queued messages are below. */
  atEnd: boolean;
  /** Queued messages were written below an older part: they stay there, after a gap, until the newest has loaded. */
  wroteHere: boolean;
  dayOf: (at: string) => string;
};

export function threadItems(thread: Thread): ThreadItem[] {
  const { messages, outgoing, me, readSeq, atEnd, dayOf } = thread;
  const arrived = new Set<string>();
  const items: ThreadItem[] = [];
  let hasMark = false;
  let received: string | null = null;
  const add = (message: Message | null, waiting: Outgoing | null) => {
    const at = message?.at ?? waiting?.at ?? '';
    const before = items.at(-1);
    const hasGap = !atEnd && before?.message != null && waiting !== null;
    const sameDay =
      before !== undefined && dayOf(at) === dayOf(before.message?.at ?? before.outgoing?.at ?? '');
    const unread =
      !hasMark &&
      readSeq !== null &&
      message !== null &&
      message.seq > readSeq &&
      message.kind === 'text' &&
      message.from?.accountId !== me;
    if (unread) hasMark = true;
    const item: ThreadItem = {
      key: message?.clientId ?? waiting?.clientId ?? `s${message?.seq}`,
      message,
      outgoing: waiting,
      day: sameDay ? null : dayOf(at),
      unread,
      first: true,
      last: true,
      named: false,
      gap: hasGap,
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
      !hasGap &&
      speakerOf(before, me) === speakerOf(item, me) &&
      speakerOf(item, me) !== 'system' &&
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
  if (atEnd || thread.wroteHere)
    for (const message of outgoing) if (!arrived.has(message.clientId)) add(null, message);
  return items;
}

export const isShallowEqual = <Part extends object>(a: Part, b: Part): boolean =>
  (Object.keys(a) as (keyof Part)[]).every((key) => Object.is(a[key], b[key]));

export type DeliveryState = 'sent' | 'delivered' | 'read';

/** The delivery state of one's own message, by the receipts of the whole other side. */
export function deliveryOf(
  seq: number,
  receipts: { deliveredSeq: number; readSeq: number | null },
): DeliveryState {
  if (receipts.readSeq !== null && receipts.readSeq >= seq) return 'read';
  return receipts.deliveredSeq >= seq ? 'delivered' : 'sent';
}

export const editableUntil = (message: Pick<Message, 'at'>, minutes: number): number =>
  Date.parse(message.at) + minutes * minuteMs;

/** Text and links, in order; only http(s) is clickable. */
export function textPieces(text: string): { text: string; href: string | null }[] {
  const pieces: { text: string; href: string | null }[] = [];
  let at = 0;
  for (const match of text.matchAll(/https?:\/\/[^\s<>"']+/giu)) {
    const address = match[0].replace(/[.,;:!?)\]}]+$/, '');
    let valid = false;
    try {
      valid = ['http:', 'https:'].includes(new URL(address).protocol);
    } catch {
      // An invalid address stays text.
    }
    if (!valid) continue;
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), href: null });
    pieces.push({ text: address, href: address });
    at = match.index + address.length;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), href: null });
  return pieces;
}
