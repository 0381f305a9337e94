import { act, cleanup, render, screen } from '@testing-library/react';
import { Activity, type ReactNode, useState } from 'react';
import { BrowserRouter, useLocation, useNavigate } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useBackButton } from '../../lib/pages/back-button.ts';
import { BrowserBack } from '../app.tsx';

const pages: string[] = [];
let navigate: ReturnType<typeof useNavigate>;

function Router() {
  const { pathname, search } = useLocation();
  navigate = useNavigate();
  if (pages.at(-1) !== pathname + search) pages.push(pathname + search);
  return null;
}

function Layer({ name, close, inHistory }: { name: string; close?: () => void; inHistory?: boolean }) {
  const [open, setOpen] = useState(true);
  useBackButton(
    open,
    () => {
      setOpen(false);
      close?.();
    },
    { inHistory },
  );
  return open ? <p>{name}</p> : null;
}

function Busy() {
  useBackButton(true, () => {});
  return <p>busy</p>;
}

function open(children: ReactNode) {
  const app = (inside: ReactNode) => (
    <BrowserRouter useTransitions={false}>
      <Router />
      <BrowserBack />
      {inside}
    </BrowserRouter>
  );
  const { rerender, unmount } = render(app(null));
  act(() => void navigate('/two'));
  act(() => void navigate('/three?q=1'));
  rerender(app(children));
  pages.length = 0;
  return { show: (inside: ReactNode) => rerender(app(inside)), unmount };
}

const go = (by: number) => act(() => history.go(by));
const at = () => location.pathname + location.search;
const index = () => (history.state as { idx: number }).idx;

beforeEach(() => {
  history.replaceState(null, '', '/one');
});
afterEach(() => {
  cleanup();
  pages.length = 0;
});

describe("the browser's Back on the first page of a tab", () => {
  const first = (children: ReactNode) =>
    render(
      <BrowserRouter useTransitions={false}>
        <Router />
        <BrowserBack />
        {children}
      </BrowserRouter>,
    );

  it('closes open layers, one at a time, before it leaves', () => {
    history.pushState(null, '', '/elsewhere');
    history.pushState(null, '', '/one');
    first(
      <>
        <Layer name="map" />
        <Layer name="sheet" />
      </>,
    );
    pages.length = 0;
    go(-1);
    expect([screen.queryByText('sheet'), screen.queryByText('map')?.textContent]).toEqual([null, 'map']);
    go(-1);
    expect(screen.queryByText('map')).toBeNull();
    expect([at(), index(), pages]).toEqual(['/one', 0, []]);
    go(-1);
    expect(at()).toBe('/elsewhere');
  });

  it('leaves at once after a layer closed itself', () => {
    history.pushState(null, '', '/elsewhere');
    history.pushState(null, '', '/one');
    const { rerender } = first(<Layer name="sheet" />);
    rerender(
      <BrowserRouter useTransitions={false}>
        <Router />
        <BrowserBack />
      </BrowserRouter>,
    );
    go(-1);
    expect(at()).toBe('/elsewhere');
  });
});

describe("the browser's Back", () => {
  it('leaves the page when nothing is open over it', () => {
    open(null);
    go(-1);
    expect([at(), pages]).toEqual(['/two', ['/two']]);
  });

  it('closes the layer and stays on the page, hidden from the router', () => {
    open(<Layer name="sheet" />);
    const before = index();
    go(-1);
    expect(screen.queryByText('sheet')).toBeNull();
    expect([at(), index(), pages]).toEqual(['/three?q=1', before, []]);
    go(-1);
    expect([at(), pages]).toEqual(['/two', ['/two']]);
  });

  it('closes one layer at a time, the top one first', () => {
    open(
      <>
        <Layer name="sheet" />
        <Layer name="alert" />
      </>,
    );
    go(-1);
    expect([screen.queryByText('alert'), screen.queryByText('sheet') !== null]).toEqual([null, true]);
    go(-1);
    expect(screen.queryByText('sheet')).toBeNull();
    expect([at(), pages]).toEqual(['/three?q=1', []]);
  });

  it('treats Forward and longer steps the same', () => {
    const { show } = open(null);
    go(-1);
    show(<Layer name="sheet" />);
    go(1);
    expect([at(), screen.queryByText('sheet')]).toEqual(['/two', null]);
    go(1);
    show(<Layer key="again" name="sheet" />);
    go(-2);
    expect([at(), screen.queryByText('sheet')]).toEqual(['/three?q=1', null]);
  });

  it('closes a layer only when the history is back on its page, where it can write its address', () => {
    const close = vi.fn(() => history.replaceState(history.state, '', '/three'));
    open(<Layer name="map" close={close} />);
    go(-1);
    expect([at(), close.mock.calls.length]).toEqual(['/three', 1]);
    go(-1);
    expect(at()).toBe('/two');
    go(1);
    expect(at()).toBe('/three');
  });

  it('is blocked by what has to finish first', () => {
    open(<Busy />);
    go(-1);
    go(-1);
    expect([at(), pages, screen.queryByText('busy') !== null]).toEqual(['/three?q=1', [], true]);
  });

  it('takes the step when the layer is a history entry itself', () => {
    const close = vi.fn();
    open(<Layer name="menu" close={close} inHistory />);
    go(-1);
    expect([at(), close.mock.calls.length]).toEqual(['/two', 0]);
  });

  it('closes an alert over the menu first', () => {
    open(
      <>
        <Layer name="menu" inHistory />
        <Layer name="alert" />
      </>,
    );
    go(-1);
    expect([at(), screen.queryByText('alert'), screen.queryByText('menu') !== null]).toEqual([
      '/three?q=1',
      null,
      true,
    ]);
  });

  it("isn't blocked by a layer on a hidden page", () => {
    const page = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <Layer name="sheet" />
      </Activity>
    );
    const { show } = open(page('visible'));
    act(() => show(page('hidden')));
    go(-1);
    expect(at()).toBe('/two');
  });

  it("closes everything at an entry that the router didn't write", () => {
    const closed: string[] = [];
    history.replaceState(null, '', '/elsewhere');
    history.pushState({ usr: null, key: 'one', idx: 0 }, '', '/one');
    render(
      <BrowserRouter useTransitions={false}>
        <Router />
        <BrowserBack />
        <Layer name="sheet" close={() => closed.push('sheet')} />
        <Layer name="alert" close={() => closed.push('alert')} />
      </BrowserRouter>,
    );
    // Goes back over the entries of the two layers.
    go(-3);
    expect([at(), closed]).toEqual(['/elsewhere', ['alert', 'sheet']]);
  });

  it('blocks nothing after the app has unmounted', () => {
    const close = vi.fn();
    const { unmount } = open(<Layer name="sheet" close={close} />);
    unmount();
    go(-1);
    expect([at(), close.mock.calls.length]).toEqual(['/two', 0]);
  });
});
