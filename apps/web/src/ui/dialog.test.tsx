import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { Link, MemoryRouter, useNavigate } from 'react-router-dom';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Dialog } from './dialog.tsx';

const closed = vi.fn();
let go: ReturnType<typeof useNavigate>;

beforeAll(() => {
  // The test's browser may know no modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.setAttribute('open', '');
  };
});
beforeEach(() => closed.mockClear());
afterEach(cleanup);

function Page({ answers = true, inPage = true }: { answers?: boolean; inPage?: boolean }) {
  const [open, setOpen] = useState(true);
  go = useNavigate();
  const close = () => {
    closed();
    setOpen(false);
  };
  return (
    <div className={inPage ? 'ion-page' : ''} data-testid="page">
      <Dialog open={open} onClose={answers ? close : undefined} className="sheet" label="Sheet">
        <Link to="/work">Open the work</Link>
        <a href="tel:+31">Call</a>
      </Dialog>
    </div>
  );
}
const show = (page: Parameters<typeof Page>[0] = {}) =>
  render(
    <MemoryRouter initialEntries={['/chat', '/chat?c=1']}>
      <Page {...page} />
    </MemoryRouter>,
  );
const shown = () => document.querySelector('dialog')?.open;
const tell = (name: string) => act(() => void screen.getByTestId('page').dispatchEvent(new Event(name)));

it('moves in only once the focus is in it, each time it opens', () => {
  const atFocus: unknown[] = [];
  const opened = vi.spyOn(HTMLDialogElement.prototype, 'showModal').mockImplementation(function (
    this: HTMLDialogElement,
  ) {
    atFocus.push(this.dataset.shown);
    this.setAttribute('open', '');
  });
  const sheet = (open: boolean) => (
    <Dialog open={open} onClose={closed} className="sheet" label="Sheet">
      <button type="button">One</button>
    </Dialog>
  );
  const { rerender } = render(sheet(true));
  expect(screen.getByRole('dialog').dataset.shown).toBe('');
  rerender(sheet(false));
  rerender(sheet(true));
  expect(screen.getByRole('dialog').dataset.shown).toBe('');
  expect(atFocus).toEqual([undefined, undefined]);
  opened.mockRestore();
});

describe('a dialog in a page', () => {
  it('closes when its page leaves', () => {
    show();
    expect(shown()).toBe(true);
    tell('ionViewWillLeave');
    expect(shown()).toBe(false);
    expect(closed).toHaveBeenCalled();
  });

  it('that needs an answer hides with its page and comes back with it', () => {
    show({ answers: false });
    tell('ionViewWillLeave');
    expect(shown()).toBe(false);
    tell('ionViewWillEnter');
    expect(shown()).toBe(true);
  });

  it('closes at a link that leads elsewhere in the app, not at one that calls', () => {
    show();
    fireEvent.click(screen.getByText('Call'));
    expect(shown()).toBe(true);
    fireEvent.click(screen.getByText('Open the work'));
    expect(shown()).toBe(false);
  });

  it('closes at Back, also within one page, and stays when its page only writes its address anew', () => {
    show();
    act(() => go('/chat?c=2', { replace: true }));
    expect(shown()).toBe(true);
    act(() => go(-1));
    expect(shown()).toBe(false);
  });

  it('closes when the address leads to another page; one over the whole app stays', () => {
    show();
    act(() => go('/work'));
    expect(shown()).toBe(false);
    cleanup();
    show({ inPage: false });
    act(() => go('/work'));
    expect(shown()).toBe(true);
  });
});
