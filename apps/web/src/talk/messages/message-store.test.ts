import type { Message } from '@nearhand/contract/talk/messages';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sampleMessage } from '../conversations/conversations.fixtures.ts';
import {
  type ChatLog,
  type ChatPage,
  emptyLog,
  mergeMessages,
  mergePage,
  messagesAround,
  syncedRev,
  tailOf,
} from './message-store.rules.ts';

/** A server's conversation: each change takes the next revision; `at` returns its state at a revision. */
function server(changes: readonly ('send' | number)[]) {
  const versions: Message[] = [];
  let last = 0;
  for (const [index, change] of changes.entries()) {
    const rev = index + 1;
    if (change === 'send' || last === 0) {
      last += 1;
      versions.push(sampleMessage(last, { rev }));
    } else {
      const seq = (change % last) + 1;
      versions.push(sampleMessage(seq, { rev, body: `edited at ${rev}` }));
    }
  }
  const at = (rev: number) => {
    const now = new Map<number, Message>();
    for (const version of versions.slice(0, rev)) now.set(version.seq, version);
    return now;
  };
  const lastSeqAt = (rev: number) => Math.max(0, ...at(rev).keys());
  return {
    rev: versions.length,
    newest: () => [...at(versions.length).values()].sort((a, b) => a.seq - b.seq),
    before(place: number | null, limit: number, rev: number): ChatPage {
      const all = [...at(rev).values()].sort((a, b) => a.seq - b.seq);
      const listed = place === null ? all : all.filter(({ seq }) => seq < place);
      const items = listed.slice(-limit);
      return { since: null, items, more: listed.length > items.length, rev, lastSeq: lastSeqAt(rev) };
    },
    since(from: number, limit: number, rev: number): ChatPage {
      const changed = [...at(rev).values()]
        .filter((message) => message.rev > from)
        .sort((a, b) => a.rev - b.rev);
      const items = changed.slice(0, limit);
      return { since: from, items, more: changed.length > limit, rev, lastSeq: lastSeqAt(rev) };
    },
  };
}

const changes = fc.array(fc.oneof(fc.constant<'send'>('send'), fc.nat(50)), { minLength: 1, maxLength: 60 });
const order = (length: number) => fc.shuffledSubarray([...Array(length).keys()], { minLength: length });
const words = (messages: readonly Message[]) => messages.map(({ seq, rev, body }) => `${seq} ${rev} ${body}`);
const all = (log: ChatLog, pages: readonly ChatPage[]) => pages.reduce(mergePage, log);

/** Fetches as the app does, against the server's final state, until nothing is missing. */
function caughtUp(log: ChatLog, from: ReturnType<typeof server>, limit: number): ChatLog {
  let now = syncedRev(log) === null ? mergePage(log, from.before(null, limit, from.rev)) : log;
  for (let rounds = 0; rounds < 1_000; rounds += 1) {
    const rev = syncedRev(now) ?? 0;
    const page = from.since(rev, limit, from.rev);
    now = mergePage(now, page);
    if (!page.more) break;
  }
  for (let rounds = 0; rounds < 1_000; rounds += 1) {
    const first = messagesAround(now, null)[0]?.seq ?? now.lastSeq + 1;
    if (first <= 1) break;
    now = mergePage(now, from.before(first, limit, from.rev));
  }
  return now;
}

