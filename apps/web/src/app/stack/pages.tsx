import {
  Activity,
  addTransitionType,
  memo,
  type ReactNode,
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  ViewTransition,
} from 'react';
import { type RouteObject, useLocation, useNavigationType, useRoutes } from 'react-router';
import { historyIndex } from '../../lib/pages/go-back.ts';
import { session } from '../../lib/session.ts';
import { dismissToast } from '../../ui/overlays/toast.tsx';
import { routeOf } from '../routes.ts';
import { canAnimatePages } from './page-motion.ts';
import {
  dropHiddenPages,
  initialStack,
  nextStack,
  type PageStack,
  type StackPage,
  shownPage,
} from './page-stack.ts';
import './pages.css';
import { focusQuietly } from '../../lib/pages/visible-main.ts';

const isTab = (pathname: string): boolean => routeOf(pathname)?.tab === true;

export function usePageStack(): PageStack {
  const location = useLocation();
  const action = useNavigationType();
  const [stack, setStack] = useState(() => initialStack(location, historyIndex()));
  const latest = useRef(stack);
  const handled = useRef(location);
  const swipedBack = useSwipeBack();

  useLayoutEffect(() => {
    if (handled.current === location) return;
    handled.current = location;
    const next = nextStack(latest.current, { location, action, index: historyIndex() }, isTab);
    latest.current = next;
    const isAlreadyAnimated = action === 'POP' && swipedBack.current;
    const shouldAnimate = next.motion !== 'none' && !isAlreadyAnimated && !isAnimating() && canAnimatePages();
    if (!shouldAnimate) return setStack(next);
    // React does not animate updates made inside a popstate event.
    setTimeout(() => {
      if (latest.current !== next) return;
      startTransition(() => {
        addTransitionType(next.motion);
        setStack(next);
      });
    });
  }, [location, action, swipedBack]);

  useEffect(() => {
    let userId = session.user()?.id;
    return session.subscribe(() => {
      const before = userId;
      userId = session.user()?.id;
      if (before === undefined || before === userId) return;
      dismissToast();
      latest.current = dropHiddenPages(latest.current);
      setStack(latest.current);
    });
  }, []);
  return stack;
}

/** React queues a second transition behind a running one; such a change is shown at once instead. */
const isAnimating = (): boolean =>
  document.documentElement
    .getAnimations?.({ subtree: true })
    .some(
      ({ effect }) =>
        effect instanceof KeyframeEffect && effect.pseudoElement?.startsWith('::view-transition') === true,
    ) === true;

/** Returns whether the browser animated this navigation itself, as Safari does on a back swipe. */
function useSwipeBack() {
  const swipedBack = useRef(false);
  // A layout effect, because it must listen before the router, which shows the page in its own listener.
  useLayoutEffect(() => {
    const update = (event: PopStateEvent) => {
      swipedBack.current = event.hasUAVisualTransition === true;
    };
    globalThis.addEventListener('popstate', update);
    return () => globalThis.removeEventListener('popstate', update);
  }, []);
  return swipedBack;
}

export function Pages({ stack, routes }: { stack: PageStack; routes: RouteObject[] }) {
  const visiblePage = shownPage(stack);
  return (
    <div className="pages">
      {stack.pages.map((page) => (
        <Activity key={page.id} mode={page === visiblePage ? 'visible' : 'hidden'}>
          <ViewTransition
            default="none"
            enter={{ forward: 'page-pushed', back: 'page-uncovered', default: 'none' }}
            exit={{ forward: 'page-covered', back: 'page-popped', default: 'none' }}
          >
            <PageHolder isFirst={page.id === 0}>
              <PageContent page={page} routes={routes} />
            </PageHolder>
          </ViewTransition>
        </Activity>
      ))}
    </div>
  );
}

function PageHolder({ isFirst, children }: { isFirst: boolean; children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null);
  const [, update] = useState(0);
  useScrollRestore(element);
  useFocusRestore(element, isFirst);
  // React delays effects until an animation ends. An update flushes them, so the page loads during the
  // animation.
  useLayoutEffect(() => update((count) => count + 1), []);
  return (
    <div className="page-holder" ref={element}>
      {children}
    </div>
  );
}

/** Gives each page its own address, even while another page is on screen. */
const PageContent = memo(function PageContent({ page, routes }: { page: StackPage; routes: RouteObject[] }) {
  return useRoutes(routes, page.location);
});

const headingTimeoutMs = 10_000;

/** Restores the scroll positions that elements lose while hidden. */
export function useScrollRestore(page: RefObject<HTMLElement | null>): void {
  const positions = useRef(new Map<Element, { top: number; left: number }>());
  useLayoutEffect(() => {
    const root = page.current;
    if (!root) return;
    const positionsNow = positions.current;
    for (const [element, { top, left }] of positionsNow) {
      if (root.contains(element)) element.scrollTo({ top, left, behavior: 'instant' });
      else positionsNow.delete(element);
    }
    const save = ({ target }: Event) => {
      if (target instanceof Element)
        positionsNow.set(target, { top: target.scrollTop, left: target.scrollLeft });
    };
    // Scroll events do not bubble, so they are captured.
    root.addEventListener('scroll', save, { capture: true, passive: true });
    return () => {
      root.removeEventListener('scroll', save, { capture: true });
      for (const element of positionsNow.keys())
        positionsNow.set(element, { top: element.scrollTop, left: element.scrollLeft });
    };
  }, [page]);
}

/** Focuses the element that last had the focus, otherwise the heading. The first page keeps the browser's focus. */
export function useFocusRestore(page: RefObject<HTMLElement | null>, isFirst: boolean): void {
  const lastFocused = useRef<HTMLElement | null>(null);
  const wasShown = useRef(false);
  useLayoutEffect(() => {
    const root = page.current;
    if (!root) return;
    const stopWaiting = isFirst && !wasShown.current ? undefined : moveFocus(root, lastFocused.current);
    wasShown.current = true;
    return () => {
      stopWaiting?.();
      const focused = document.activeElement;
      lastFocused.current = focused instanceof HTMLElement && root.contains(focused) ? focused : null;
    };
  }, [page, isFirst]);
}

/** Returns a function that stops waiting for a heading, if the page has none yet. */
function moveFocus(root: HTMLElement, lastFocused: HTMLElement | null): (() => void) | undefined {
  if (lastFocused && root.contains(lastFocused)) {
    focusQuietly(lastFocused);
    return undefined;
  }
  if (focusHeading(root)) return undefined;
  if (!hasFocus(root)) focusQuietly(root);
  const stop = () => {
    observer.disconnect();
    clearTimeout(timeout);
  };
  const observer = new MutationObserver(() => {
    const hasUserMovedOn = document.activeElement !== root && document.activeElement !== document.body;
    if (hasUserMovedOn || focusHeading(root)) stop();
  });
  observer.observe(root, { childList: true, subtree: true });
  const timeout = setTimeout(stop, headingTimeoutMs);
  return stop;
}

const hasFocus = (root: HTMLElement): boolean =>
  root.contains(document.activeElement) || document.activeElement?.closest('dialog[open]') != null;

function focusHeading(root: HTMLElement): boolean {
  const heading = root.querySelector<HTMLElement>('h1');
  if (!heading) return false;
  if (!hasFocus(root) || document.activeElement === root) focusQuietly(heading);
  return true;
}
