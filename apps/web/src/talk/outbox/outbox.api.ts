import { sumOf } from '@nearhand/contract/arithmetic';
/** Every message goes through this queue, in order per conversation (ADR 100). Windows share it; ids deduplicate. */

import type { Message } from '@nearhand/contract/talk/messages';
import { useSyncExternalStore } from 'react';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { canRetry } from '../../lib/device/device-queue.ts';
import { deviceStore } from '../../lib/device/indexed-db-store.ts';
import { isOnline } from '../../lib/device/online.ts';
import { uploadFile } from '../../lib/forms/upload-file.ts';
import { session } from '../../lib/session.ts';
import { createListeners } from '../../lib/store.ts';
import { storeMessages } from '../messages/message-store.api.ts';
import { sendMessage } from '../messages/messages.api.ts';
import { backoffMs, isOutbox, nextToSend, type Outgoing, withChange } from './outbox.rules.ts';

const nothing: readonly Outgoing[] = [];
const { notify, subscribe } = createListeners();
let owner = session.user()?.id ?? null;
let list: readonly Outgoing[] = nothing;
/** File bytes by `fileKey`; read from the device if this window did not choose them. */
const bytes = new Map<string, Blob>();
const progress = new Map<string, number>();
/** Backoff per conversation: its end, the failures in a row, and the condition that ends it. */
const backoffs = new Map<string, { until: number; failures: number; waitsFor: WaitsFor }>();
let wake: ReturnType<typeof setTimeout> | undefined;

const outboxKey = (account: string) => `chat-outbox ${account}`;
const fileKey = (account: string, clientId: string, index: number) =>
  `chat-file ${account} ${clientId} ${index}`;

const show = (next: readonly Outgoing[]) => {
  list = next.length === 0 ? nothing : next;
  notify();
};

export const outgoingMessages = (): readonly Outgoing[] => list;
export const useOutgoing = (): readonly Outgoing[] =>
  useSyncExternalStore(subscribe, outgoingMessages, () => nothing);

/** Upload progress of a message's files, from 0 to 1; null while nothing is being sent. */
export const useSendProgress = (clientId: string): number | null =>
  useSyncExternalStore(
    subscribe,
    () => progress.get(clientId) ?? null,
    () => null,
  );

type WaitsFor = 'connection' | 'server';

/** The reason a conversation's messages are still queued; null during the first attempt. */
export const useWaitsFor = (conversationId: string): WaitsFor | null =>
  useSyncExternalStore(
    subscribe,
    () => backoffs.get(conversationId)?.waitsFor ?? null,
    () => null,
  );

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('nearhand-chat-outbox') : null;
// An open channel would keep Node alive in tests.
(channel as unknown as { unref?: () => void } | null)?.unref?.();
channel?.addEventListener('message', () => void readOutbox());

session.subscribe(() => {
  const now = session.user()?.id ?? null;
  if (now === owner) return;
  owner = now;
  bytes.clear();
  progress.clear();
  backoffs.clear();
  clearTimeout(wake);
  show(nothing);
  void readOutbox();
});

export async function readOutbox(): Promise<void> {
  const account = owner;
  if (account === null) return;
  const storedOutbox = await deviceStore.get<unknown>(outboxKey(account)).catch(() => null);
  if (owner !== account) return;
  readFor = account;
  if (storedOutbox === null) return;
  const storedList = isOutbox(storedOutbox) ? storedOutbox : [];
  // This window's latest messages may not have been stored yet.
  const fresh = list.filter(({ clientId }) => unsavedIds.has(clientId));
  show([...storedList.filter(({ clientId }) => !unsavedIds.has(clientId)), ...fresh]);
}
let readFor: string | null = null;
const unsavedIds = new Set<string>();

/** Changes the list here at once and on the device atomically. Returns whether the device stored it. */
async function editStored(
  account: string,
  edit: (before: readonly Outgoing[]) => Outgoing[],
): Promise<boolean> {
  if (account !== owner) return false;
  show(edit(list));
  try {
    await deviceStore.update<Outgoing[]>(outboxKey(account), (before) =>
      edit(isOutbox(before) ? before : []),
    );
    channel?.postMessage('changed');
    return true;
  } catch {
    return false;
  }
}

export type NewMessage = Pick<Outgoing, 'conversationId' | 'body' | 'replyTo'> & { files: readonly File[] };

/** Queues a message: on screen at once, on the device, then sent. */
export async function postMessage(message: NewMessage): Promise<void> {
  const account = owner;
  if (account === null) return;
  const clientId = crypto.randomUUID();
  const entry: Outgoing = {
    clientId,
    conversationId: message.conversationId,
    body: message.body,
    replyTo: message.replyTo,
    files: message.files.map((file) => ({
      name: file.name,
      mediaType: file.type,
      bytes: file.size,
      stored: null,
    })),
    at: new Date().toISOString(),
    refusal: null,
  };
  for (const [index, file] of message.files.entries()) bytes.set(fileKey(account, clientId, index), file);
  unsavedIds.add(clientId);
  show([...list, entry]);
  const files = message.files.map((file, index) =>
    deviceStore.set(fileKey(account, clientId, index), file).catch(() => undefined),
  );
  const isStored = Promise.all(files).then(() =>
    editStored(account, (before) => [...before.filter((entry) => entry.clientId !== clientId), entry]),
  );
  void isStored.finally(() => unsavedIds.delete(clientId));
  // Files are stored first: their entry must not reappear after the message was sent. Text doesn't wait for
  // the device.
  if (message.files.length > 0) await isStored;
  await sendQueuedMessages();
  await isStored;
}