describe('the log of a conversation', () => {
  it("ends like the server's, for any pages before, in any order, twice or never", () => {
    fc.assert(
      fc.property(
        changes,
        fc.array(
          fc.record({
            since: fc.boolean(),
            at: fc.nat(),
            from: fc.nat(),
            limit: fc.integer({ min: 1, max: 8 }),
          }),
          {
            maxLength: 12,
          },
        ),
        fc.integer({ min: 1, max: 9 }),
        fc.nat(),
        (history, requests, limit, cut) => {
          const theirs = server(history);
          const pages = requests.map((request) => {
            const rev = request.at % (theirs.rev + 1);
            return request.since
              ? theirs.since(request.from % (rev + 1), request.limit, rev)
              : theirs.before(
                  request.from % 3 === 0 ? null : (request.from % (theirs.rev + 2)) + 1,
                  request.limit,
                  rev,
                );
          });
          const some = [...pages, ...pages.slice(cut % (pages.length + 1))];
          const done = caughtUp(all(emptyLog, some), theirs, limit);
          expect(words(messagesAround(done, null))).toEqual(words(theirs.newest()));
          expect(syncedRev(done)).toBe(theirs.rev);
        },
      ),
    );
  });

  it('is the same for the same pages in any order', () => {
    fc.assert(
      fc.property(
        changes,
        fc.nat(),
        fc.integer({ min: 1, max: 7 }).chain((limit) => order(12).map((places) => ({ limit, places }))),
        (history, cut, { limit, places }) => {
          const theirs = server(history);
          const pages = places.map((place, index) => {
            const rev = (cut * (index + 1)) % (theirs.rev + 1);
            return place % 2 === 0
              ? theirs.since(place % (rev + 1), limit, rev)
              : theirs.before(place % 4 === 1 ? null : place, limit, rev);
          });
          const forth = all(emptyLog, pages);
          const back = all(emptyLog, [...pages].reverse());
          const sorted = (log: ChatLog) => ({
            ...log,
            known: [...log.messages].sort(([a], [b]) => a - b),
          });
          expect(sorted(back)).toEqual(sorted(forth));
          expect(sorted(all(forth, pages))).toEqual(sorted(forth));
        },
      ),
    );
  });

  it('never shows a gap, a duplicate or an older version', () => {
    fc.assert(
      fc.property(
        changes,
        fc.nat(),
        fc.integer({ min: 1, max: 6 }),
        fc.nat(),
        (history, at, limit, anchor) => {
          const theirs = server(history);
          const log = all(emptyLog, [
            theirs.before(null, limit, at % (theirs.rev + 1)),
            theirs.since(at % 7, limit, theirs.rev),
            theirs.before((anchor % 20) + 1, limit, theirs.rev),
          ]);
          const messages = messagesAround(log, anchor % 3 === 0 ? null : (anchor % 30) + 1);
          for (const [index, message] of messages.entries())
            expect(message.seq).toBe((messages[0]?.seq ?? 0) + index);
        },
      ),
    );
  });

  it("doesn't skip a change that a page of changes jumped over", () => {
    const log = mergePage(emptyLog, {
      since: null,
      items: [sampleMessage(1)],
      more: false,
      rev: 1,
      lastSeq: 1,
    });
    const jumped = mergePage(log, {
      since: 3,
      items: [sampleMessage(3, { rev: 4 })],
      more: false,
      rev: 4,
      lastSeq: 3,
    });
    expect(syncedRev(jumped)).toBe(1);
    expect(words(messagesAround(jumped, 1))).toEqual(['1 1 Message 1']);
    const filled = mergePage(jumped, {
      since: 1,
      items: [sampleMessage(2, { rev: 2 }), sampleMessage(1, { rev: 3, body: 'edited' })],
      more: false,
      rev: 3,
      lastSeq: 2,
    });
    expect(syncedRev(filled)).toBe(4);
    expect(words(messagesAround(filled, null))).toEqual(['1 3 edited', '2 2 Message 2', '3 4 Message 3']);
  });

  it("applies a write's response without skipping other people's writes", () => {
    const log = mergePage(emptyLog, {
      since: null,
      items: [sampleMessage(1)],
      more: false,
      rev: 1,
      lastSeq: 1,
    });
    const sent = mergeMessages(log, [sampleMessage(3)]);
    expect(syncedRev(sent)).toBe(1);
    expect(sent.lastSeq).toBe(3);
    expect(mergeMessages(sent, [sampleMessage(3)])).toBe(sent);
  });

  it('keeps its newest part', () => {
    const items = [1, 2, 3, 4].map((seq) => sampleMessage(seq));
    const log = mergePage(emptyLog, { since: null, items, more: false, rev: 4, lastSeq: 4 });
    expect(tailOf(log, 2)).toEqual({ items: items.slice(2), rev: 4 });
    expect(tailOf(emptyLog, 2)).toBeNull();
  });
});
