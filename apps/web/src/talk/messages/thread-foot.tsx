import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { errorText } from '../../lib/api/error-text.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { useBlockConversation } from '../conversations/conversations.api.ts';

/** Replaces the field where writing is not possible, with the reason. */
export function ThreadFoot({ conversation, text }: { conversation: Conversation; text: string }) {
  const { t } = useLingui();
  const block = useBlockConversation();
  const own = conversation.blockedBy === 'you' || conversation.blockedBy === 'both';
  return (
    <div className="chat-foot">
      <div className="chat-closed">
        <Icon name={conversation.state === 'read_only' ? 'lock-key' : 'prohibit'} />
        <p className="grow sm">{text}</p>
        {conversation.state === 'blocked' && own ? (
          <Button
            size="s"
            busy={block.isPending}
            onClick={() =>
              block.mutate(
                { conversationId: conversation.id, blocked: false },
                { onError: (error) => showToast(errorText(error)) },
              )
            }
          >
            {t`Unblock`}
          </Button>
        ) : null}
      </div>
    </div>
  );
}
