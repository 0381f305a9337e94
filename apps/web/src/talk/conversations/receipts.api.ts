import type { Conversation } from '@nearhand/contract/talk/conversations';
import { session } from '../../lib/session.ts';
import { acknowledge, refetchChats, updateCachedConversation } from './conversations.api.ts';

type Receipt = { deliveredSeq: number; readSeq: number };

/** Receipts the server knows and receipts still to be sent, by conversation. */
const sentReceipts = new Map<string, Receipt>();
const dueReceipts = new Map<string, Receipt>();
const sending = new Map<string, Receipt>();
let timer: ReturnType<typeof setTimeout> | undefined;
let failures = 0;
const gatherMs = 400;
const maxAtOnce = 100;

let owner = session.user()?.id ?? null;
session.subscribe(() => {
  const now = session.user()?.id ?? null;
  if (now === owner) return;
  owner = now;
  sentReceipts.clear();
  dueReceipts.clear();
  sending.clear();
  clearTimeout(timer);
  timer = undefined;
});

const furthestReceipt = (receipts: readonly (Receipt | undefined)[]): Receipt => ({
  deliveredSeq: Math.max(0, ...receipts.map((receipt) => receipt?.deliveredSeq ?? 0)),
  readSeq: Math.max(0, ...receipts.map((receipt) => receipt?.readSeq ?? 0)),
});
const knownOf = (id: string): Receipt =>
  furthestReceipt([sentReceipts.get(id), sending.get(id), dueReceipts.get(id)]);

function note(id: string, deliveredSeq: number, readSeq: number): boolean {
  const previous = knownOf(id);
  if (deliveredSeq <= previous.deliveredSeq && readSeq <= previous.readSeq) return false;
  dueReceipts.set(id, furthestReceipt([previous, { deliveredSeq, readSeq }]));
  timer ??= setTimeout(sendSubscription, gatherMs);
  return true;
}

function sendSubscription(): void {
  timer = undefined;
  const account = owner;
  const batch = [...dueReceipts].slice(0, maxAtOnce);
  for (const [id, receipt] of batch) {
    dueReceipts.delete(id);
    sending.set(id, receipt);
  }
  if (batch.length === 0) return;
  const forgetBatch = () => {
    for (const [id, receipt] of batch) if (sending.get(id) === receipt) sending.delete(id);
  };
  acknowledge(
    batch.map(([conversationId, { deliveredSeq, readSeq }]) => ({
      conversationId,
      deliveredSeq,
      ...(readSeq > 0 ? { readSeq } : {}),
    })),
  ).then(
    () => {
      failures = 0;
      if (account !== owner) return;
      forgetBatch();
      for (const [id, receipt] of batch)
        sentReceipts.set(id, furthestReceipt([sentReceipts.get(id), receipt]));
      if (dueReceipts.size > 0) timer ??= setTimeout(sendSubscription, gatherMs);
    },
    () => {
      if (account !== owner) return;
      forgetBatch();
      failures += 1;
      // Receipts are never urgent: a failed one is sent with the next, or after a while.
      for (const [id, receipt] of batch) note(id, receipt.deliveredSeq, receipt.readSeq);
      clearTimeout(timer);
      timer = setTimeout(sendSubscription, Math.min(60_000, 2_000 * 2 ** Math.min(failures, 5)));
    },
  );
}

/** The last message read on this device, even if unsent: a list fetched just before may be older. */
export const readHere = (conversationId: string): number => knownOf(conversationId).readSeq;

export function deliveredUpTo(conversationId: string, seq: number): void {
  if (seq > 0) note(conversationId, seq, 0);
}

export function readUpTo(conversationId: string, seq: number): void {
  if (!note(conversationId, seq, seq)) return;
  let cleared = false;
  updateCachedConversation(conversationId, (before: Conversation) => {
    if (seq <= before.readSeq) return before;
    const unread = seq >= before.lastSeq ? 0 : before.unread;
    cleared ||= before.unread > 0 && unread === 0;
    return { ...before, readSeq: seq, unread };
  });
  // The badges count conversations, so they refetch once the server knows.
  if (cleared) setTimeout(() => refetchChats(conversationId), gatherMs * 3);
}
