import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { setOnline } from '../../../test/device.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { sampleConversation, sampleMessage } from '../conversations/conversations.fixtures.ts';
import { Composer } from './composer.tsx';

const editMessage = vi.hoisted(() => vi.fn());
vi.mock('../messages/messages.api.ts', () => ({ editMessage, sendMessage: vi.fn() }));
vi.mock(
  '../../lib/device/indexed-db-store.ts',
  () => import('../../lib/device/indexed-db-store.fixtures.ts'),
);

it('Enter saves an edit, but not offline', async () => {
  const message = { ...sampleMessage(7), body: 'See you at nine' };
  editMessage.mockResolvedValue(message);
  const onWriting = vi.fn();
  const none = vi.fn();
  const { api } = renderPart(
    <Composer
      conversation={sampleConversation()}
      writing={{ kind: 'edit', message }}
      onWriting={onWriting}
      onUp={none}
      onBack={none}
      onSent={none}
      quiet={false}
    />,
    { session: 'worker', api: { 'conversations.quickReplies': { items: [] } } },
  );
  const field = screen.getByRole<HTMLTextAreaElement>('textbox');
  await waitFor(() => expect(field.value).toBe('See you at nine'));
  const enter = () => fireEvent.keyDown(field, { key: 'Enter', ctrlKey: true });
  act(() => setOnline(api, false));
  enter();
  expect(editMessage).not.toHaveBeenCalled();
  expect(field.value).toBe('See you at nine');
  act(() => setOnline(api, true));
  enter();
  await waitFor(() => expect(onWriting).toHaveBeenCalledWith({ kind: 'new' }));
  expect(editMessage).toHaveBeenCalledTimes(1);
});

it.each([false, true])('warns about pay outside Nearhand while typing, with hired: %s', async (hired) => {
  const none = vi.fn();
  renderPart(
    <Composer
      conversation={sampleConversation({ hired })}
      writing={{ kind: 'edit', message: { ...sampleMessage(7), body: 'Pay me outside' } }}
      onWriting={none}
      onUp={none}
      onBack={none}
      onSent={none}
      quiet={false}
    />,
    { session: 'worker', api: { 'conversations.quickReplies': { items: [] } } },
  );
  expect(await screen.findByText(/^This is about paying outside Nearhand/)).toBeTruthy();
});
