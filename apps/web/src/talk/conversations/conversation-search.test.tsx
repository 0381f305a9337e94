import { i18n } from '@lingui/core';
import { I18nProvider } from '@lingui/react';
import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { queryClient } from '../../lib/api/query.ts';
import { ConversationList } from './conversation-list.tsx';

vi.mock('./conversations.api.ts', () => ({
  myConversations: () => ({ queryKey: ['conversations'] }),
  useConversations: () => ({ data: undefined, error: null, fetchStatus: 'fetching', refetch: vi.fn() }),
}));

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));
afterEach(() => {
  cleanup();
  queryClient.clear();
});

it('has a button to clear the search, and keeps the focus in the field', () => {
  render(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter>
          <ConversationList current={null} pathOf={(id) => `/chat?c=${id}`} replace={false} />
        </MemoryRouter>
      </QueryClientProvider>
    </I18nProvider>,
  );
  // happy-dom doesn't support `search`, so React warns once.
  vi.mocked(console.error).mockClear();
  const field = screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search in messages' });
  expect(screen.queryByRole('button', { name: 'Clear the search' })).toBeNull();
  fireEvent.change(field, { target: { value: 'terrace' } });
  fireEvent.click(screen.getByRole('button', { name: 'Clear the search' }));
  expect(field.value).toBe('');
  expect(document.activeElement).toBe(field);
});
