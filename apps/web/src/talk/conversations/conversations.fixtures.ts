import { minuteMs } from '@nearhand/contract/durations';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';

export const sampleId = (number: number): string =>
  `019aa000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const sampleConversationId = sampleId(1);

export function sampleMessage(seq: number, change: Partial<Message> = {}): Message {
  return {
    id: sampleId(10_000 + seq),
    conversationId: sampleConversationId,
    seq,
    rev: seq,
    kind: 'text',
    from: { accountId: sampleId(2), side: 'business', name: 'Nadia Rahmani', photoPath: null },
    clientId: null,
    body: `Message ${seq}`,
    system: null,
    files: [],
    replyTo: null,
    reactions: [],
    warnings: [],
    editedAt: null,
    redactedAt: null,
    at: new Date(Date.parse('2026-11-20T09:00:00Z') + seq * minuteMs).toISOString(),
    ...change,
  };
}

export function sampleConversation(change: Partial<Conversation> = {}): Conversation {
  return {
    id: sampleConversationId,
    state: 'active',
    blockedBy: null,
    readOnlyAt: null,
    side: 'worker',
    job: { id: sampleId(3), title: 'Weekend barista', startsAt: null, timeZone: 'Europe/Amsterdam' },
    business: { id: sampleId(4), name: 'Kopi & Crumb', logoPath: null },
    worker: { id: sampleId(5), name: 'Leila Haddad', photoPath: null },
    applicationId: sampleId(6),
    engagementId: null,
    hired: false,
    lastSeq: 3,
    rev: 3,
    readSeq: 3,
    unread: 0,
    muted: false,
    theirs: { deliveredSeq: 3, readSeq: 2 },
    lastSeenAt: null,
    online: false,
    repliesInMinutes: null,
    last: sampleMessage(3),
    lastAt: '2026-11-20T09:03:00.000Z',
    ...change,
  };
}
