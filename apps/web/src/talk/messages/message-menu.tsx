import { useLingui } from '@lingui/react/macro';
import { minuteMs } from '@nearhand/contract/durations';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { talkLimits } from '@nearhand/contract/talk/limits';
import type { Message, Reaction } from '@nearhand/contract/talk/messages';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { hasFinePointer } from '../../lib/device/platform.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { ListRow } from '../../ui/card.tsx';
import { IconButton } from '../../ui/controls/button.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Popover } from '../../ui/overlays/popover.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ChatReportForm } from '../chat-reports/report-form.tsx';
import { reactionIcon, reactions, reactionText, stampText } from './message.labels.ts';
import { storeMessages } from './message-store.api.ts';
import { redactMessage } from './messages.api.ts';
import { editableUntil } from './thread.rules.ts';

type MessageMenuProps = {
  message: Message | null;
  beside: HTMLElement | null;
  conversation: Conversation;
  me: string | null;
  writable: boolean;
  onClose: () => void;
  onReply: (message: Message) => void;
  onEdit: (message: Message) => void;
  onReact: (message: Message, reaction: Reaction | null) => void;
};

export function MessageMenu({ message, beside, ...props }: MessageMenuProps) {
  const { t } = useLingui();
  const [reporting, setReporting] = useState(false);
  const close = () => {
    setReporting(false);
    props.onClose();
  };
  const title = message ? t`${message.from?.name ?? ''}, ${stampText(message.at)}` : '';
  const acts = message && !reporting && (
    <Acts {...props} message={message} onClose={close} onReport={() => setReporting(true)} />
  );
  const isPopover = hasFinePointer();
  return (
    <>
      {isPopover ? (
        <Popover open={Boolean(acts)} onClose={close} label={title} anchor={beside}>
          {acts}
        </Popover>
      ) : null}
      <Sheet
        open={message !== null && (reporting || !isPopover)}
        onClose={close}
        title={reporting ? t`Report this message` : title}
      >
        {message && reporting ? (
          <ChatReportForm conversationId={props.conversation.id} seq={message.seq} onDone={close} />
        ) : (
          acts
        )}
      </Sheet>
    </>
  );
}

function ReactionRow({
  message,
  onReact,
}: {
  message: Message;
  /** Null removes the reaction. */
  onReact: (reaction: Reaction | null) => void;
}) {
  const { t } = useLingui();
  return (
    <ReasonGroup>
      {/* biome-ignore lint/a11y/useSemanticElements: a row of icons needs no fieldset with border and legend. */}
      <div className="chat-react-row" role="group" aria-label={t`React`}>
        {reactions.map((reaction) => {
          const isMine = message.reactions.some((item) => item.reaction === reaction && item.mine);
          return (
            <IconButton
              key={reaction}
              icon={reactionIcon[reaction]}
              label={reactionText(reaction)}
              aria-pressed={isMine}
              needsNetwork
              onClick={() => onReact(isMine ? null : reaction)}
            />
          );
        })}
      </div>
      <SharedReason />
    </ReasonGroup>
  );
}

function Acts({
  message,
  conversation,
  me,
  writable,
  onClose,
  onReply,
  onEdit,
  onReact,
  onReport,
}: Omit<MessageMenuProps, 'message' | 'beside'> & { message: Message; onReport: () => void }) {
  const { t } = useLingui();
  const now = useNow(5_000);
  const isMine = message.from?.accountId === me;
  const until = editableUntil(message, talkLimits.chatEditMinutes);
  const minutes = Math.max(1, Math.ceil((until - now.getTime()) / minuteMs));
  const canEdit = isMine && writable && now.getTime() < until && message.body !== '';
  const act = (run: () => void) => () => {
    onClose();
    run();
  };
  const deleteMessage = async () => {
    const answer = await showAlert({
      tone: 'ask',
      title: t`Delete this message?`,
      message: t`Its text and files are removed for both of you. A note that it was deleted stays.`,
      buttons: [
        { value: 'yes', label: t`Delete message`, kind: 'bad' },
        { value: 'no', label: t`Keep message` },
      ],
    });
    if (answer !== 'yes') return;
    try {
      storeMessages(conversation.id, [await redactMessage(conversation.id, message.seq)]);
    } catch (error) {
      showToast(errorText(error));
    }
  };
  return (
    <>
      {writable ? (
        <ReactionRow
          message={message}
          onReact={(reaction) => {
            onClose();
            onReact(message, reaction);
          }}
        />
      ) : null}
      {writable ? (
        <ListRow
          lead={<Icon name="arrow-bend-up-left" flip />}
          title={t`Reply to this message`}
          onClick={act(() => onReply(message))}
        />
      ) : null}
      {message.body ? (
        <ListRow
          lead={<Icon name="copy" />}
          title={t`Copy text`}
          onClick={act(() => {
            navigator.clipboard?.writeText(message.body).then(
              () => showToast(t`Copied`),
              () => showToast(t`Your browser didn't allow copying`),
            );
          })}
        />
      ) : null}
      {canEdit ? (
        <ListRow
          lead={<Icon name="pencil-simple" />}
          title={t`Edit`}
          note={t`${minutes} min left`}
          needsNetwork
          onClick={act(() => onEdit(message))}
        />
      ) : null}
      {isMine ? (
        <ListRow
          lead={<Icon name="trash" />}
          title={t`Delete message`}
          needsNetwork
          onClick={act(() => void deleteMessage())}
        />
      ) : (
        <ListRow lead={<Icon name="flag" />} title={t`Report this message`} needsNetwork onClick={onReport} />
      )}
    </>
  );
}
