import { useLingui } from '@lingui/react/macro';
import { isApiError, isNetworkError } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { Loading } from '../../ui/pages/skeleton.tsx';
import { FaultBanner, OfflineBanner } from '../../ui/pages/states.tsx';

export function RoomOutdated({
  updatedAt,
  error,
  onRetry,
}: {
  updatedAt: number;
  error: unknown;
  onRetry: () => void;
}) {
  const { t } = useLingui();
  const now = useNow();
  const asOf = formatAgo(new Date(updatedAt), now);
  return isApiError(error) && !isNetworkError(error) ? (
    <FaultBanner title={errorText(error)} asOf={asOf} onRetry={onRetry} />
  ) : (
    <OfflineBanner asOf={asOf} note={t`Your messages are sent when you're back online.`} onRetry={onRetry} />
  );
}

export function ThreadSkeleton() {
  return (
    <div className="chat-thread">
      <div className="chat-scroll chat-skeleton">
        <Loading>
          <span className="sk chat-sk them" />
          <span className="sk chat-sk them short" />
          <span className="sk chat-sk me" />
          <span className="sk chat-sk them" />
          <span className="sk chat-sk me short" />
        </Loading>
      </div>
    </div>
  );
}
