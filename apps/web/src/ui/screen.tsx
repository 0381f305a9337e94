import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useGoBack } from '../lib/go-back.ts';
import { useOpenMenu } from '../lib/menu-state.ts';
import { IconButton } from './button.tsx';
import { useDocumentTitle } from './document-title.ts';
import { PullToRefresh } from './pull-to-refresh.tsx';
import { HeaderRings } from './rings.tsx';
import { useWide } from './wide.ts';

type ScreenProps = {
  /** Names the page: in the browser's title, and in the bar once the heading has scrolled away. */
  title: string;
  /** The large heading; the title unless given, nothing when null (the content then brings its own h1). */
  heading?: ReactNode;
  /** The sentence under the heading. */
  lead?: ReactNode;
  /**
   * `menu` on the tabs' own screens, else where Back leads when there is nothing to go back to. `close` shows a cross instead (steps of a
   * form). null: no button.
   */
  back?: 'menu' | string | { close: string } | null;
  /** Icon buttons at the end of the bar. */
  actions?: ReactNode;
  /** Stands in the bar instead of the title, for example a place picker. */
  bar?: ReactNode;
  /** The action of the phone, above the safe area; on a desktop the same at the foot of the column. */
  dock?: ReactNode;
  /** Fills the pine field under the bar; the bar is pine then too. */
  hero?: ReactNode;
  /** Rings behind the top of the paper. */
  rings?: boolean;
  /** `narrow` for sign-in and steps, `column` to read, `wide` for desks of merchants, `full` to the edges. */
  width?: 'narrow' | 'column' | 'wide' | 'full';
  /** Stands beside the page from 992 px on: a map or the detail of a list. Not rendered below that. */
  aside?: ReactNode;
  /** What the aside is, for screen readers. */
  asideLabel?: string;
  /** Loads the page anew when it is pulled down: `() => query.refetch()`. */
  onRefresh?: () => Promise<unknown>;
  children: ReactNode;
};

/** The page every screen starts with. */
export function Screen(props: ScreenProps) {
  const { title, lead, actions, bar, dock, hero, aside, width = 'column', children } = props;
  const wide = useWide();
  const content = useRef<HTMLElement>(null);
  const [headingRef, scrolled] = useScrolledAway();
  const heading = props.heading === undefined ? title : props.heading;
  useDocumentTitle(title);

  const split = wide && Boolean(aside);
  // On a desktop the side menu has what the bar of a tab has: nothing is left in it.
  const bare = props.back === 'menu' && !bar && !actions && !hero && !props.rings;
  return (
    <div className={['screen', hero ? 'has-hero' : '', split ? 'split' : ''].filter(Boolean).join(' ')}>
      <header className={hero ? 'screen-head pine-top' : 'screen-head'}>
        {hero ? <HeaderRings /> : props.rings ? <HeaderRings corner="start" onPine={false} /> : null}
        <div className={['bar', scrolled ? 'scrolled' : '', bare ? 'bare' : ''].filter(Boolean).join(' ')}>
          <BackButton back={props.back === undefined ? '/tabs/menu/explore' : props.back} />
          {bar ?? (
            <span className="t clip strong bar-title" aria-hidden="true">
              {title}
            </span>
          )}
          {actions}
        </div>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without controls in it, keyboards could not scroll it. */}
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
      {split ? (
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
  const close = typeof back === 'object' && back !== null;
  const goBack = useGoBack(close ? back.close : (back ?? ''));
  if (back === null) return <span className="bar-start" />;
  if (back === 'menu')
    return <IconButton icon="list" label={t`Menu`} className="phone-only" onClick={openMenu} />;
  return (
    <IconButton
      icon={close ? 'x' : 'arrow-left'}
      flip={!close}
      label={close ? t`Close` : t`Back`}
      onClick={goBack}
    />
  );
}

/** Whether the heading is above the visible page: the bar then says the title and gets its line. */
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
