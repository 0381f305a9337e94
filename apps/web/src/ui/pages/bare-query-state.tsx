import { useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useState } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { firstRead } from '../../lib/pages/initial-query-state.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { ErrorState, FaultBanner, OfflineBanner } from './states.tsx';

/** The parts of a query that a screen reads. */
export type ScreenQuery<Data> = {
  data: Data | undefined;
  error: unknown;
  /** The reason why the last attempt failed, shown until there is a network. */
  failureReason?: unknown;
  fetchStatus: 'fetching' | 'paused' | 'idle';
  dataUpdatedAt: number;
  refetch: () => unknown;
};

export type BareQueryStateProps<Data> = {
  query: ScreenQuery<Data>;
  loading: ReactNode;
  errorTitle: string;
  describe: (error: unknown) => string;
  /** The data's age in words, updated as time passes. */
  asOf?: (instant: Date) => string;
  empty?: ReactNode;
  isEmpty?: (data: Data) => boolean;
  offlineNote?: string;
  ageShownAbove?: boolean;
  /** True if the banner at the top of the page stays although a part below it has a banner of its own. */
  isPageAge?: boolean;
  children: (data: Data) => ReactNode;
};

/** `QueryState` without the texts of all errors, for a first screen. */
export function BareQueryState<Data>(props: BareQueryStateProps<Data>) {
  const { t } = useLingui();
  const { query } = props;
  // An open page doesn't refetch offline, so its data gets stale.
  const online = useOnline();
  const retry = () => void query.refetch();
  if (query.data === undefined) {
    if (firstRead(query) === 'loading') return props.loading;
    const error = query.error ?? query.failureReason;
    const requestId = (error as { requestId?: string } | null | undefined)?.requestId;
    return (
      <ErrorState
        title={props.errorTitle}
        text={
          query.error ? props.describe(query.error) : t`You're offline. Try again when you have a connection.`
        }
        onRetry={retry}
        busy={query.fetchStatus === 'fetching'}
        requestId={requestId}
      />
    );
  }
  const offline =
    !online || query.fetchStatus === 'paused' || (query.error !== null && !wasAnswered(query.error));
  const isStale = offline || query.error !== null;
  return (
    <>
      {isStale && !props.ageShownAbove ? (
        <StaleBanner
          updatedAt={query.dataUpdatedAt}
          asOf={props.asOf}
          fault={offline ? null : props.describe(query.error)}
          note={props.offlineNote}
          onRetry={retry}
        />
      ) : null}
      <div className={isStale ? (props.isPageAge ? 'stale page-age' : 'stale') : undefined}>
        {props.empty && props.isEmpty?.(query.data) ? props.empty : props.children(query.data)}
      </div>
    </>
  );
}

/** Any response, even an error, means that the connection is fine. */
const wasAnswered = (error: unknown): boolean => ((error as { status?: number } | null)?.status ?? 0) > 0;

const tickMs = 30_000;

/** The age of the shown data. It updates itself, because nothing else re-renders the screen offline. */
export function StaleBanner({
  updatedAt,
  asOf = (instant) => formatAgo(instant),
  fault,
  note,
  onRetry,
}: {
  updatedAt: number;
  asOf?: (instant: Date) => string;
  fault: string | null;
  note: string | undefined;
  onRetry: () => void;
}) {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), tickMs);
    return () => clearInterval(timer);
  }, []);
  const age = asOf(new Date(updatedAt));
  return fault === null ? (
    <OfflineBanner asOf={age} note={note} onRetry={onRetry} />
  ) : (
    <FaultBanner title={fault} asOf={age} onRetry={onRetry} />
  );
}