export async function retryMessage(clientId: string): Promise<void> {
  if (owner === null) return;
  await editStored(owner, (before) => withChange(before, clientId, { refusal: null }));
  await sendQueuedMessages();
}

export async function dropMessage(clientId: string): Promise<void> {
  const account = owner;
  if (account === null) return;
  const cancelled = list.find((entry) => entry.clientId === clientId);
  await editStored(account, (before) => withChange(before, clientId, null));
  for (const index of cancelled?.files.keys() ?? []) {
    bytes.delete(fileKey(account, clientId, index));
    await deviceStore.del(fileKey(account, clientId, index)).catch(() => undefined);
  }
}

export async function outgoingFile(clientId: string, index: number): Promise<Blob | null> {
  const account = owner;
  if (account === null) return null;
  const key = fileKey(account, clientId, index);
  const here = bytes.get(key);
  if (here) return here;
  const blob = await deviceStore.get<Blob>(key).catch(() => undefined);
  if (blob) bytes.set(key, blob);
  return blob ?? null;
}

let running: Promise<void> | null = null;
let isRetryNeeded = false;

/** Sends what can be sent. Calls in the meantime make it check once more. Never rejects. */
function sendQueuedMessages(): Promise<void> {
  isRetryNeeded = true;
  running ??= (async () => {
    try {
      while (isRetryNeeded) {
        isRetryNeeded = false;
        await runInOneWindow(sendAll);
      }
    } finally {
      // Cleared before the promise settles, because a call in between would wait for a finished run.
      running = null;
    }
  })();
  return running;
}

/** Runs in one window at a time, if the browser supports locks. */
async function runInOneWindow(run: () => Promise<void>): Promise<void> {
  const locks = globalThis.navigator?.locks;
  if (!locks) return run();
  await locks.request('nearhand-chat-outbox', run);
}

async function sendAll(): Promise<void> {
  const account = owner;
  if (account === null || !isOnline()) return;
  // A list with this window's latest message is current (`channel`), so reading it again would only delay.
  if (unsavedIds.size === 0 || readFor !== account) await readOutbox();
  const resting = (conversationId: string) => (backoffs.get(conversationId)?.until ?? 0) > Date.now();
  for (let entry = nextToSend(list, resting); entry; entry = nextToSend(list, resting)) {
    try {
      const message = await send(account, entry);
      backoffs.delete(entry.conversationId);
      if (account !== owner) return;
      storeMessages(entry.conversationId, [message]);
      await dropMessage(entry.clientId);
    } catch (error) {
      if (account !== owner) return;
      if (canRetry(error) || isApiError(error, 'chat/too-fast')) backOff(entry.conversationId, error);
      else
        await editStored(account, (before) =>
          withChange(before, entry.clientId, {
            refusal: isApiError(error) ? error.code : 'request/internal',
          }),
        );
    } finally {
      progress.delete(entry.clientId);
    }
  }
  wakeUp();
}

function backOff(conversationId: string, error: unknown): void {
  const failures = (backoffs.get(conversationId)?.failures ?? 0) + 1;
  const slowed = isApiError(error, 'chat/too-fast', 'request/too-many');
  const seconds = (slowed && error.data?.retryAfterSeconds) || null;
  const until = Date.now() + backoffMs(failures, seconds === null ? null : seconds * 1_000, Math.random());
  const waitsFor = isNetworkError(error) ? 'connection' : 'server';
  backoffs.set(conversationId, { until, failures, waitsFor });
  if (waitsFor === 'connection')
    for (const entry of list)
      if (entry.refusal === null) backoffs.set(entry.conversationId, { until, failures, waitsFor });
  notify();
}

function wakeUp(): void {
  clearTimeout(wake);
  const waiting = list.filter((entry) => entry.refusal === null).map(({ conversationId }) => conversationId);
  if (waiting.length === 0) return;
  const next = Math.min(...waiting.map((id) => backoffs.get(id)?.until ?? 0));
  wake = setTimeout(() => void sendQueuedMessages(), Math.max(250, next - Date.now()));
}

export function retryOutbox(): Promise<void> {
  for (const [id, before] of backoffs) backoffs.set(id, { ...before, until: 0 });
  return sendQueuedMessages();
}

async function send(account: string, entry: Outgoing): Promise<Message> {
  const { clientId, conversationId, body, replyTo } = entry;
  const totalBytes = sumOf(entry.files, (file) => file.bytes);
  let before = 0;
  const fileIds: string[] = [];
  for (const [index, file] of entry.files.entries()) {
    let { stored } = file;
    if (stored === null) {
      const blob = await outgoingFile(clientId, index);
      if (blob === null) continue;
      const uploadedCount = before;
      stored = await uploadFile({
        purpose: 'chat',
        file: blob,
        name: file.name,
        idempotencyKey: `${clientId}-${index}`,
        onProgress: (share) => {
          progress.set(clientId, (uploadedCount + share * file.bytes) / Math.max(1, totalBytes));
          notify();
        },
      });
      const storedFile = stored;
      await editStored(account, (all) =>
        all.map((entry) =>
          entry.clientId === clientId
            ? {
                ...entry,
                files: entry.files.map((old, at) => (at === index ? { ...old, stored: storedFile } : old)),
              }
            : entry,
        ),
      );
    }
    before += file.bytes;
    fileIds.push(stored.id);
  }
  return sendMessage({
    conversationId,
    clientId,
    body,
    fileIds,
    replyTo: replyTo?.seq,
  });
}

export type { Outgoing };
