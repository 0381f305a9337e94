import type { Conversation } from '@nearhand/contract/talk/conversations';
import { talkLimits } from '@nearhand/contract/talk/limits';
import type { Message } from '@nearhand/contract/talk/messages';
import { useSyncExternalStore } from 'react';
import { isApiError } from '../../lib/api/api-error.ts';
import { deviceStore, readPrefix } from '../../lib/device/indexed-db-store.ts';
import { session } from '../../lib/session.ts';
import { createListeners } from '../../lib/store.ts';
import { readMessages, readRecent } from '../conversations/conversations.api.ts';
import {
  type ChatLog,
  type ChatPage,
  emptyLog,
  isFarBehind,
  mergeMessages,
  mergePage,
  messagesAround,
  syncedRev,
  tailOf,
} from './message-store.rules.ts';

export type ConversationRoom = {
  log: ChatLog;
  /** The `seq` of a message in the visible part; null until the first load. */
  anchor: number | null;
  loading: 'start' | 'earlier' | 'later' | null;
  error: unknown;
  updatedAt: number;
};

const nothing: ConversationRoom = { log: emptyLog, anchor: null, loading: null, error: null, updatedAt: 0 };
const rooms = new Map<string, ConversationRoom>();
const { notify, subscribe } = createListeners();
const pageSize = 60;
/** Up to this many unread messages load with the newest page; with more it opens at the first. */
const maxAtOnce = 140;
const messagesMax = 80;
const conversationsMax = 40;
const nowhere = 0;

export const conversationRoom = (id: string): ConversationRoom => rooms.get(id) ?? nothing;

function change(id: string, part: Partial<ConversationRoom>): ConversationRoom {
  const next = { ...conversationRoom(id), ...part };
  rooms.set(id, next);
  notify();
  return next;
}

export const useRoom = (id: string): ConversationRoom =>
  useSyncExternalStore(
    subscribe,
    () => conversationRoom(id),
    () => nothing,
  );

// When another person signs in, none of the previous person's data stays in memory.
let owner = session.user()?.id ?? null;
session.subscribe(() => {
  const now = session.user()?.id ?? null;
  if (now === owner) return;
  owner = now;
  rooms.clear();
  busy.clear();
  opening.clear();
  for (const timer of storing.values()) clearTimeout(timer);
  storing.clear();
  notify();
});

type Kept = { items: Message[]; rev: number; lastSeq: number; at: number };
const storedKey = (account: string, id: string) => `${readPrefix}${account} ${id}`;
const storing = new Map<string, ReturnType<typeof setTimeout>>();
const storeAfterMs = 1_000;

/** Stores the newest part of recently opened conversations on the device, for reading offline. */
function storeSoon(id: string): void {
  const account = owner;
  if (account === null || storing.has(id)) return;
  const timer = setTimeout(() => {
    storing.delete(id);
    const room = conversationRoom(id);
    const tail = tailOf(room.log, messagesMax);
    if (tail === null || session.user()?.id !== account) return;
    const cached: Kept = {
      items: [...tail.items],
      rev: tail.rev,
      lastSeq: room.log.lastSeq,
      at: room.updatedAt,
    };
    void deviceStore
      .set(storedKey(account, id), cached)
      .then(async () => {
        let dropped: string[] = [];
        await deviceStore.update<string[]>(`${readPrefix}${account}`, (before) => {
          const ids = [id, ...(before ?? []).filter((earlierId) => earlierId !== id)];
          dropped = ids.slice(conversationsMax);
          return ids.slice(0, conversationsMax);
        });
        for (const droppedId of dropped) await deviceStore.del(storedKey(account, droppedId));
      })
      .catch(() => undefined);
  }, storeAfterMs);
  storing.set(id, timer);
}

async function restore(id: string): Promise<void> {
  if (owner === null || conversationRoom(id).log.base !== null) return;
  const cached = await deviceStore.get<Kept>(storedKey(owner, id)).catch(() => undefined);
  const room = conversationRoom(id);
  if (!cached?.items?.length || room.log.base !== null) return;
  const page: ChatPage = {
    since: null,
    items: cached.items,
    more: true,
    rev: cached.rev,
    lastSeq: cached.lastSeq,
  };
  change(id, {
    log: mergePage(room.log, page),
    anchor: cached.items.at(-1)?.seq ?? null,
    updatedAt: cached.at,
  });
}

