import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, Suspense, useLayoutEffect, useRef } from 'react';
import { lookAgain, useNetwork } from '../../lib/device/online.ts';
import { lazyPart } from '../../lib/pages/load-part.ts';
import { focusQuietly, focusVisiblePage } from '../../lib/pages/visible-main.ts';
import { Icon } from '../art/icon.tsx';
import type { ArtName } from '../art/state-art.tsx';
import { Button, ButtonLink } from '../controls/button.tsx';

const Blank = () => <svg className="art" viewBox="-6 -34 228 224" aria-hidden="true" />;
/** No first screen needs the picture, and without a network a state is complete without it. */
const Art = lazyPart(() =>
  import('../art/state-art.tsx').then(
    ({ Art }) => ({ default: Art }),
    () => ({ default: Blank }),
  ),
);

type StateProps = {
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  art?: ArtName;
  level?: 'h1' | 'h2';
};

export function EmptyState({ title, children, actions, art = 'empty', level: Heading = 'h2' }: StateProps) {
  return (
    <div className="empty">
      <Suspense fallback={<Blank />}>
        <Art name={art} />
      </Suspense>
      <Heading className="h-l">{title}</Heading>
      {children ? <div className="mute empty-text">{children}</div> : null}
      {actions ? <div className="col g2 mt4 empty-actions">{actions}</div> : null}
    </div>
  );
}

type ErrorStateProps = {
  title: string;
  text: string;
  onRetry?: () => void;
  busy?: boolean;
  requestId?: string | null;
};

export function ErrorState({ title, text, onRetry, busy, requestId }: ErrorStateProps) {
  const { t } = useLingui();
  const hasNetwork = useNetwork();
  return (
    <div role="alert">
      <EmptyState
        art="error"
        title={title}
        actions={
          onRetry ? (
            <Button
              kind="go"
              full
              icon="arrows-clockwise"
              busy={busy}
              needsNetwork={!hasNetwork}
              onClick={() => {
                // A first query that was paused offline continues once the probe succeeds.
                lookAgain();
                onRetry();
              }}
            >
              {t`Try again`}
            </Button>
          ) : null
        }
      >
        <p>{text}</p>
        {requestId ? (
          <p className="xs mt2">
            <Trans>Reference {requestId}</Trans>
          </p>
        ) : null}
      </EmptyState>
    </div>
  );
}

type OfflineBannerProps = {
  /** The time when the shown data was loaded, as standalone text: "12 minutes ago", "Thu 19 Nov, 08:42". */
  asOf: string;
  note?: string;
  onRetry?: () => void;
};

/**
 * The last known data with its age, shown without a connection. Put `className="stale"` on what it refers to.
 */
export function OfflineBanner(props: OfflineBannerProps) {
  const { t } = useLingui();
  return <OutdatedBanner {...props} mark={offlineMark} title={t`You're offline.`} />;
}

/** The last known data with its age, because the server responded with an error. `title` is the error's text. */
export function FaultBanner(props: Omit<OfflineBannerProps, 'note'> & { title: string }) {
  return <OutdatedBanner {...props} mark={<Icon name="warning-circle" />} />;
}

const offlineMark = (
  <svg className="offline-mark" viewBox="0 0 44 44" aria-hidden="true">
    <g fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round">
      <circle cx="22" cy="22" r="19" strokeDasharray="1 5.6" />
      <circle cx="22" cy="22" r="11.5" strokeDasharray="1 5" />
    </g>
    <circle cx="22" cy="22" r="4.5" fill="currentColor" />
  </svg>
);

function OutdatedBanner({
  mark,
  title,
  asOf,
  note,
  onRetry,
}: OfflineBannerProps & { mark: ReactNode; title: string }) {
  const { t } = useLingui();
  const hasNetwork = useNetwork();
  return (
    <div className="banner wait" role="status">
      {mark}
      <p className="grow">
        <strong className="strong">{title}</strong>{' '}
        <span>
          {/* The age is in the middle of a sentence, so it is not capitalized. */}
          {asOf === t`Just now` ? t`Last updated: just now.` : <Trans>Last updated: {asOf}.</Trans>} {note}
        </span>
      </p>
      {/* Without a network a retry can't work, and the page reloads when back online. */}
      {onRetry && hasNetwork ? <RetryButton onRetry={onRetry} /> : null}
    </div>
  );
}

/** Keeps the focus in the page when the button disappears: at the banner, or at the page's heading. */
function RetryButton({ onRetry }: { onRetry: () => void }) {
  const { t } = useLingui();
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    const banner = button?.closest<HTMLElement>('.banner');
    return () => {
      if (!banner || document.activeElement !== button) return;
      queueMicrotask(() => (banner.isConnected ? focusQuietly(banner) : focusVisiblePage()));
    };
  }, []);
  return (
    <Button ref={ref} kind="text" size="s" onClick={onRetry}>
      {t`Retry`}
    </Button>
  );
}

type SignedOutProps = {
  title: string;
  children: ReactNode;
  next: string;
  level?: 'h1' | 'h2';
};

export function SignedOutState({ title, children, next, level }: SignedOutProps) {
  const { t } = useLingui();
  const query = `?next=${encodeURIComponent(next)}`;
  return (
    <EmptyState
      art="door"
      title={title}
      level={level}
      actions={
        <>
          <ButtonLink kind="go" full to={`/register${query}`}>
            {t`Create account`}
          </ButtonLink>
          <ButtonLink kind="out" full to={`/login${query}`}>
            {t`Log in`}
          </ButtonLink>
        </>
      }
    >
      {children}
    </EmptyState>
  );
}

export function UnverifiedState({ children, level }: { children: ReactNode; level?: 'h1' | 'h2' }) {
  const { t } = useLingui();
  return (
    <EmptyState
      art="door"
      title={t`Verify your email first`}
      level={level}
      actions={
        <ButtonLink kind="go" full to="/tabs/menu/account">
          {t`Go to your account`}
        </ButtonLink>
      }
    >
      {children}
    </EmptyState>
  );
}
