import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import { memo, type ReactNode, useId } from 'react';
import { Virtualizer } from 'virtua';
import { ApiError, type ApiErrorCode } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { useOnline } from '../../lib/device/online.ts';
import { formatCalendarDay } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useConversationSlots } from '../conversations/conversation-slots.tsx';
import { OutgoingFiles } from '../outbox/message-files.tsx';
import {
  dropMessage,
  type Outgoing,
  retryMessage,
  useSendProgress,
  useWaitsFor,
} from '../outbox/outbox.api.ts';
import { stampText, systemIcon, systemText } from './message.labels.ts';
import { type MessageActs, MessageBubble, MessageText, QuoteText } from './message-bubble.tsx';
import { isShallowEqual, type ThreadItem } from './thread.rules.ts';
import { useMessageKeys } from './use-message-keys.ts';
import { type ScrollOptions, useMessageScroll } from './use-message-scroll.ts';

type MessageListProps = MessageActs &
  ScrollOptions & {
    conversation: Conversation;
    me: string | null;
    writable: boolean;
    loading: 'start' | 'earlier' | 'later' | null;
    onLeave: () => void;
    head: ReactNode;
  };

/** The messages, virtualized: only messages near the window are rendered (ADR 100). */
export function MessageList(props: MessageListProps) {
  const { t } = useLingui();
  const { items, me, atStart, loading, conversation, writable, onMenu, onReply, onReact, onJump, onPhoto } =
    props;
  const help = useId();
  const { scroller, list, shift, marked, look, below, grown, toNewest } = useMessageScroll(props);
  const keys = useMessageKeys({
    items,
    scroller,
    list,
    onMenu,
    onNewest: toNewest,
    onLeave: props.onLeave,
  });

  const today = new Date().toDateString();
  let newestOffer = -1;
  for (const [index, { message }] of items.entries())
    if (message?.system?.line === 'offer-sent') newestOffer = index;

  const fresh = below.away
    ? items.filter(
        ({ message }) =>
          message !== null &&
          message.seq > below.from &&
          message.from !== null &&
          message.from.accountId !== me,
      ).length
    : 0;

  return (
    <div className="chat-thread">
      {loading === 'earlier' || loading === 'start' ? (
        <div className="chat-loading" role="status" aria-label={t`Loading`}>
          <span className="spin" />
        </div>
      ) : null}
      <p id={help} hidden>
        {t`Use the arrow keys to move between messages, Enter for actions and Escape to return to the message box.`}
      </p>
      {/* Re-rendered while scrolling, so it must not be a live region: `thread.tsx` announces new messages. */}
      <div
        ref={scroller}
        className="chat-scroll"
        role="log"
        aria-live="off"
        aria-label={t`Messages`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
        tabIndex={0}
        aria-describedby={help}
        onKeyDown={keys.onKeyDown}
        onFocus={keys.onFocus}
      >
        <div className="chat-fill" />
        <Virtualizer
          ref={list}
          scrollRef={scroller}
          shift={shift}
          data={items}
          keepMounted={keys.keepMounted}
          onScroll={look}
          onResize={grown}
        >
          {(item, index) => (
            <Line
              key={item.key}
              item={item}
              {...{ conversation, me, writable, onMenu, onReply, onReact, onJump, onPhoto }}
              today={today}
              marked={item.message !== null && item.message.seq === marked}
              newestOffer={index === newestOffer}
              head={index === 0 && atStart ? props.head : null}
            />
          )}
        </Virtualizer>
      </div>
      {below.away && items.length > 0 ? (
        <button
          type="button"
          className="chat-down"
          aria-label={fresh > 0 ? t`Go to the newest message, ${fresh} new` : t`Go to the newest message`}
          onClick={() => void toNewest()}
        >
          {fresh > 0 ? <span className="count num">{fresh > 99 ? '99+' : fresh}</span> : null}
          <Icon name="arrow-down" />
        </button>
      ) : null}
    </div>
  );
}

type LineProps = MessageActs & {
  item: ThreadItem;
  conversation: Conversation;
  me: string | null;
  writable: boolean;
  marked: boolean;
  newestOffer: boolean;
  head: ReactNode;
  today: string;
};

/** Compares lines by value: every item is a new object whenever any message changes. */
function isSameLine({ item: before, ...past }: LineProps, { item: now, ...present }: LineProps): boolean {
  return isShallowEqual(before, now) && isShallowEqual(past, present);
}

/** Memoized: rendering all visible lines takes a slow phone a tenth of a second. */
const Line = memo(function Line({ item, marked, newestOffer, head, ...lines }: LineProps) {
  const { t } = useLingui();
  const { message, outgoing } = item;
  const words = useId();
  const isMine = outgoing !== null || (message?.from != null && message.from.accountId === lines.me);
  const system = message?.system ?? null;
  const name = isMine
    ? t`You`
    : system
      ? systemText(system, lines.conversation)
      : (message?.from?.name ?? '');
  const time = stampText(message?.at ?? outgoing?.at ?? '');
  return (
    <article
      className={item.first ? 'chat-item first' : 'chat-item'}
      data-line={item.key}
      tabIndex={-1}
      aria-label={t`${name}, ${time}`}
      aria-describedby={system ? undefined : words}
    >
      {head}
      {item.day ? (
        <h2 className="chat-day">
          <span>{formatCalendarDay(item.day, { style: 'short' })}</span>
        </h2>
      ) : null}
      {item.gap ? (
        <p className="chat-day">
          <span>{t`Newer messages haven't loaded yet`}</span>
        </p>
      ) : null}
      {item.unread ? (
        <p className="chat-new">
          <span>{t`New`}</span>
        </p>
      ) : null}
      {message?.kind === 'system' ? (
        <SystemLineRow message={message} conversation={lines.conversation} newestOffer={newestOffer} />
      ) : null}
      {message && message.kind !== 'system' ? (
        <MessageBubble
          message={message}
          words={words}
          conversation={lines.conversation}
          me={lines.me}
          named={item.named}
          last={item.last}
          marked={marked}
          writable={lines.writable}
          onMenu={lines.onMenu}
          onReply={lines.onReply}
          onReact={lines.onReact}
          onJump={lines.onJump}
          onPhoto={lines.onPhoto}
        />
      ) : null}
      {outgoing && !message ? <OutgoingBubble entry={outgoing} words={words} /> : null}
    </article>
  );
}, isSameLine);

/** A work event between messages; the newest offer has its card below while it is pending. */
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
  const text = systemText(message.system, conversation);
  const inside = (
    <>
      <Icon name={systemIcon(message.system.line)} />
      <span dir="auto">
        <span className="chat-sys-text">{text}</span>{' '}
        {/* The dot stays next to the time where the line breaks. */}
        <span className="num nowrap">
          · <time dateTime={message.at}>{stampText(message.at)}</time>
        </span>
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

function OutgoingBubble({ entry, words }: { entry: Outgoing; words: string }) {
  const { t } = useLingui();
  const online = useOnline();
  const progress = useSendProgress(entry.clientId);
  const waitsFor = useWaitsFor(entry.conversationId);
  const hasFailed = entry.refusal !== null;
  const percent = progress === null ? null : Math.round(progress * 100);
  const sendingText = () => {
    if (percent !== null && entry.files.length > 0) return t`Sending, ${percent}%`;
    if (!online || waitsFor === 'connection') return t`Waiting for a connection`;
    return waitsFor === 'server' ? t`Not sent yet. Trying again.` : t`Sending`;
  };
  return (
    <div className="chat-line me">
      <div className="chat-row">
        <div id={words} className={hasFailed ? 'msg me failed' : 'msg me waiting'}>
          <span className="vh">{t`You:`} </span>
          {entry.replyTo ? (
            <span className="chat-quote">
              <QuoteText reply={entry.replyTo} />
            </span>
          ) : null}
          {entry.files.length > 0 ? <OutgoingFiles entry={entry} /> : null}
          {entry.body ? <MessageText body={entry.body} /> : null}
        </div>
      </div>
      {hasFailed ? (
        <div className="chat-failed" role="alert">
          <p className="xs danger">
            <Icon name="warning-circle" />
            {t`Not sent.`} {errorText(new ApiError(entry.refusal as ApiErrorCode))}
          </p>
          <span className="row g1 wrap">
            <Button kind="text" size="xs" onClick={() => void retryMessage(entry.clientId)}>
              {t`Send again`}
            </Button>
            <Button kind="text" size="xs" onClick={() => void dropMessage(entry.clientId)}>
              {t`Delete`}
            </Button>
          </span>
        </div>
      ) : (
        <span className="stamp">
          <Icon name="clock" />
          <time dateTime={entry.at} className="num">
            {stampText(entry.at)}
          </time>
          <span>{sendingText()}</span>
        </span>
      )}
    </div>
  );
}