type Asked = { since?: number; before?: number; around?: number; limit?: number };

/** Fetches one page and merges it. Returns null if someone else has signed in since. */
async function ask(id: string, request: Asked): Promise<ChatPage | null> {
  const account = owner;
  const response = await readMessages({ conversationId: id, ...request });
  if (account !== owner) return null;
  const page: ChatPage = { ...(response as Omit<ChatPage, 'since'>), since: request.since ?? null };
  change(id, { log: mergePage(conversationRoom(id).log, page), error: null, updatedAt: Date.now() });
  storeSoon(id);
  return page;
}

/** Updates in progress by conversation; a call in the meantime repeats the update once. */
const busy = new Map<string, { again: boolean; done: Promise<void> }>();

/** Fetches all changes of a conversation. Concurrent calls share a run. Never rejects: `error` has the reason. */
export function fillRoom(id: string): Promise<void> {
  const running = busy.get(id);
  if (running) {
    running.again = true;
    return running.done;
  }
  const run = { again: false, done: Promise.resolve() };
  busy.set(id, run);
  run.done = (async () => {
    try {
      do {
        run.again = false;
        await fillOnce(id);
      } while (run.again && busy.get(id) === run);
    } catch (error) {
      change(id, { error });
    } finally {
      if (busy.get(id) === run) busy.delete(id);
    }
  })();
  return run.done;
}

/** Conversations being opened: opening decides which part is shown, even if it takes long. */
const opening = new Map<string, Promise<unknown>>();

async function fillOnce(id: string): Promise<void> {
  if (syncedRev(conversationRoom(id).log) === null) await opening.get(id);
  for (;;) {
    const since = syncedRev(conversationRoom(id).log);
    if (since === null) {
      await startAt(id, null);
      return;
    }
    let page: ChatPage | null;
    try {
      page = await ask(id, { since, limit: talkLimits.messagesPage });
    } catch (error) {
      // The server was restored to an older state than the device's: start over.
      if (!isApiError(error, 'request/invalid')) throw error;
      change(id, { ...nothing });
      await startAt(id, null);
      return;
    }
    if (page === null || !page.more) return;
    if (isFarBehind(since, page.rev)) {
      const before = conversationRoom(id);
      change(id, { ...nothing });
      try {
        await startAt(id, null);
      } catch (error) {
        change(id, before);
        throw error;
      }
      return;
    }
  }
}

async function startAt(id: string, unread: { from: number; count: number } | null): Promise<void> {
  const isFar = unread !== null && unread.count > maxAtOnce;
  const request: Asked = isFar
    ? { before: unread.from + pageSize, limit: pageSize * 2 }
    : { limit: Math.min(talkLimits.messagesPage, pageSize + (unread?.count ?? 0)) };
  const page = await ask(id, request);
  if (page) change(id, { anchor: isFar ? unread.from : (page.items.at(-1)?.seq ?? null) });
}

/** Opens a conversation: first from the device, then from the server, at the first unread message. */
export async function openRoom(id: string, unread: { from: number; count: number } | null): Promise<void> {
  const placing = placeRoom(id, unread);
  opening.set(id, placing);
  const isPlaced = await placing;
  if (opening.get(id) === placing) opening.delete(id);
  if (isPlaced) await fillRoom(id);
}

/**
 * Shows the initial part of a conversation. Returns whether it was on the device, so that only new messages are
 * fetched.
 */
