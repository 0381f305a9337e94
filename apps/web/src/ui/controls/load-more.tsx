import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { Button } from './button.tsx';

/** A query of a list that loads page by page. */
export type PagedQuery = {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<unknown>;
};

/** Loads the next page of a list when scrolled near, or when pressed. */
export function LoadMore({ query }: { query: PagedQuery }) {
  const { t } = useLingui();
  const { hasNextPage: more, isFetchingNextPage: loading, isFetchNextPageError: failed } = query;
  // A second press would request the same page again.
  const onMore = () => void query.fetchNextPage({ cancelRefetch: false });
  const end = useRef<HTMLDivElement>(null);
  const go = useRef(onMore);
  go.current = onMore;
  useEffect(() => {
    const element = end.current;
    // After a failure only a press retries, or a broken connection would be retried endlessly.
    if (!element || !more || loading || failed) return;
    const watch = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) go.current();
      },
      { rootMargin: '600px', scrollMargin: '600px' } as IntersectionObserverInit,
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, [more, loading, failed]);
  if (!more) return null;
  return (
    <div className="load-more" ref={end}>
      <Button kind="quiet" busy={loading} onClick={onMore}>
        {failed ? t`Try again` : t`Show more`}
      </Button>
    </div>
  );
}
