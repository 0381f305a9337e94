import { useLingui } from '@lingui/react/macro';
import { limits } from '@nearhand/contract/limits';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { useEffect, useState } from 'react';
import { onSignal } from '../../lib/realtime/realtime.ts';
import { otherName } from '../conversations/conversation-text.part.ts';

/** Whether someone on the other side is typing; ends by itself, or when their message arrives. */
function useTyping(conversation: Conversation, me: string | null): boolean {
  const [typing, setTyping] = useState(false);
  const { id, side } = conversation;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onSignal((signal) => {
      if (signal.kind !== 'typing' && signal.kind !== 'message') return;
      if (signal.conversationId !== id) return;
      clearTimeout(timer);
      if (signal.kind === 'message') {
        setTyping(false);
        return;
      }
      if (signal.accountId === me || signal.side === side) return;
      setTyping(true);
      timer = setTimeout(() => setTyping(false), limits.typingMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [id, side, me]);
  return typing;
}

/** Above the field: who is typing. Its space is reserved, so that nothing jumps. */
export function TypingLine({ conversation, me }: { conversation: Conversation; me: string | null }) {
  const { t } = useLingui();
  const typing = useTyping(conversation, me);
  const name = otherName(conversation);
  return typing ? (
    <p className="chat-typing xs mute">
      <span className="chat-dots" aria-hidden="true">
        <span />
        <span />
        <span />
      </span>
      <span dir="auto">{t`${name} is typing`}</span>
    </p>
  ) : null;
}
