import { useLingui } from '@lingui/react/macro';
import { useNow } from '../../lib/pages/use-now.ts';
import { formatAgo } from '../../lib/words/format.ts';
import { Loading } from '../../ui/pages/skeleton.tsx';
import { OfflineBanner } from '../../ui/pages/states.tsx';

/** Above this device's messages while the server can't be reached. */
export function RoomOffline({ updatedAt, onRetry }: { updatedAt: number; onRetry: () => void }) {
  const { t } = useLingui();
  const now = useNow();
  return (
    <OfflineBanner
      asOf={formatAgo(new Date(updatedAt), now)}
      note={t`Your messages are sent when you're back online.`}
      onRetry={onRetry}
    />
  );
}

/** Skeleton of a conversation while its first page loads. */
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
