import { Trans, useLingui } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import {
  type FocusEvent,
  type KeyboardEvent,
  memo,
  type ReactNode,
  type RefObject,
  useId,
  useRef,
  useState,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { ApiError, type ApiErrorCode } from '../../lib/api/api-error.ts';
import { errorText } from '../../lib/api/error-text.ts';
import { useOnline } from '../../lib/device/online.ts';
import { formatCalendarDay } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Dial } from '../../ui/art/ring-figures.tsx';
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
import { type MessageActs, MessageBubble, MessageText, QuoteText } from './message-bubble.tsx';
import { dialOf, stampText, systemText } from './message-text.ts';
import { isShallowEqual, type ThreadItem } from './thread.rules.ts';
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

/** The messages, virtualized: only those near the window are rendered (ADR 100). */
export function MessageList(props: MessageListProps) {
  const { t } = useLingui();
  const { items, me, atStart, loading, conversation, writable, onMenu, onReply, onReact, onJump } = props;
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
          {...(keys.keepMounted ? { keepMounted: keys.keepMounted } : {})}
          onScroll={look}
          onResize={grown}
        >
          {(item, index) => (
            <Line
              key={item.key}
              item={item}
              {...{ conversation, me, writable, onMenu, onReply, onReact, onJump }}
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
  const own = outgoing !== null || (message?.from != null && message.from.accountId === lines.me);
  const system = message?.system ?? null;
  const name = own ? t`You` : system ? systemText(system, lines.conversation) : (message?.from?.name ?? '');
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
      ) : message ? (
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
        />
      ) : outgoing ? (
        <OutgoingBubble entry={outgoing} words={words} />
      ) : null}
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

function OutgoingBubble({ entry, words }: { entry: Outgoing; words: string }) {
  const { t } = useLingui();
  const online = useOnline();
  const progress = useSendProgress(entry.clientId);
  const waitsFor = useWaitsFor(entry.conversationId);
  const failed = entry.refusal !== null;
  const percent = progress === null ? null : Math.round(progress * 100);
  return (
    <div className="chat-line me">
      <div className="chat-row">
        <div id={words} className={failed ? 'msg me failed' : 'msg me waiting'}>
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
      {failed ? (
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
          <span>
            {percent !== null && entry.files.length > 0
              ? t`Sending, ${percent}%`
              : !online || waitsFor === 'connection'
                ? t`Waiting for a connection`
                : waitsFor === 'server'
                  ? t`Not sent yet. Trying again.`
                  : t`Sending`}
          </span>
        </span>
      )}
    </div>
  );
}

type MessageKeys = {
  items: readonly ThreadItem[];
  scroller: RefObject<HTMLDivElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  onMenu: (message: Message, beside: HTMLElement) => void;
  onNewest: () => Promise<void>;
  onLeave: () => void;
};

const lineOf = (element: Element | null) => element?.closest<HTMLElement>('[data-line]') ?? null;

/** Keyboard navigation of messages (ADR 100). Returns the handler, and the focused line, which must stay rendered. */
export function useMessageKeys({ items, scroller, list, onMenu, onNewest, onLeave }: MessageKeys) {
  const [current, setCurrent] = useState<string | null>(null);
  const now = useRef(items);
  now.current = items;

  const go = (index: number) => {
    const item = now.current[index];
    if (!item) return;
    setCurrent(item.key);
    const focus = () => {
      const line = scroller.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(item.key)}"]`);
      line?.focus({ preventScroll: true });
      line?.scrollIntoView({ block: 'nearest' });
      return line != null;
    };
    if (focus()) return;
    list.current?.scrollToIndex(index, { align: 'nearest' });
    setTimeout(focus, 50);
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target as HTMLElement;
    // An enlarged photo, or a form in the conversation, has its own keys.
    if (target.closest('dialog, input, textarea, select')) return;
    const line = lineOf(target);
    const at = line ? items.findIndex(({ key }) => key === line.dataset.line) : -1;
    const act = (run: () => void) => {
      event.preventDefault();
      run();
    };
    switch (event.key) {
      case 'ArrowUp':
        return act(() => go(at === -1 ? items.length - 1 : at - 1));
      case 'ArrowDown':
        return act(() => go(at === -1 ? items.length - 1 : at + 1));
      case 'Home':
        return act(() => go(0));
      case 'End':
        return act(() => {
          void onNewest().then(() => {
            const focused = document.activeElement;
            // The focused line was removed or is still in the list; otherwise the person has moved on.
            if (focused === document.body || scroller.current?.contains(focused)) go(now.current.length - 1);
          });
        });
      case 'Escape':
        return act(onLeave);
      case 'Enter':
      case 'ContextMenu': {
        // On a button or a link, Enter activates that control.
        if (event.key === 'Enter' && target !== line) return;
        const message = items[at]?.message;
        if (line && message?.kind === 'text' && message.redactedAt === null)
          act(() => onMenu(message, line.querySelector<HTMLElement>('.msg') ?? line));
      }
    }
  };

  // A line stays rendered while the focus may return to it, also from a menu.
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const key = lineOf(event.target)?.dataset.line;
    if (key !== undefined) setCurrent(key);
  };

  const focusedIndex = current === null ? -1 : items.findIndex(({ key }) => key === current);
  return { onKeyDown, onFocus, keepMounted: focusedIndex === -1 ? undefined : [focusedIndex] };
}
