import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { Activity, type ReactNode, useRef } from 'react';
import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest';
import { useFocusRestore, useScrollRestore } from './pages.tsx';

function Page({ first = false, children }: { first?: boolean; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  useScrollRestore(element);
  useFocusRestore(element, first);
  return (
    <div ref={element} data-testid="page">
      {children}
    </div>
  );
}

const stack = (visible: boolean, page: ReactNode, outside: ReactNode = null) => (
  <>
    <button type="button">Outside</button>
    {outside}
    <Activity mode={visible ? 'visible' : 'hidden'}>{page}</Activity>
  </>
);
const focused = () => document.activeElement;
const button = (name: string) => screen.getByRole('button', { name, hidden: true });
const heading = () => screen.getByRole('heading', { hidden: true });
const settle = () => act(async () => {});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

describe('the focus of a page that is shown', () => {
  it("moves to its heading, which isn't a tab stop", () => {
    render(
      stack(
        true,
        <Page>
          <h1>Terms</h1>
        </Page>,
      ),
    );
    expect(focused()).toBe(heading());
    expect(heading().tabIndex).toBe(-1);
  });

  it('is left to the browser on the first page of a visit, until that appears again', () => {
    const page = (
      <Page first>
        <h1>Explore</h1>
      </Page>
    );
    const { rerender } = render(stack(true, page));
    expect(focused()).toBe(document.body);
    rerender(stack(false, page));
    rerender(stack(true, page));
    expect(focused()).toBe(heading());
  });

  it('moves to the heading once it has loaded, and to the page until then', async () => {
    const { rerender } = render(
      stack(
        true,
        <Page>
          <p>Loading</p>
        </Page>,
      ),
    );
    expect(focused()).toBe(screen.getByTestId('page'));
    rerender(
      stack(
        true,
        <Page>
          <h1>Loaded</h1>
        </Page>,
      ),
    );
    await settle();
    expect(focused()).toBe(heading());
  });

  const loading = (loaded: boolean) => (
    <Page>
      {loaded ? <h1>Loaded</h1> : <p>Loading</p>}
      <button type="button">Inside</button>
    </Page>
  );

  it.each(['Inside', 'Outside'])('stays where the user moved it in the meantime: %s', async (name) => {
    const { rerender } = render(stack(true, loading(false)));
    button(name).focus();
    rerender(stack(true, loading(true)));
    await settle();
    expect(focused()).toBe(button(name));
  });

  it('stays after ten seconds, and for a page that was left', async () => {
    vi.useFakeTimers();
    const { rerender } = render(stack(true, loading(false)));
    vi.advanceTimersByTime(10_001);
    rerender(stack(true, loading(true)));
    await settle();
    expect(focused()).toBe(screen.getByTestId('page'));

    cleanup();
    const again = render(stack(true, loading(false)));
    again.rerender(stack(false, loading(false)));
    button('Outside').focus();
    again.rerender(stack(false, loading(true)));
    await settle();
    expect(focused()).toBe(button('Outside'));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('stays in a field that the page focused itself', () => {
    render(
      stack(
        true,
        <Page>
          <h1>Log in</h1>
          {/* biome-ignore lint/a11y/noAutofocus: autofocus is under test */}
          <input autoFocus aria-label="Email" />
        </Page>,
      ),
    );
    expect(focused()).toBe(screen.getByLabelText('Email'));
  });

  it('stays in a dialog that is open over the pages', () => {
    const dialog = (
      <dialog open>
        <button type="button">Answer</button>
      </dialog>
    );
    const page = (
      <Page>
        <h1>Behind</h1>
      </Page>
    );
    const { rerender } = render(stack(false, page, dialog));
    button('Answer').focus();
    rerender(stack(true, page, dialog));
    expect(focused()).toBe(button('Answer'));
  });

  it('returns to its element when the page was left, or to the heading if that is removed', () => {
    const page = (withButton: boolean) => (
      <Page>
        <h1>Jobs</h1>
        {withButton ? <button type="button">Job</button> : null}
      </Page>
    );
    const { rerender } = render(stack(true, page(true)));
    button('Job').focus();
    rerender(stack(false, page(true)));
    button('Outside').focus();
    rerender(stack(true, page(true)));
    expect(focused()).toBe(button('Job'));
    rerender(stack(false, page(true)));
    rerender(stack(false, page(false)));
    rerender(stack(true, page(false)));
    expect(focused()).toBe(heading());
  });
});

describe('the scroll positions of a page', () => {
  const lists = (second = true) => (
    <Page>
      <ul data-testid="one" />
      {second ? <ol data-testid="two" /> : null}
    </Page>
  );
  const scroll = (id: string, top: number, left = 0) => {
    const element = screen.getByTestId(id);
    Object.assign(element, { scrollTop: top, scrollLeft: left });
    fireEvent.scroll(element);
  };
  const position = (id: string) => {
    const { scrollTop, scrollLeft } = screen.getByTestId(id);
    return [scrollTop, scrollLeft];
  };
  const reset = (id: string) => Object.assign(screen.getByTestId(id), { scrollTop: 0, scrollLeft: 0 });

  let restored: unknown[] = [];
  let scrolling: MockInstance;
  beforeEach(() => {
    restored = [];
    const { scrollTo } = Element.prototype;
    scrolling = vi.spyOn(Element.prototype, 'scrollTo').mockImplementation(function (
      this: Element,
      ...options: unknown[]
    ) {
      restored.push(...options);
      Reflect.apply(scrollTo, this, options);
    });
  });
  afterEach(() => scrolling.mockRestore());

  it('are restored at once, each of several', () => {
    const { rerender } = render(stack(true, lists()));
    scroll('one', 300);
    scroll('two', 40, 120);
    rerender(stack(false, lists()));
    reset('one');
    reset('two');
    rerender(stack(true, lists()));
    expect([position('one'), position('two')]).toEqual([
      [300, 0],
      [40, 120],
    ]);
    expect(restored.every((position) => (position as ScrollToOptions).behavior === 'instant')).toBe(true);
  });

  it('are the latest, even when the page is left twice', () => {
    const { rerender } = render(stack(true, lists()));
    scroll('one', 300);
    rerender(stack(false, lists()));
    reset('one');
    rerender(stack(true, lists()));
    scroll('one', 500);
    rerender(stack(false, lists()));
    reset('one');
    rerender(stack(true, lists()));
    expect(position('one')).toEqual([500, 0]);
  });

  it('ignore scrolling while the page is hidden', () => {
    const { rerender } = render(stack(true, lists()));
    scroll('one', 300);
    rerender(stack(false, lists()));
    scroll('one', 0);
    rerender(stack(true, lists()));
    expect(position('one')).toEqual([300, 0]);
  });

  it('of removed pages are deleted', () => {
    const { rerender } = render(stack(true, lists()));
    scroll('two', 40);
    rerender(stack(false, lists()));
    rerender(stack(false, lists(false)));
    rerender(stack(true, lists(false)));
    expect(restored).toEqual([]);
  });
});
