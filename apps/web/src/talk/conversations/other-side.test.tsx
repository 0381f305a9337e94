import { cleanup, fireEvent, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render-part.tsx';
import { side } from '../../lib/device/device-setting.ts';
import { OtherSide } from './conversation-list.tsx';
import { sampleConversation } from './conversations.fixtures.ts';

const useConversations = vi.hoisted(() => vi.fn());
vi.mock('./conversations.api.ts', () => ({ useConversations }));

afterEach(() => {
  cleanup();
  side.set('work');
});

const pageWith = (count: number, more: { unread?: number; nextCursor?: string } = {}) =>
  useConversations.mockReturnValue({
    data: {
      pages: [
        {
          items: Array.from({ length: count }, () => sampleConversation()),
          nextCursor: null,
          unread: 0,
          ...more,
        },
      ],
    },
  });
const show = (props: Partial<ComponentProps<typeof OtherSide>> = {}) =>
  renderPart(<OtherSide side="work" search="" unread={false} {...props} />);

it("shows the other side's conversations and unread count, with a link", () => {
  pageWith(3, { unread: 2 });
  show();
  expect(useConversations).toHaveBeenLastCalledWith({ side: 'hire', search: '', unread: false });
  const hint = screen.getByRole('button', { name: /3 conversations under Hire.*2 unread/ });
  fireEvent.click(hint);
  expect(side.get()).toBe('hire');
});

it("shows a search's results there, and that there is more than a page", () => {
  pageWith(20, { nextCursor: 'more' });
  show({ side: 'hire', search: 'apron' });
  expect(useConversations).toHaveBeenLastCalledWith({ side: 'work', search: 'apron', unread: false });
  expect(screen.getByRole('button', { name: '20+ found under Work' })).toBeDefined();
});

it('shows that only unread ones there were counted', () => {
  pageWith(3, { unread: 3 });
  show({ unread: true });
  expect(useConversations).toHaveBeenLastCalledWith({ side: 'hire', search: '', unread: true });
  expect(screen.getByRole('button').textContent).toContain('3 unread under Hire');
  expect(screen.queryByText(/conversations under/)).toBeNull();
});

it('is hidden from users with one side', () => {
  pageWith(0);
  show();
  expect(screen.queryByRole('button')).toBeNull();
});
