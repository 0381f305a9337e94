import { act, cleanup, render, screen } from '@testing-library/react';
import { BrowserRouter, type RouteObject, useNavigate } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { replaceBack, replaceForward } from '../lib/pages/go-back.ts';
import { Pages, usePageStack } from './stack/pages.tsx';

const transitions: string[][] = [];
let reducedMotion = false;
let animating = false;
let navigate: ReturnType<typeof useNavigate>;

const pageRoutes: RouteObject[] = ['/tabs/menu/explore', '/tabs/menu/account', '/toc', '/chat'].map(
  (path) => ({
    path,
    element: <h1>{path}</h1>,
  }),
);

function App() {
  navigate = useNavigate();
  return <Pages stack={usePageStack()} routes={pageRoutes} />;
}

function open(path: string) {
  history.replaceState(null, '', path);
  render(
    <BrowserRouter useTransitions={false}>
      <App />
    </BrowserRouter>,
  );
}

const headings = () =>
  screen
    .getAllByRole('heading', { hidden: true })
    .filter((heading) => getComputedStyle(heading.closest('.page-holder') as Element).display !== 'none')
    .map((heading) => heading.textContent);

/** Runs outside `act`, in which React would not start transitions. */
async function step(run: () => unknown): Promise<void> {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', false);
  run();
  await new Promise((resolve) => setTimeout(resolve, 10));
  await vi.waitFor(() => expect(headings()).toEqual([location.pathname]), 10_000);
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
}
const push = (path: string) => step(() => navigate(path));
const back = () => step(() => history.back());

const ofTransition = () =>
  Object.defineProperty(new KeyframeEffect(null, []), 'pseudoElement', {
    value: '::view-transition-new(page)',
  });

beforeEach(() => {
  transitions.length = 0;
  reducedMotion = false;
  animating = false;
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('reduced-motion') && reducedMotion,
    addEventListener: () => {},
    removeEventListener: () => {},
  }));
  Object.assign(document.documentElement, {
    getAnimations: () => (animating ? [{ effect: ofTransition() }] : []),
  });
  Object.assign(document, {
    fonts: { status: 'loaded' },
    startViewTransition: ({ update, types }: { update: () => void; types: string[] }) => {
      transitions.push([...types]);
      const done = Promise.resolve().then(update);
      return { ready: done, finished: done, updateCallbackDone: done, skipTransition: () => {} };
    },
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  Reflect.deleteProperty(document, 'startViewTransition');
  Reflect.deleteProperty(document.documentElement, 'getAnimations');
});

describe('a page change', () => {
  it('animates a step deeper and a step back', async () => {
    open('/tabs/menu/explore');
    await push('/toc');
    expect([headings(), transitions]).toEqual([['/toc'], [['forward']]]);
    await back();
    expect([headings(), transitions]).toEqual([['/tabs/menu/explore'], [['forward'], ['back']]]);
  });

  it('animates a replaced page only on request, in the requested direction', async () => {
    open('/toc');
    await step(() => navigate('/chat', { replace: true }));
    expect([headings(), transitions]).toEqual([['/chat'], []]);
    await step(() => navigate('/toc', replaceBack));
    await step(() => navigate('/chat', replaceForward));
    expect([headings(), transitions]).toEqual([['/chat'], [['back'], ['forward']]]);
  });

  it('between tabs has no direction', async () => {
    open('/tabs/menu/explore');
    await push('/tabs/menu/account');
    await push('/tabs/menu/explore');
    await back();
    expect([headings(), transitions]).toEqual([['/tabs/menu/account'], []]);
  });

  it('on the same page has no animation', async () => {
    open('/chat');
    await push('/chat?c=1');
    await back();
    expect([headings(), transitions]).toEqual([['/chat'], []]);
  });

  it("doesn't animate with reduced motion", async () => {
    reducedMotion = true;
    open('/tabs/menu/explore');
    await push('/toc');
    await back();
    expect([headings(), transitions]).toEqual([['/tabs/menu/explore'], []]);
  });

  it("doesn't animate in a browser without view transitions", async () => {
    Reflect.deleteProperty(document, 'startViewTransition');
    open('/tabs/menu/explore');
    await push('/toc');
    expect(headings()).toEqual(['/toc']);
  });

  it('during an animation appears at once', async () => {
    open('/tabs/menu/explore');
    animating = true;
    act(() => void navigate('/toc'));
    expect([headings(), transitions]).toEqual([['/toc'], []]);
  });

  it("isn't animated twice when the browser animates a swipe back, and the next one is animated again", async () => {
    open('/tabs/menu/explore');
    await push('/toc');
    const { dispatchEvent } = window;
    const swipe = vi
      .spyOn(window, 'dispatchEvent')
      .mockImplementation((event) =>
        dispatchEvent.call(window, Object.assign(event, { hasUAVisualTransition: true })),
      );
    await back();
    swipe.mockRestore();
    expect([headings(), transitions]).toEqual([['/tabs/menu/explore'], [['forward']]]);
    await push('/chat');
    expect([headings(), transitions]).toEqual([['/chat'], [['forward'], ['forward']]]);
  });

  it('interrupted by another shows the latest', async () => {
    open('/tabs/menu/explore');
    await step(() => {
      navigate('/toc');
      navigate('/chat');
    });
    expect([headings(), location.pathname]).toEqual([['/chat'], '/chat']);
    await back();
    expect([headings(), location.pathname]).toEqual([['/toc'], '/toc']);
  });
});
