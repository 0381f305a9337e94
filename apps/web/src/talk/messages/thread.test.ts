import { i18n } from '@lingui/core';
import type { SystemLine } from '@nearhand/contract/talk/messages';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  chatRecordPath,
  closedConversationText,
  lastLine,
  personOf,
  presenceText,
} from '../conversations/conversation.labels.ts';
import { sampleConversation, sampleId, sampleMessage } from '../conversations/conversations.fixtures.ts';
import { fileProblem } from '../outbox/composer-files.tsx';
import type { Outgoing } from '../outbox/outbox.rules.ts';
import { isNearlyAlike, suggestedReplies } from '../outbox/ready-sentences.ts';
import { messageLine, systemIcon, systemText } from './message.labels.ts';
import { deliveryOf, isShallowEqual, textPieces, threadItems } from './thread.rules.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const me = sampleId(9);
const mine = { accountId: me, side: 'worker' as const, name: 'Leila Haddad', photoPath: null };
const waiting = (clientId: string, at: string): Outgoing => ({
  clientId,
  conversationId: sampleId(1),
  body: 'later',
  replyTo: null,
  files: [],
  at,
  refusal: null,
});
const items = (change: Partial<Parameters<typeof threadItems>[0]>) =>
  threadItems({
    messages: [],
    outgoing: [],
    me,
    readSeq: null,
    atEnd: true,
    wroteHere: false,
    dayOf: (at) => at.slice(0, 10),
    ...change,
  });

