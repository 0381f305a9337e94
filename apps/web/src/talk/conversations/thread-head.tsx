import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { useState } from 'react';
import { useOnline } from '../../lib/device/online.ts';
import { fileUrl } from '../../lib/forms/stored-file.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { Avatar } from '../../ui/art/avatar.tsx';
import { Icon } from '../../ui/art/icon.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { useRoom } from '../messages/message-store.api.ts';
import { chatPartnerName, chatRecordPath, personOf, presenceText } from './conversation.labels.ts';
import { ConversationMenu } from './conversation-menu.tsx';
import { useConversationSlots } from './conversation-slots.tsx';

/** Returns whether the other side is online; false if this device has no network, since it is unknown. */
export function useOtherOnline({ online }: Pick<Conversation, 'online'>): boolean {
  return useOnline() && online;
}

export function OtherMark({ conversation }: { conversation: Conversation }) {
  const { side, business, worker } = conversation;
  return (
    <span className={useOtherOnline(conversation) ? 'chat-mark on' : 'chat-mark'}>
      {side === 'business' ? (
        <Avatar name={worker.name} src={fileUrl(worker.photoPath)} />
      ) : (
        <span className="chat-logo">
          <Avatar name={business.name} src={fileUrl(business.logoPath)} />
        </span>
      )}
    </span>
  );
}

/** The heading of the page (`level` h1), or of the part next to the list. Links to the record. */
export function ThreadTitle({
  conversation,
  level: Name,
}: {
  conversation: Conversation;
  level: 'h1' | 'h2';
}) {
  const { t } = useLingui();
  const now = useNow();
  const wide = useWide();
  const { messages } = useRoom(conversation.id).log;
  const online = useOtherOnline(conversation);
  // Presence comes first, because a short line may truncate the name.
  const note = [presenceText({ ...conversation, online }, now), personOf(conversation, messages)]
    .filter(Boolean)
    .join(' · ');
  return (
    <Link className="chat-title" to={chatRecordPath(conversation, wide)}>
      <OtherMark conversation={conversation} />
      <span className="grow">
        <span className="row g1">
          <Name className="strong clip chat-with" dir="auto">
            {chatPartnerName(conversation)}
          </Name>
          {conversation.muted ? (
            <Icon name="bell-slash" label={t`Muted`} className="chat-state-icon" />
          ) : null}
        </span>
        <span className="block xs mute clip" dir="auto">
          {conversation.job.title}
        </span>
        {note ? <span className="block xs mute clip">{note}</span> : null}
      </span>
    </Link>
  );
}

export function ThreadActions({ conversation }: { conversation: Conversation }) {
  const { t } = useLingui();
  const { Call } = useConversationSlots();
  const [menu, setMenu] = useState(false);
  return (
    <>
      {Call && conversation.engagementId ? (
        <Call engagementId={conversation.engagementId} side={conversation.side} />
      ) : null}
      <IconButton
        icon="dots-three-vertical"
        label={t`About this conversation`}
        aria-haspopup="dialog"
        onClick={() => setMenu(true)}
      />
      <ConversationMenu conversation={conversation} open={menu} onClose={() => setMenu(false)} />
    </>
  );
}
