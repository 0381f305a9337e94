import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { setOnline } from '../../../test/device.ts';
import { leila } from '../../../test/people.fixtures.ts';
import { renderPart } from '../../../test/render-part.tsx';
import { queryClient } from '../../lib/api/query.ts';
import { deviceStore } from '../../lib/device/indexed-db-store.ts';
import { ConversationRow } from '../conversations/conversation-row.tsx';
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

describe('the files of a message', () => {
  const none = vi.fn();
  const conversation = sampleConversation();
  const user = { session: 'worker' as const, api: { 'conversations.quickReplies': { items: [] } } };
  const openComposer = () =>
    renderPart(
      <>
        <ConversationRow
          conversation={conversation}
          match={null}
          sought=""
          current={false}
          to="/chat"
          replace={false}
        />
        <div className="chat-room">
          <Composer
            conversation={conversation}
            writing={{ kind: 'new' }}
            onWriting={none}
            onUp={none}
            onBack={none}
            onSent={none}
            quiet={false}
          />
        </div>
      </>,
      user,
    );
  const file = (name: string, type = 'application/pdf', content = '%PDF-1.7 1 0 obj %%EOF') =>
    new File([content], name, { type });
  const paste = (...files: File[]) =>
    fireEvent.paste(screen.getByRole('textbox'), { clipboardData: { files } });
  const named = () =>
    screen.queryAllByRole('button', { name: /^Remove / }).map((button) => button.getAttribute('aria-label'));
  const row = () => screen.getByRole('link').textContent;

  it('are added to those that the device stored, and named in the list as a draft until removed', async () => {
    await deviceStore.set(`chat-chosen ${leila.id} ${conversation.id}`, [file('cv.pdf')]);
    openComposer();
    paste(file('menu.pdf'));
    await waitFor(() => expect(named()).toEqual(['Remove cv.pdf', 'Remove menu.pdf']));
    await waitFor(() => expect(row()).toContain('Draft:cv.pdf, menu.pdf'));
    cleanup();
    queryClient.clear();
    openComposer();
    await waitFor(() => expect(named()).toEqual(['Remove cv.pdf', 'Remove menu.pdf']));
    for (const name of ['cv.pdf', 'menu.pdf'])
      fireEvent.click(screen.getByRole('button', { name: `Remove ${name}` }));
    await waitFor(() => expect(row()).not.toContain('Draft'));
  });

  it('are stored only once a picture was opened', async () => {
    let refusePicture = () => {};
    vi.stubGlobal(
      'createImageBitmap',
      () => new Promise((_resolve, reject) => (refusePicture = () => reject(new Error('damaged')))),
    );
    const stores = vi.spyOn(deviceStore, 'set');
    openComposer();
    await act(async () => {});
    paste(file('desk.png', 'image/png'));
    await waitFor(() => expect(named()).toEqual(['Remove desk.png']));
    refusePicture();
    expect(await screen.findByText(/desk.png: This picture can't be opened/)).toBeTruthy();
    expect(named()).toEqual([]);
    expect(stores).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });

  it('are never stored if they are damaged documents', async () => {
    const stores = vi.spyOn(deviceStore, 'set');
    stores.mockClear();
    openComposer();
    await act(async () => {});
    paste(file('cv.pdf', 'application/pdf', '%PDF-1.7 1 0 obj'));
    expect(await screen.findByText(/cv.pdf: This file can't be opened/)).toBeTruthy();
    expect(named()).toEqual([]);
    expect(stores).not.toHaveBeenCalled();
  });
});
