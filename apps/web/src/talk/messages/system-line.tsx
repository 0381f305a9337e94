import { Trans } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import { Dial } from '../../ui/art/ring-figures.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useConversationSlots } from '../conversations/conversation-slots.part.tsx';
import { dialOf, stampText, systemText } from './message-text.part.ts';

/** A work event between messages, with a link; below the newest offer its card while it is pending. */
export function SystemLineRow({
  message,
  conversation,
  newestOffer,
}: {
  message: Message;
  conversation: Conversation;
  newestOffer: boolean;
}) {
  const { Offer } = useConversationSlots();
  if (!message.system) return null;
  const { filled, total } = dialOf(message.system.line);
  const text = systemText(message.system, conversation);
  const inside = (
    <>
      <Dial filled={filled} total={total} />
      <span dir="auto">
        <Trans>
          <span className="chat-sys-text">{text}</span>,{' '}
          <time dateTime={message.at} className="num">
            {stampText(message.at)}
          </time>
        </Trans>
      </span>
    </>
  );
  const { path } = message.system;
  return (
    <div className="chat-sys">
      {path && /^\/(?![/\\])/.test(path) ? (
        <Link className="sys" to={path}>
          {inside}
        </Link>
      ) : (
        <p className="sys">{inside}</p>
      )}
      {Offer && newestOffer && conversation.side === 'worker' && conversation.applicationId ? (
        <Offer applicationId={conversation.applicationId} />
      ) : null}
    </div>
  );
}
