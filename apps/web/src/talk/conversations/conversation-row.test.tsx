import { act, cleanup, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { dropDraft, storeDraft } from '../../lib/device/device-draft.ts';
import { messageDraftKey } from './conversation.labels.ts';
import { ConversationRow } from './conversation-row.tsx';
import { sampleConversation, sampleMessage } from './conversations.fixtures.ts';

const waiting = vi.hoisted(() => ({ list: [] as unknown[] }));
vi.mock('../outbox/outbox.api.ts', () => ({ useOutgoing: () => waiting.list }));
vi.mock('./conversations.api.ts', () => ({
  acknowledge: vi.fn().mockResolvedValue({}),
  readMessages: vi.fn(),
}));

afterEach(cleanup);

const conversation = sampleConversation();
const show = (change: Partial<ComponentProps<typeof ConversationRow>> = {}) =>
  renderPart(
    <ConversationRow
      conversation={conversation}
      match={null}
      sought=""
      current={false}
      to={`/chat?c=${conversation.id}`}
      replace={false}
      {...change}
    />,
  );
const text = () => screen.getByRole('link').textContent;

describe('a conversation in the list', () => {
  it('shows the match instead of the newest message, highlighted, with its time', () => {
    const match = sampleMessage(1, { body: 'Bring your own apron please' });
    show({ match, sought: 'APRON' });
    expect(text()).toContain('Nadia:Bring your own apron please');
    expect(text()).not.toContain('Message 3');
    expect(document.querySelector('mark')?.textContent).toBe('apron');
    expect(document.querySelector('time')?.getAttribute('datetime')).toBe(match.at);
  });

  it('names the day of the shift, since two jobs with one person often share a title', () => {
    show({
      conversation: { ...conversation, job: { ...conversation.job, startsAt: '2026-12-05T08:00:00Z' } },
    });
    expect(text()).toMatch(/Weekend barista· .*5/);
  });

  it('shows an unsent message first, for any match', () => {
    waiting.list = [{ conversationId: conversation.id, clientId: 'c', refusal: 'chat/blocked' }];
    show({ match: sampleMessage(1, { body: 'Bring your own apron please' }), sought: 'apron' });
    waiting.list = [];
    expect(text()).toContain("A message wasn't sent");
    expect(text()).not.toContain('apron');
  });

  it('highlights a matching name or job', () => {
    show({ sought: 'barista' });
    expect(document.querySelector('mark')?.textContent).toBe('barista');
    expect(text()).toContain('Message 3');
  });

  it('shows a draft as soon as it is stored, except for the open one', () => {
    show();
    expect(text()).toContain('Message 3');
    act(() => void storeDraft(messageDraftKey(conversation.id), 'Could I come'));
    expect(text()).toContain('Draft:Could I come');
    expect(text()).not.toContain('Message 3');
    cleanup();
    show({ current: true });
    expect(text()).not.toContain('Draft');
    act(() => dropDraft(messageDraftKey(conversation.id)));
  });
});
