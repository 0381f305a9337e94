import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Activity, useState } from 'react';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Link } from '../controls/link.tsx';
import { Dialog } from './dialog.tsx';

const closed = vi.fn();

beforeAll(() => {
  // happy-dom may not support modal dialogs.
  HTMLDialogElement.prototype.showModal ??= function showModal(this: HTMLDialogElement) {
    this.setAttribute('open', '');
  };
});
beforeEach(() => closed.mockClear());
afterEach(cleanup);

function Page({ answers = true }: { answers?: boolean }) {
  const [open, setOpen] = useState(true);
  const close = () => {
    closed();
    setOpen(false);
  };
  return (
    <Dialog open={open} onClose={answers ? close : undefined} className="sheet" label="Sheet">
      <Link to="/work">Open the work</Link>
      <a href="tel:+31">Call</a>
    </Dialog>
  );
}
const app = (page: Parameters<typeof Page>[0], visible: boolean) => (
  <MemoryRouter>
    <Activity mode={visible ? 'visible' : 'hidden'}>
      <div className="page-holder">
        <Page {...page} />
      </div>
    </Activity>
  </MemoryRouter>
);
const show = (page: Parameters<typeof Page>[0] = {}) => {
  const { rerender, unmount } = render(app(page, true));
  return { see: (visible: boolean) => act(() => rerender(app(page, visible))), unmount };
};
const isOpen = () => document.querySelector('dialog')?.open;

it('animates in only once the focus is in it, each time it opens', () => {
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

it('keeps the second press of a double press from what is underneath', () => {
  const pressed = vi.fn();
  const page = (open: boolean) => (
    <>
      <button type="button" onClick={pressed}>
        Under
      </button>
      <Dialog open={open} onClose={closed} className="sheet" label="Sheet">
        <p>inside</p>
      </Dialog>
    </>
  );
  const { rerender } = render(page(true));
  rerender(page(false));
  const under = screen.getByRole('button', { name: 'Under', hidden: true });
  fireEvent.click(under, { detail: 2 });
  expect(pressed).not.toHaveBeenCalled();
  fireEvent.click(under, { detail: 1 });
  expect(pressed).toHaveBeenCalledOnce();
});

describe('where the browser has a scheduler', () => {
  const tasks: (() => void)[] = [];
  const sheet = (open: boolean) => (
    <Dialog open={open} onClose={closed} className="sheet" label="Sheet">
      <p>inside</p>
    </Dialog>
  );
  const runTasks = () => act(() => tasks.splice(0).forEach((task) => void task()));
  const isSeen = () => isOpen() === true && screen.queryByText('inside') !== null;
  beforeEach(() => vi.stubGlobal('scheduler', { postTask: async (task: () => void) => tasks.push(task) }));
  afterEach(() => vi.unstubAllGlobals());

  it('opens in the next task, and closes at once', () => {
    const { rerender } = render(sheet(true));
    expect(isSeen()).toBe(false);
    runTasks();
    expect(isSeen()).toBe(true);
    rerender(sheet(false));
    expect(isOpen()).toBe(false);
    expect(screen.queryByText('inside')).toBeNull();
    rerender(sheet(true));
    expect(isSeen()).toBe(false);
    runTasks();
    expect(isSeen()).toBe(true);
  });

  it("doesn't open if it is closed before", () => {
    const { rerender } = render(sheet(true));
    rerender(sheet(false));
    runTasks();
    expect(isOpen()).toBe(false);
    rerender(sheet(true));
    expect(isSeen()).toBe(false);
  });
});

describe('a dialog in a page', () => {
  it('closes when its page is hidden, and stays closed', () => {
    const { see } = show();
    expect(isOpen()).toBe(true);
    see(false);
    expect(isOpen()).toBe(false);
    expect(closed).toHaveBeenCalledOnce();
    see(true);
    expect(isOpen()).toBe(false);
  });

  it('that requires a response hides with its page and returns with it', () => {
    const { see } = show({ answers: false });
    see(false);
    expect(isOpen()).toBe(false);
    see(true);
    expect(isOpen()).toBe(true);
  });

  it("doesn't report a close when its page unmounts", () => {
    show().unmount();
    expect(closed).not.toHaveBeenCalled();
  });

  it('closes at a link to elsewhere in the app, but not at one that calls', () => {
    show();
    fireEvent.click(screen.getByText('Call'));
    expect(isOpen()).toBe(true);
    fireEvent.click(screen.getByText('Open the work'));
    expect(isOpen()).toBe(false);
  });
});

describe('the focus after a dialog', () => {
  const page = (open: boolean, otherFocus = false) => (
    <div className="page-holder">
      <main>
        <h1>Jobs</h1>
        {otherFocus ? <input aria-label="Search" /> : null}
      </main>
      <Dialog open={open} onClose={closed} className="sheet" label="Sheet">
        <button type="button">Done</button>
      </Dialog>
    </div>
  );

  it("moves to the page's title when nothing else has it", () => {
    const { rerender } = render(page(true));
    screen.getByText('Done').focus();
    rerender(page(false));
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Jobs' }));
  });

  it('stays where it was put', () => {
    const { rerender } = render(page(true, true));
    screen.getByLabelText('Search').focus();
    rerender(page(false, true));
    expect(document.activeElement).toBe(screen.getByLabelText('Search'));
  });
});
