import { Trans, useLingui } from '@lingui/react/macro';
import type { StoredFile } from '@nearhand/contract/people/files';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message, Reaction } from '@nearhand/contract/talk/messages';
import type { ReactNode } from 'react';
import { Icon } from '../../ui/art/icon.tsx';
import { PlainButton } from '../../ui/controls/plain-button.tsx';
import { isPicture, MessageFiles } from '../outbox/message-files.tsx';
import { reactionIcon, reactionText, stampText } from './message.labels.ts';
import { deliveryOf, textPieces } from './thread.rules.ts';
import { useMessageSwipe } from './use-swipe.ts';

export type MessageActs = {
  onMenu: (message: Message, beside: HTMLElement) => void;
  onReply: (message: Message) => void;
  onReact: (message: Message, reaction: Reaction | null) => void;
  onJump: (seq: number) => void;
  onPhoto: (file: StoredFile, from: string) => void;
};

type BubbleProps = MessageActs & {
  message: Message;
  words: string;
  conversation: Conversation;
  me: string | null;
  named: boolean;
  last: boolean;
  marked: boolean;
  writable: boolean;
};

export function MessageBubble(props: BubbleProps) {
  const { t } = useLingui();
  const { message, conversation, me, writable } = props;
  const isMine = message.from?.accountId === me;
  const isOurs = message.from?.side === conversation.side;
  const isDeleted = message.redactedAt !== null;
  const name = message.from?.name ?? '';
  // Several people write for a business; the worker is always the same.
  const showsName = props.named && (isOurs || message.from?.side === 'business');
  const swipe = useMessageSwipe(
    () => writable && !isDeleted && props.onReply(message),
    (bubble) => !isDeleted && props.onMenu(message, bubble),
  );
  const isBare = !isDeleted && message.body === '' && message.files.length > 0 && message.replyTo === null;
  const hasPhotos = !isDeleted && message.files.some(({ mediaType }) => isPicture(mediaType));
  return (
    <div
      className={['chat-line', isOurs ? 'me' : 'them', props.marked ? 'marked' : '']
        .filter(Boolean)
        .join(' ')}
    >
      {showsName ? (
        <span className="chat-name xs mute" dir="auto">
          {name}
        </span>
      ) : null}
      <div className="chat-row">
        <div
          id={props.words}
          className={[
            'msg',
            isOurs ? 'me' : 'them',
            isBare ? 'pic' : '',
            isDeleted ? 'gone' : '',
            hasPhotos ? 'photos' : '',
          ]
            .filter(Boolean)
            .join(' ')}
          {...swipe}
        >
          <span className="vh">{isMine ? t`You:` : t`${name}:`} </span>
          {isDeleted ? (
            <span className="chat-tomb">
              <Icon name="prohibit" />
              {isMine ? t`You deleted this message` : t`Message deleted`}
            </span>
          ) : (
            <>
              {message.replyTo ? <Quote reply={message.replyTo} onJump={props.onJump} /> : null}
              {message.files.length > 0 ? (
                <MessageFiles files={message.files} from={name} onPhoto={props.onPhoto} />
              ) : null}
              {message.body ? <MessageText body={message.body} /> : null}
            </>
          )}
        </div>
        {isDeleted ? null : (
          <button
            type="button"
            className="ib chat-more"
            // Focused by arrow keys (`message-list.tsx`): a tab stop per bubble would be too many.
            tabIndex={-1}
            aria-label={
              isMine
                ? t`Actions for your message, ${stampText(message.at)}`
                : t`Actions for the message from ${name}, ${stampText(message.at)}`
            }
            aria-haspopup="dialog"
            onClick={({ currentTarget }) =>
              props.onMenu(
                message,
                (currentTarget.previousElementSibling as HTMLElement | null) ?? currentTarget,
              )
            }
          >
            <Dots />
          </button>
        )}
      </div>
      {message.reactions.length > 0 && !isDeleted ? (
        <Reactions message={message} disabled={!writable} onReact={props.onReact} />
      ) : null}
      {isDeleted ? null : <MessageWarning message={message} hired={conversation.hired} ours={isOurs} />}
      {props.last || message.editedAt ? (
        <span className="stamp">
          {message.editedAt && !isDeleted ? <span>{t`edited`}</span> : null}
          <time dateTime={message.at} className="num">
            {stampText(message.at)}
          </time>
          {isMine && props.last && !isDeleted ? (
            <Delivery message={message} conversation={conversation} />
          ) : null}
        </span>
      ) : null}
    </div>
  );
}

