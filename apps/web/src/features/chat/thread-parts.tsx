import { Loading } from '../../ui/skeleton.tsx';

/** The shape of a conversation while its first page comes. */
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