describe('the lines of a conversation', () => {
  it("show each day once, group one person's consecutive messages, and keep system lines separate", () => {
    const lines = items({
      messages: [
        sampleMessage(1, { at: '2026-11-20T09:00:00Z' }),
        sampleMessage(2, { at: '2026-11-20T09:01:00Z' }),
        sampleMessage(3, { at: '2026-11-20T09:30:00Z' }),
        sampleMessage(4, { kind: 'system', from: null, at: '2026-11-20T09:31:00Z' }),
        sampleMessage(5, { at: '2026-11-21T08:00:00Z' }),
      ],
    });
    expect(lines.map(({ day, first, last }) => [day, first, last])).toEqual([
      ['2026-11-20', true, false],
      [null, false, true],
      [null, true, true],
      [null, true, true],
      ['2026-11-21', true, true],
    ]);
  });

  it('stay the same when a message is written, except the line above it', () => {
    const messages = [1, 2, 3].map((seq) =>
      sampleMessage(seq, { from: mine, at: `2026-11-20T09:0${seq}:00Z` }),
    );
    const before = items({ messages });
    const after = items({ messages, outgoing: [waiting(sampleId(60), '2026-11-20T09:04:00Z')] });
    expect(before.map((line, index) => isShallowEqual(line, after[index] ?? line))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("mark the first unread message of the others, never one's own or a system line", () => {
    const messages = [
      sampleMessage(1),
      sampleMessage(2, { kind: 'system', from: null }),
      sampleMessage(3, { from: mine, clientId: sampleId(50) }),
      sampleMessage(4),
      sampleMessage(5),
    ];
    expect(items({ messages, readSeq: 1 }).map(({ unread }) => unread)).toEqual([
      false,
      false,
      false,
      true,
      false,
    ]);
    expect(items({ messages, readSeq: null }).some(({ unread }) => unread)).toBe(false);
  });

  it('put queued messages below the newest, under their final key, and once only', () => {
    const at = '2026-11-20T09:05:00Z';
    const arrived = sampleMessage(2, { from: mine, clientId: 'a' });
    const before = items({ messages: [sampleMessage(1)], outgoing: [waiting('a', at), waiting('b', at)] });
    const after = items({
      messages: [sampleMessage(1), arrived],
      outgoing: [waiting('a', at), waiting('b', at)],
    });
    expect(before.map(({ key }) => key)).toEqual(['s1', 'a', 'b']);
    expect(after.map(({ key }) => key)).toEqual(['s1', 'a', 'b']);
    expect(items({ outgoing: [waiting('a', at)], atEnd: false })).toEqual([]);
  });

  it('put messages written at an older part below that, beyond a gap', () => {
    const at = '2026-11-20T09:01:30Z';
    const messages = [sampleMessage(1, { from: mine })];
    const outgoing = [waiting('a', at), waiting('b', at)];
    const apart = items({ messages, outgoing, atEnd: false, wroteHere: true });
    expect(apart.map(({ key, gap, first }) => [key, gap, first])).toEqual([
      ['s1', false, true],
      ['a', true, true],
      ['b', false, false],
    ]);
    expect(items({ messages, outgoing, wroteHere: true }).some(({ gap }) => gap)).toBe(false);
  });

  it("show the delivery state of one's own messages", () => {
    expect(deliveryOf(3, { deliveredSeq: 2, readSeq: 1 })).toBe('sent');
    expect(deliveryOf(3, { deliveredSeq: 3, readSeq: null })).toBe('delivered');
    expect(deliveryOf(3, { deliveredSeq: 3, readSeq: 3 })).toBe('read');
  });

  it('link only web addresses', () => {
    expect(textPieces('see https://a.example/x, then javascript:alert(1)')).toEqual([
      { text: 'see ', href: null },
      { text: 'https://a.example/x', href: 'https://a.example/x' },
      { text: ', then javascript:alert(1)', href: null },
    ]);
    expect(textPieces('<b>no</b> https://')).toEqual([{ text: '<b>no</b> https://', href: null }]);
  });
});

describe('the words of chat', () => {
  it('describe a line differently to each side', () => {
    const line = { line: 'offer-sent' as const, data: { amountMinor: 13_600, currency: 'EUR' } };
    expect(systemText(line, sampleConversation())).toBe('Kopi & Crumb offers you €136');
    expect(systemText(line, sampleConversation({ side: 'business' }))).toBe('You made an offer');
    expect(systemText({ line: 'work-approved', data: {} }, sampleConversation())).toBe(
      'The work was approved',
    );
  });

  it("have text for a newer server's line", () => {
    const line = 'sang-a-song' as SystemLine;
    expect(systemText({ line, data: {} }, sampleConversation())).toBe('Something changed');
    expect(systemIcon(line)).toBe('info');
  });

  it('show the last writer, and a placeholder for a message without text', () => {
    const own = sampleConversation({ last: sampleMessage(3, { from: { ...mine } }) });
    expect(lastLine(own, me)).toEqual({ who: 'You', text: 'Message 3' });
    expect(lastLine(sampleConversation(), me)).toEqual({ who: 'Nadia', text: 'Message 3' });
    expect(messageLine({ body: '', files: [], redactedAt: '2026-11-20T09:00:00Z' })).toBe('Message deleted');
  });

  it('show why nothing can be written', () => {
    expect(closedConversationText(sampleConversation())).toBeNull();
    expect(closedConversationText(sampleConversation({ state: 'blocked', blockedBy: 'you' }))).toContain(
      'You blocked Kopi & Crumb',
    );
    expect(closedConversationText(sampleConversation({ state: 'read_only' }))).toContain('30 days');
  });

  it("keep the business's contact while others write after them", () => {
    const messages = new Map([[2, sampleMessage(2)]]);
    const answered = sampleConversation({ last: sampleMessage(3, { from: mine }) });
    expect(personOf(answered, messages)).toBe('Nadia Rahmani');
    expect(personOf(answered, new Map())).toBeNull();
    expect(personOf(sampleConversation(), new Map())).toBe('Nadia Rahmani');
    expect(personOf(sampleConversation({ side: 'business' }), messages)).toBeNull();
  });

  it("link a business to that job's applicant", () => {
    const conversation = sampleConversation({ side: 'business' });
    expect(chatRecordPath(conversation, true)).toBe(
      `/job-applicants/${conversation.job.id}?applicant=${conversation.applicationId}`,
    );
    expect(chatRecordPath(conversation, false)).toBe(
      `/worker-details/${conversation.worker.id}?application=${conversation.applicationId}`,
    );
  });

  it("offer no quick reply that repeats one's own", () => {
    expect(isNearlyAlike('Could you start half an hour earlier?', 'Could you start a little earlier?')).toBe(
      true,
    );
    expect(isNearlyAlike('I am on my way!', "I'm on my way.")).toBe(true);
    expect(isNearlyAlike('Please come to the side entrance.', 'Please ring the bell when you arrive.')).toBe(
      false,
    );
    expect(isNearlyAlike('شكرا', 'What should I bring?')).toBe(false);
  });

  it('offer replies that fit the latest step', () => {
    const words = (side: 'worker' | 'business', hired: boolean, ...lines: SystemLine[]) => {
      const messages = lines.map((line, at) =>
        sampleMessage(at + 1, { kind: 'system', from: null, system: { line, data: {}, path: null } }),
      );
      return suggestedReplies(
        { side, hired },
        new Map(messages.map((message) => [message.seq, message])),
      ).join(' ');
    };
    expect(words('worker', true)).toContain("I'm on my way.");
    expect(words('worker', false)).not.toMatch(/on my way|I'll be there/);
    expect(words('business', false)).not.toMatch(/great work|How did it go|ring the bell/);
    expect(words('worker', false, 'applied')).toContain('still open');
    expect(words('worker', false, 'applied', 'interview-scheduled')).not.toContain('still open');
    // A shift of a series was booked in this conversation, which began about another shift.
    expect(words('worker', false, 'applied', 'hired')).toContain("I'm on my way.");
    expect(words('worker', true, 'hired', 'checked-out', 'pay-released')).not.toMatch(/on my way|should I/);
    expect(words('worker', true, 'hired', 'no-show-reported')).not.toMatch(/Thank you|keep me in mind/);
    expect(words('business', false, 'application-ended')).not.toContain('Thank you');
    // Only messages from before the hire are loaded.
    expect(words('worker', true, 'applied')).toContain("I'm on my way.");
    const repliesAfter = (hired: boolean, ...lines: [SystemLine, string][]) =>
      suggestedReplies(
        { side: 'worker', hired },
        new Map(
          lines.map(([line, path], at) => [
            at + 1,
            sampleMessage(at + 1, { kind: 'system', from: null, system: { line, data: {}, path } }),
          ]),
        ),
      );
    for (const line of ['pay-released', 'work-cancelled'] as const)
      expect(repliesAfter(true, ['hired', '/first'], ['hired', '/second'], [line, '/first'])).toContain(
        "I'm on my way.",
      );
    // No shift is booked any more.
    for (const replies of [
      repliesAfter(true, ['hired', '/first'], ['work-day-off', '/first'], ['application-ended', '/job']),
      repliesAfter(false, ['hired', '/first'], ['application-ended', '/job']),
    ])
      expect(replies).not.toContain("I'm on my way.");
  });

  it('show presence only when it is known', () => {
    const now = new Date('2026-11-20T12:00:00Z');
    const knownPresence = { online: false, lastSeenAt: null, repliesInMinutes: null };
    expect(presenceText(knownPresence, now)).toBeNull();
    expect(presenceText({ ...knownPresence, repliesInMinutes: 131 }, now)).toBe('replies in 2\u00a0h');
    expect(presenceText({ ...knownPresence, online: true }, now)).toBe('online');
  });
});

describe('files of a message', () => {
  const file = (change: Partial<{ name: string; size: number; type: string }>) => ({
    name: 'desk.png',
    size: 1_000,
    type: 'image/png',
    ...change,
  });
  it('are rejected before sending, with what to do', () => {
    expect(fileProblem(0, file({}))).toBeNull();
    expect(fileProblem(5, file({}))).toContain('5 files');
    expect(fileProblem(0, file({ size: 50_000_000 }))).toContain('larger than');
    expect(fileProblem(0, file({ type: 'image/svg+xml' }))).toContain('be sent. Send a JPEG');
    expect(fileProblem(0, file({ size: 0 }))).toContain('empty');
  });
});