/** Drawn here: looking it up in the sprite for each line slows down a fast scroll. */
const Dots = () => (
  <svg className="i" viewBox="0 0 256 256" aria-hidden="true">
    <path d="M140 128a12 12 0 1 1-24 0a12 12 0 1 1 24 0Zm68 0a12 12 0 1 1-24 0a12 12 0 1 1 24 0Zm-136 0a12 12 0 1 1-24 0a12 12 0 1 1 24 0Z" />
  </svg>
);

/** A text as written, with clickable links. Each bubble has its own text direction. */
export function MessageText({ body }: { body: string }) {
  return (
    <p className="chat-text" dir="auto">
      {textPieces(body).map(({ text, href }, index) =>
        href === null ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece of text has no identity but its index.
          <a key={index} href={href} target="_blank" rel="noopener noreferrer nofollow">
            {text}
          </a>
        ),
      )}
    </p>
  );
}

type Reply = NonNullable<Message['replyTo']>;

function Quote({ reply, onJump }: { reply: Reply; onJump: (seq: number) => void }) {
  const { t } = useLingui();
  return (
    <button type="button" className="chat-quote" onClick={() => onJump(reply.seq)}>
      <span className="vh">{t`In reply to`} </span>
      <QuoteText reply={reply} />
    </button>
  );
}

export function QuoteText({ reply }: { reply: Pick<Reply, 'name' | 'excerpt'> & { redacted?: boolean } }) {
  const { t } = useLingui();
  return (
    <>
      <span className="block strong clip" dir="auto">
        {reply.name}
      </span>
      <span className="block clip" dir="auto">
        {reply.redacted ? t`Message deleted` : reply.excerpt || t`Photo or file`}
      </span>
    </>
  );
}

function Reactions({
  message,
  disabled,
  onReact,
}: {
  message: Message;
  disabled: boolean;
  onReact: MessageActs['onReact'];
}) {
  const { t } = useLingui();
  return (
    <span className="chat-reactions">
      {message.reactions.map(({ reaction, count, mine }) => (
        <PlainButton
          key={reaction}
          className="chat-reaction"
          aria-pressed={mine}
          disabled={disabled}
          needsNetwork
          small
          aria-label={
            mine ? t`${reactionText(reaction)}, ${count}, yours too` : t`${reactionText(reaction)}, ${count}`
          }
          onClick={() => onReact(message, mine ? null : reaction)}
        >
          <Icon name={reactionIcon[reaction]} />
          {count > 1 ? <span className="num">{count}</span> : null}
        </PlainButton>
      ))}
    </span>
  );
}

/**
 * Warns both sides about contact details before a hire, or about paying outside Nearhand. The message is still
 * delivered.
 */
function MessageWarning({
  message,
  hired,
  ours,
}: {
  message: Message;
  hired: boolean;
  ours: boolean;
}): ReactNode {
  const payment = message.warnings.includes('payment');
  if (!payment && (hired || message.warnings.length === 0)) return null;
  return (
    <span className="chat-warning xs">
      <Icon name="warning" />
      {payment ? (
        ours ? (
          <Trans>This is about paying outside Nearhand. Such pay isn't protected.</Trans>
        ) : (
          <Trans>Don't agree to pay outside Nearhand. It isn't protected. You can report this message.</Trans>
        )
      ) : ours ? (
        <Trans>
          This contains contact details. Pay and terms aren't protected until you agree on them here.
        </Trans>
      ) : (
        <Trans>
          Be careful with contact details. What you agree or pay outside Nearhand isn't protected.
        </Trans>
      )}
    </span>
  );
}

function Delivery({ message, conversation }: { message: Message; conversation: Conversation }) {
  const { t } = useLingui();
  const state = deliveryOf(message.seq, conversation.theirs);
  const words = { sent: t`Sent`, delivered: t({ message: 'Delivered', context: 'message' }), read: t`Read` };
  return (
    <>
      <Icon name={state === 'sent' ? 'check' : 'checks'} className={state === 'read' ? 'chat-read' : ''} />
      <span>{words[state]}</span>
    </>
  );
}
