import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/chat';
import { type ReactNode, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { formatCalendarDay } from '../../lib/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { stampText, systemText } from './chat-words.ts';
import { type MessageActs, MessageBubble } from './message-bubble.tsx';
import { OutgoingBubble } from './outgoing-bubble.tsx';
import { SystemLineRow } from './system-line.tsx';
import type { ThreadItem } from './thread.rules.ts';
import { useMessageKeys } from './use-message-keys.ts';

type MessageListProps = MessageActs & {
  items: readonly ThreadItem[];
  conversation: Conversation;
  me: string | null;
  writable: boolean;
  atStart: boolean;
  atEnd: boolean;
  loading: 'start' | 'earlier' | 'later' | null;
  /** What was asked last did not come. */
  failed: boolean;
  /** These two keep being the same functions, or each drawing would ask anew. */
  onEarlier: () => void;
  onLater: () => void;
  onNewest: () => Promise<void>;
  /** The newest place that was on screen. */
  onSeen: (seq: number) => void;
  /** Scrolls there and marks it; changes its `tick` to be done again. */
  target: { seq: number; tick: number } | null;
  /** Goes to the newest message each time its `tick` grows; unless `always`, only where one has not scrolled away from the end of what is shown. */
  ends: { tick: number; always: boolean };
  /** Leads back to where one writes. */
  onLeave: () => void;
  /** Stands above the first message. */
  head: ReactNode;
};

/** Nearer than this to the end, new messages keep the end in view. */
const nearPx = 80;
const loadWithinPx = 900;

/** The messages: only those near the window are drawn, so that ten thousand scroll like ten (ADR 0100). */
export function MessageList(props: MessageListProps) {
  const { t } = useLingui();
  const { items, me, atStart, atEnd, loading } = props;
  const help = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const sticks = useRef(true);
  const placed = useRef(false);
  const lastLook = useRef({ scrollTop: 0, scrollHeight: 0 });
  const [below, setBelow] = useState<{ away: boolean; from: number }>({ away: false, from: 0 });
  const [marked, setMarked] = useState<number | null>(null);

  // Earlier messages come in front: the place on screen is then kept from the end.
  const firstSeq = items[0]?.message?.seq ?? 0;
  const firstBefore = useRef(firstSeq);
  const shift = firstSeq < firstBefore.current;
  useLayoutEffect(() => {
    firstBefore.current = firstSeq;
  }, [firstSeq]);

  const lastIndex = items.length - 1;
  const toEnd = useCallback(() => list.current?.scrollToIndex(lastIndex, { align: 'end' }), [lastIndex]);

  const { target } = props;
  const targetIndex = target ? items.findIndex(({ message }) => message?.seq === target.seq) : -1;
  const targetSeq = target?.seq ?? null;
  const tick = target?.tick ?? 0;

  // Opened at what was sought, at the first unread message, or else at the newest.
  const unreadIndex = items.findIndex(({ unread }) => unread);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the first messages are there.
  useLayoutEffect(() => {
    if (placed.current || items.length === 0) return;
    placed.current = true;
    if (targetIndex >= 0) {
      sticks.current = false;
      list.current?.scrollToIndex(targetIndex, { align: 'center' });
    } else if (unreadIndex > 0) {
      sticks.current = false;
      list.current?.scrollToIndex(unreadIndex, { align: 'start' });
    } else toEnd();
  }, [items.length, unreadIndex, toEnd]);

  const newestKey = items.at(-1)?.key;
  const newestIsOwn = items.at(-1)?.outgoing !== null && items.length > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked when the newest line changes, not when others are drawn anew.
  useLayoutEffect(() => {
    if (!placed.current) return;
    if (sticks.current || newestIsOwn) {
      sticks.current = true;
      toEnd();
    }
  }, [newestKey, newestIsOwn]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each press, and once it has been loaded.
  useEffect(() => {
    if (targetIndex < 0 || targetSeq === null) return;
    sticks.current = false;
    list.current?.scrollToIndex(targetIndex, { align: 'center' });
    setMarked(targetSeq);
    const timer = setTimeout(() => setMarked(null), 1_800);
    return () => clearTimeout(timer);
  }, [targetSeq, tick, targetIndex >= 0]);

  const { onSeen, onEarlier, onLater } = props;
  const look = useCallback(() => {
    const handle = list.current;
    const box = scroller.current;
    if (!handle || !box || !placed.current) return;
    const { scrollTop, scrollHeight } = box;
    const left = scrollHeight - scrollTop - box.clientHeight;
    // Only who scrolls up themselves lets go of the end: lines that are still being measured move it too.
    const before = lastLook.current;
    lastLook.current = { scrollTop, scrollHeight };
    if (left <= nearPx && atEnd) sticks.current = true;
    else if (scrollTop < before.scrollTop - 2 && scrollHeight >= before.scrollHeight) sticks.current = false;
    const away = !sticks.current || !atEnd;
    const bottom = handle.findItemIndex(handle.scrollOffset + handle.viewportSize - 24);
    for (let index = Math.min(bottom, items.length - 1); index >= 0; index -= 1) {
      const seq = items[index]?.message?.seq;
      if (seq === undefined) continue;
      onSeen(seq);
      break;
    }
    setBelow((shown) =>
      shown.away === away
        ? shown
        : { away, from: items.findLast(({ message }) => message !== null)?.message?.seq ?? 0 },
    );
    if (scrollTop < loadWithinPx && !atStart) onEarlier();
    if (left < loadWithinPx && !atEnd) onLater();
  }, [items, atStart, atEnd, onSeen, onEarlier, onLater]);

  // What was loaded may not fill the window yet, and what came in may be on screen already. What failed is not asked over and over, but when the server answers again.
  const { failed } = props;
  useEffect(() => {
    if (failed) return;
    const timer = setTimeout(look, 60);
    return () => clearTimeout(timer);
  }, [look, failed]);

  const grown = useCallback(() => {
    if (sticks.current) toEnd();
  }, [toEnd]);

  // The window grows and shrinks with the composer and the keyboard of a phone.
  useEffect(() => {
    const box = scroller.current;
    if (!box || typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(grown);
    watch.observe(box);
    return () => watch.disconnect();
  }, [grown]);

  // After the newest part has come its end is another one.
  const toEndNow = useRef(toEnd);
  toEndNow.current = toEnd;
  const toNewest = async () => {
    await props.onNewest();
    sticks.current = true;
    await new Promise(requestAnimationFrame);
    toEndNow.current();
  };
  const { ends } = props;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once each time it is asked for.
  useEffect(() => {
    if (ends.tick > 0 && (ends.always || sticks.current)) void toNewest();
  }, [ends]);
  const keys = useMessageKeys({
    items,
    scroller,
    list,
    onMenu: props.onMenu,
    onNewest: toNewest,
    onLeave: props.onLeave,
  });

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
        {t`Arrow keys go from message to message, Enter shows what you can do with one, Escape leads back to the field.`}
      </p>
      {/* Drawn anew as one scrolls, so it must not read itself out: what comes in is told by the line of `thread.tsx`. */}
      <div
        ref={scroller}
        className="chat-scroll"
        role="log"
        aria-live="off"
        aria-label={t`Messages`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls is reached by key.
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
              lines={props}
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

function Line({
  item,
  lines,
  marked,
  newestOffer,
  head,
}: {
  item: ThreadItem;
  lines: MessageListProps;
  marked: boolean;
  newestOffer: boolean;
  head: ReactNode;
}) {
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
          <span>{t`Newer messages in between are not here yet`}</span>
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
}
