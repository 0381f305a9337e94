import type { Message } from '@nearhand/contract/talk/messages';

/**
 * What this device knows of one conversation (ADR 0100). Every page only adds knowledge, so pages may come in any order, twice, or not at all: the newest form of
 * each message by its place, and up to which revision nothing is missed.
 */
export type ChatLog = {
  /** The newest known form of each message by its `seq`. */
  known: ReadonlyMap<number, Message>;
  /** As of which revision the oldest of it was taken; null while nothing is known. What changed after it comes by `since`. */
  base: number | null;
  /** Spans of revisions whose changes are all in `known`: after `from`, up to `to`. Kept apart and in order. */
  spans: readonly Span[];
  /** The newest place anybody told of. */
  lastSeq: number;
};
type Span = { from: number; to: number };

/** An answer of `conversations.messages`: `since` where changes were asked for, null where places were. */
export type ChatPage = {
  since: number | null;
  items: readonly Message[];
  more: boolean;
  rev: number;
  lastSeq: number;
};

export const emptyLog: ChatLog = { known: new Map(), base: null, spans: [], lastSeq: 0 };

/** Of two forms of one message the one of the later change. */
function newer(before: Message | undefined, now: Message): Message {
  if (before === undefined || now.rev > before.rev) return now;
  return before;
}

function withMessages(
  known: ReadonlyMap<number, Message>,
  items: readonly Message[],
): ReadonlyMap<number, Message> {
  let next: Map<number, Message> | null = null;
  for (const item of items) {
    const before = (next ?? known).get(item.seq);
    const kept = newer(before, item);
    if (kept === before) continue;
    next ??= new Map(known);
    next.set(item.seq, kept);
  }
  return next ?? known;
}

function withSpan(spans: readonly Span[], added: Span): readonly Span[] {
  if (added.to <= added.from) return spans;
  const sorted = [...spans, added].sort((a, b) => a.from - b.from || a.to - b.to);
  const joined: Span[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last && span.from <= last.to) last.to = Math.max(last.to, span.to);
    else joined.push({ ...span });
  }
  return joined;
}

/** How far a page of changes reaches: to its own end where more follow, else to the revision it was taken at. */
const reach = (page: ChatPage): number =>
  page.more ? Math.max(page.since ?? 0, ...page.items.map(({ rev }) => rev)) : page.rev;

/** Adds what a page says. Pages commute: the same pages in any order, however often, leave the same log. */
export function mergePage(log: ChatLog, page: ChatPage): ChatLog {
  const known = withMessages(log.known, page.items);
  const lastSeq = Math.max(log.lastSeq, page.lastSeq, ...page.items.map(({ seq }) => seq));
  // All of a page is as the server had it at its revision. The oldest of all pages is what later changes have to start from.
  const base = Math.min(log.base ?? page.rev, page.rev);
  const spans = page.since === null ? log.spans : withSpan(log.spans, { from: page.since, to: reach(page) });
  return { known, base, spans, lastSeq };
}

/** Adds single messages: the answer of a send, an edit, a reaction. What else changed meanwhile is still to be asked. */
export function mergeMessages(log: ChatLog, items: readonly Message[]): ChatLog {
  const known = withMessages(log.known, items);
  const lastSeq = Math.max(log.lastSeq, ...items.map(({ seq }) => seq));
  const base = Math.min(log.base ?? Number.POSITIVE_INFINITY, ...items.map(({ rev }) => rev));
  const same = known === log.known && lastSeq === log.lastSeq && base === log.base;
  return same || items.length === 0 ? log : { ...log, known, lastSeq, base };
}

/** Up to which revision every change of what is known has been taken in; null before the first page. The next `since`. */
export function syncedRev(log: ChatLog): number | null {
  if (log.base === null) return null;
  let rev = log.base;
  for (const span of log.spans) if (span.from <= rev) rev = Math.max(rev, span.to);
  return rev;
}

/** The messages around a place without a gap, oldest first; empty where that place is not known. `null`: the newest. */
export function gapless(log: ChatLog, anchor: number | null): readonly Message[] {
  const around = anchor === null ? log.lastSeq : Math.min(anchor, log.lastSeq);
  const start = log.known.get(around);
  if (!start) return [];
  const before: Message[] = [];
  for (let seq = around - 1, one = log.known.get(seq); one; seq -= 1, one = log.known.get(seq))
    before.push(one);
  const list = before.reverse();
  list.push(start);
  for (let seq = around + 1, one = log.known.get(seq); one; seq += 1, one = log.known.get(seq))
    list.push(one);
  return list;
}

/** What to keep on the device: the newest messages without a gap, so many of them. */
export function tailOf(log: ChatLog, most: number): { items: readonly Message[]; rev: number } | null {
  const rev = syncedRev(log);
  const items = gapless(log, null).slice(-most);
  return rev === null || items.length === 0 ? null : { items, rev };
}

/** Beyond this many changes, asking for them all would take longer than starting from the newest page. */
const tooManyMissed = 1_000;

/** Whether what is known is so old that it is better forgotten: what the first answer since then says of how much has changed. */
export const isFarBehind = (since: number, rev: number): boolean => rev - since > tooManyMissed;
