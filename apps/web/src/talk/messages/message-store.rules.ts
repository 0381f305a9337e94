import type { Message } from '@nearhand/contract/talk/messages';

/** The known part of a conversation (ADR 100). Pages may arrive in any order, twice, or not at all. */
export type ChatLog = {
  messages: ReadonlyMap<number, Message>;
  /** The revision of its oldest page; null while nothing is known. Later changes are fetched by `since`. */
  base: number | null;
  /** Ranges of revisions whose changes are all in `known`: after `from`, up to `to`. Disjoint and sorted. */
  spans: readonly Span[];
  /** The highest `seq` in any page or message. */
  lastSeq: number;
};
type Span = { from: number; to: number };

/** A response of `conversations.messages`: `since` is null for a page by `seq`. */
export type ChatPage = {
  since: number | null;
  items: readonly Message[];
  more: boolean;
  rev: number;
  lastSeq: number;
};

export const emptyLog: ChatLog = { messages: new Map(), base: null, spans: [], lastSeq: 0 };

function newerMessage(before: Message | undefined, now: Message): Message {
  if (before === undefined || now.rev > before.rev) return now;
  return before;
}

function withMessages(
  messages: ReadonlyMap<number, Message>,
  items: readonly Message[],
): ReadonlyMap<number, Message> {
  let next: Map<number, Message> | null = null;
  for (const item of items) {
    const before = (next ?? messages).get(item.seq);
    const newest = newerMessage(before, item);
    if (newest === before) continue;
    next ??= new Map(messages);
    next.set(item.seq, newest);
  }
  return next ?? messages;
}

function withSpan(spans: readonly Span[], newSpan: Span): readonly Span[] {
  if (newSpan.to <= newSpan.from) return spans;
  const sorted = [...spans, newSpan].sort((a, b) => a.from - b.from || a.to - b.to);
  const joined: Span[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

/** The last revision that a page of changes covers: its last item's if more follow, otherwise its own. */
const coveredRevision = (page: ChatPage): number =>
  page.more ? Math.max(page.since ?? 0, ...page.items.map(({ rev }) => rev)) : page.rev;

/** Merges a page. Merging is commutative and idempotent. */
export function mergePage(log: ChatLog, page: ChatPage): ChatLog {
  const messages = withMessages(log.messages, page.items);
  const lastSeq = Math.max(log.lastSeq, page.lastSeq, ...page.items.map(({ seq }) => seq));
  // A page is a snapshot at its revision, so all changes after the oldest page's revision must be fetched.
  const base = Math.min(log.base ?? page.rev, page.rev);
  const spans =
    page.since === null ? log.spans : withSpan(log.spans, { from: page.since, to: coveredRevision(page) });
  return { messages, base, spans, lastSeq };
}

/** Merges the results of a send, an edit or a reaction. Other changes are still to be fetched. */
export function mergeMessages(log: ChatLog, items: readonly Message[]): ChatLog {
  const messages = withMessages(log.messages, items);
  const lastSeq = Math.max(log.lastSeq, ...items.map(({ seq }) => seq));
  const base = Math.min(log.base ?? Number.POSITIVE_INFINITY, ...items.map(({ rev }) => rev));
  const isSame = messages === log.messages && lastSeq === log.lastSeq && base === log.base;
  return isSame || items.length === 0 ? log : { ...log, messages, lastSeq, base };
}

/**
 * The revision up to which all changes of known messages are merged, for the next `since`. Null before the first
 * page.
 */
export function syncedRev(log: ChatLog): number | null {
  if (log.base === null) return null;
  let rev = log.base;
  for (const span of log.spans) if (span.from <= rev) rev = Math.max(rev, span.to);
  return rev;
}

/** The contiguous messages around `anchor`, a `seq`, oldest first; empty if it is unknown. `null`: the newest. */
export function messagesAround(log: ChatLog, anchor: number | null): readonly Message[] {
  const center = anchor === null ? log.lastSeq : Math.min(anchor, log.lastSeq);
  const start = log.messages.get(center);
  if (!start) return [];
  const before: Message[] = [];
  for (
    let seq = center - 1, message = log.messages.get(seq);
    message;
    seq -= 1, message = log.messages.get(seq)
  )
    before.push(message);
  const list = before.reverse();
  list.push(start);
  for (
    let seq = center + 1, message = log.messages.get(seq);
    message;
    seq += 1, message = log.messages.get(seq)
  )
    list.push(message);
  return list;
}

/** The newest contiguous messages, up to a number, to store on the device. */
export function tailOf(log: ChatLog, max: number): { items: readonly Message[]; rev: number } | null {
  const rev = syncedRev(log);
  const items = messagesAround(log, null).slice(-max);
  return rev === null || items.length === 0 ? null : { items, rev };
}

/** Beyond this many changes, fetching them all takes longer than starting from the newest page. */
const tooManyMissed = 1_000;

export const isFarBehind = (since: number, rev: number): boolean => rev - since > tooManyMissed;
