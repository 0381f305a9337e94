import { useLingui } from '@lingui/react/macro';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useGoBack } from '../../lib/pages/go-back.ts';
import { useOpenMenu } from '../../lib/pages/menu-state.ts';
import { HeaderRings, ProgressRing } from '../art/rings.tsx';
import { IconButton } from '../controls/button.tsx';
import { useDocumentTitle } from './document-title.ts';
import { useWide } from './wide.ts';

type ScreenProps = {
  /** The page's name: in the browser's title, and in the bar once the heading has scrolled away. */
  title: string;
  /** The large heading; the title by default, none if null (the content then has its own h1). */
  heading?: ReactNode;
  lead?: ReactNode;
  /**
   * `menu` on tab root screens, otherwise the path of Back without history. `close` shows a cross; null no
   * button.
   */
  back?: 'menu' | string | { close: string } | null;
  /** The side menu lists this screen, so Back is for phones, which reach it from another screen. */
  inMenu?: boolean;
  actions?: ReactNode;
  bar?: ReactNode;
  /** A phone's action bar, above the safe area; on a desktop at the bottom of the column. */
  dock?: ReactNode;
  hero?: ReactNode;
  rings?: boolean;
  /** `narrow` for sign-in and steps, `column` to read, `wide` for business desks, `full` to the edges. */
  width?: 'narrow' | 'column' | 'wide' | 'full';
  /** Next to the page from 992 px: a map or a list's detail. Not rendered below that. */
  aside?: ReactNode;
  asideLabel?: string;
  onRefresh?: () => Promise<unknown>;
  children: ReactNode;
};

export function Screen(props: ScreenProps) {
  const { title, lead, actions, bar, dock, hero, aside, width = 'column', children } = props;
  const wide = useWide();
  const content = useRef<HTMLElement>(null);
  const [headingRef, scrolled] = useScrolledAway();
  const heading = props.heading === undefined ? title : props.heading;
  useDocumentTitle(title);

  const isSplit = wide && Boolean(aside);
  const back = props.inMenu && wide ? 'menu' : props.back;
  return (
    <div className={['screen', hero ? 'has-hero' : '', isSplit ? 'split' : ''].filter(Boolean).join(' ')}>
      <header className={hero ? 'screen-head pine-top' : 'screen-head'}>
        {hero ? <HeaderRings /> : props.rings ? <HeaderRings corner="start" onPine={false} /> : null}
        <div className={scrolled ? 'bar scrolled' : 'bar'}>
          <BackButton back={back === undefined ? '/tabs/menu/explore' : back} />
          {bar ?? (
            <span className="t clip strong bar-title" aria-hidden="true">
              {title}
            </span>
          )}
          {actions}
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without controls inside, it couldn't be scrolled by
          keyboard. */}
      <main className="screen-main" ref={content} tabIndex={0}>
        {props.onRefresh ? <PullToRefresh host={content} onRefresh={props.onRefresh} /> : null}
        {props.rings && !hero ? <HeaderRings corner="start" onPine={false} /> : null}
        <div className={`page ${width}`}>
          {hero ? (
            <section className="hero-field">
              <HeaderRings />
              <div ref={headingRef}>{hero}</div>
            </section>
          ) : null}
          <div className="page-body">
            {heading === null ? null : (
              <div className="page-head" ref={hero ? undefined : headingRef}>
                <h1 className="h-xl">{heading}</h1>
                {lead ? <p className="lead mute mt2">{lead}</p> : null}
              </div>
            )}
            {children}
          </div>
        </div>
      </main>
      {dock ? (
        <footer className="screen-foot">
          <div className="dock">
            <div className={`dock-inner ${width}`}>{dock}</div>
          </div>
        </footer>
      ) : null}
      {isSplit ? (
        <aside className="aside" aria-label={props.asideLabel}>
          {aside}
        </aside>
      ) : null}
    </div>
  );
}

function BackButton({ back }: { back: NonNullable<ScreenProps['back']> | null }) {
  const { t } = useLingui();
  const openMenu = useOpenMenu();
  const hasBackTarget = typeof back === 'object' && back !== null;
  const goBack = useGoBack(hasBackTarget ? back.close : (back ?? ''));
  if (back === null) return <span className="bar-start" />;
  if (back === 'menu')
    return <IconButton icon="list" label={t`Menu`} className="phone-only" onClick={openMenu} />;
  return (
    <IconButton
      icon={hasBackTarget ? 'x' : 'arrow-left'}
      flip={!hasBackTarget}
      label={hasBackTarget ? t`Close` : t`Back`}
      onClick={goBack}
    />
  );
}

/** Once the heading is scrolled out, the bar shows the title and a border. */
function useScrolledAway() {
  const element = useRef<HTMLDivElement>(null);
  const [away, setAway] = useState(false);
  useEffect(() => {
    if (!element.current || typeof IntersectionObserver === 'undefined') return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry) setAway(!entry.isIntersecting && entry.boundingClientRect.top < 0);
      },
      { rootMargin: '-64px 0px 0px' },
    );
    watch.observe(element.current);
    return () => watch.disconnect();
  }, []);
  return [element, away] as const;
}

const enough = 72;
const max = 110;

export function PullToRefresh({
  host,
  onRefresh,
}: {
  host: RefObject<HTMLElement | null>;
  onRefresh: () => Promise<unknown>;
}) {
  const { t } = useLingui();
  const [pulled, setPulled] = useState(0);
  const [busy, setBusy] = useState(false);
  const run = useRef(onRefresh);
  run.current = onRefresh;

  useEffect(() => {
    const content = host.current;
    if (!content) return;
    let from: number | null = null;
    let distance = 0;

    const start = (event: TouchEvent) => {
      const [touch] = event.touches;
      // A map and a field have their own gestures.
      const ownGesture = (event.target as Element).closest?.('.map-canvas, input, textarea, dialog');
      from =
        touch && event.touches.length === 1 && content.scrollTop <= 0 && !ownGesture ? touch.clientY : null;
    };
    const move = (event: TouchEvent) => {
      const [touch] = event.touches;
      if (from === null || !touch) return;
      const down = touch.clientY - from;
      if (down <= 0 || content.scrollTop > 0) from = null;
      distance = from === null ? 0 : Math.min(max, down * 0.5);
      setPulled(distance);
    };
    const end = () => {
      const far = distance >= enough;
      from = null;
      distance = 0;
      setPulled(0);
      if (!far) return;
      setBusy(true);
      const finish = () => setBusy(false);
      run.current().then(finish, finish);
    };
    const passive = { passive: true };
    content.addEventListener('touchstart', start, passive);
    content.addEventListener('touchmove', move, passive);
    content.addEventListener('touchend', end, passive);
    content.addEventListener('touchcancel', end, passive);
    return () => {
      content.removeEventListener('touchstart', start);
      content.removeEventListener('touchmove', move);
      content.removeEventListener('touchend', end);
      content.removeEventListener('touchcancel', end);
    };
  }, [host]);

  if (!busy && pulled < 4) return null;
  return (
    <div className={busy ? 'pull busy' : 'pull'} role={busy ? 'status' : undefined}>
      <ProgressRing done={busy ? 0.3 : pulled / enough} />
      {busy ? <span className="vh">{t`Loading`}</span> : null}
    </div>
  );
}