async function placeRoom(id: string, unread: { from: number; count: number } | null): Promise<boolean> {
  if (conversationRoom(id).log.base === null) await restore(id);
  const { log, anchor } = conversationRoom(id);
  // The last shown part may be older: a search may have led far back, and unread messages may be beyond a
  // gap.
  const messages = messagesAround(log, unread?.from ?? null);
  const last = messages.at(-1);
  const catchesUp = unread === null || unread.from <= log.lastSeq || unread.count <= maxAtOnce;
  if (last && catchesUp) {
    change(id, { anchor: last.seq });
    return true;
  }
  // Hides all messages until the new ones have loaded, because the last shown ones would look like the end.
  change(id, { loading: 'start', anchor: nowhere });
  try {
    await startAt(id, unread);
  } catch (error) {
    change(id, { error, anchor });
  } finally {
    change(id, { loading: null });
  }
  return false;
}

async function load(id: string, loading: 'earlier' | 'later', request: Asked): Promise<void> {
  if (conversationRoom(id).loading !== null) return;
  change(id, { loading });
  try {
    await ask(id, request);
  } catch (error) {
    change(id, { error });
  } finally {
    change(id, { loading: null });
  }
}

export function loadEarlier(id: string): Promise<void> {
  const room = conversationRoom(id);
  const first = messagesAround(room.log, room.anchor)[0]?.seq ?? 1;
  return first <= 1 ? Promise.resolve() : load(id, 'earlier', { before: first, limit: pageSize });
}

/** Loads the page after the visible part, unless it reaches the newest message. */
export function loadLater(id: string): Promise<void> {
  const room = conversationRoom(id);
  const last = messagesAround(room.log, room.anchor).at(-1)?.seq ?? 0;
  if (last >= room.log.lastSeq) return Promise.resolve();
  return load(id, 'later', { before: last + 1 + pageSize, limit: pageSize });
}

/** Shows the part around a place, loading it if needed. Returns whether it exists. */
export async function goToPlace(id: string, seq: number): Promise<boolean> {
  try {
    if (!conversationRoom(id).log.messages.has(seq))
      await ask(id, { before: seq + pageSize / 2, limit: pageSize });
  } catch (error) {
    change(id, { error });
  }
  const isFound = conversationRoom(id).log.messages.has(seq);
  if (isFound) change(id, { anchor: seq });
  return isFound;
}

export async function goToNewest(id: string): Promise<void> {
  const { log } = conversationRoom(id);
  const newest = messagesAround(log, null);
  // A message that was just sent may be alone there: load the messages above it first.
  if (newest.length >= pageSize / 2 || newest[0]?.seq === 1) {
    change(id, { anchor: log.lastSeq });
    return;
  }
  try {
    const page = await ask(id, { limit: pageSize });
    const last = page?.items.at(-1)?.seq;
    if (last) change(id, { anchor: last });
  } catch (error) {
    change(id, newest.length > 0 ? { error, anchor: log.lastSeq } : { error });
  }
}

export function storeMessages(id: string, items: readonly Message[]): void {
  const room = conversationRoom(id);
  const log = mergeMessages(room.log, items);
  if (log === room.log) return;
  change(id, { log });
  storeSoon(id);
}

export const isBehind = (id: string, rev: number): boolean =>
  (syncedRev(conversationRoom(id).log) ?? -1) < rev;

/** Stores the last messages of open work's conversations, for reading offline. */
export async function storeRecent(
  listed: readonly Pick<Conversation, 'id' | 'rev' | 'readOnlyAt'>[],
): Promise<void> {
  const account = owner;
  const open = listed
    .filter(({ readOnlyAt }) => readOnlyAt === null)
    .slice(0, talkLimits.recentConversations);
  await Promise.all(open.map(({ id }) => restore(id)));
  const isNew = ({ id }: { id: string }) => conversationRoom(id).log.base === null;
  const existing = open.filter((conversation) => !isNew(conversation));
  if (open.some(isNew)) {
    const { items } = await readRecent();
    if (account !== owner) return;
    for (const { conversationId: id, ...response } of items) {
      // A conversation that was opened in the meantime already has more messages.
      if (!isNew({ id }) || opening.has(id)) continue;
      const page: ChatPage = { ...(response as Omit<ChatPage, 'since'>), since: null };
      change(id, { log: mergePage(conversationRoom(id).log, page), updatedAt: Date.now() });
      storeSoon(id);
    }
  }
  for (const { id, rev } of existing) if (account === owner && isBehind(id, rev)) await fillRoom(id);
}
