import { useLingui } from '@lingui/react/macro';
import { dayIn } from '@nearhand/contract/durations';
import { limits } from '@nearhand/contract/limits';
import type { StoredFile } from '@nearhand/contract/people/files';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message, Reaction } from '@nearhand/contract/talk/messages';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { onBackOnline, useOnline } from '../../lib/device/online.ts';
import { onSignal, setOpenConversation, useConnected } from '../../lib/realtime/realtime.ts';
import { useUser } from '../../lib/session.ts';
import { ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Button } from '../../ui/controls/button.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ErrorState } from '../../ui/pages/states.tsx';
import { chatPartnerName, closedConversationText } from '../conversations/conversation.labels.ts';
import { useBlockConversation } from '../conversations/conversations.api.ts';
import { readUpTo } from '../conversations/receipts.api.ts';
import { Composer, type Writing } from '../outbox/composer.tsx';
import { PhotoViewer } from '../outbox/message-files.tsx';
import { useOutgoing } from '../outbox/outbox.api.ts';
import { messageLine } from './message.labels.ts';
import { MessageList } from './message-list.tsx';
import { MessageMenu } from './message-menu.tsx';
import {
  type ConversationRoom,
  fillRoom,
  goToNewest,
  goToPlace,
  loadEarlier,
  loadLater,
  openRoom,
  storeMessages,
  useRoom,
} from './message-store.api.ts';
import { messagesAround } from './message-store.rules.ts';
import { reactToMessage } from './messages.api.ts';
import { threadItems } from './thread.rules.ts';
import { RoomOutdated, ThreadSkeleton } from './thread-skeleton.tsx';

const pollMs = 5_000;

type ThreadProps = {
  conversation: Conversation;
  /** A message to open at, from a search; `key` changes when it is requested again. */
  at: { seq: number; key: string } | null;
  onBack: () => void;
};

/** The callbacks of the message list. They keep their identity, so that its rows don't render again. */
function useMessageActs(id: string) {
  const onSeen = useCallback(
    (seq: number) => {
      if (document.visibilityState === 'visible') readUpTo(id, seq);
    },
    [id],
  );
  const onEarlier = useCallback(() => void loadEarlier(id), [id]);
  const onLater = useCallback(() => void loadLater(id), [id]);
  const onReact = useCallback(
    (message: Message, reaction: Reaction | null) => {
      reactToMessage(id, message.seq, reaction).then(
        (changed) => storeMessages(id, [changed]),
        (error: unknown) => showToast(errorText(error)),
      );
    },
    [id],
  );
  return { onSeen, onEarlier, onLater, onReact };
}

/** A whole conversation. Use the conversation's id as its key. */
export function Thread({ conversation, at, onBack }: ThreadProps) {
  const { id } = conversation;
  const me = useUser()?.id ?? null;
  const room = useRoom(id);
  const [menu, setMenu] = useState<{ message: Message; beside: HTMLElement } | null>(null);
  const [photo, setPhoto] = useState<{ file: StoredFile; from: string } | null>(null);
  const threadElement = useRef<HTMLDivElement>(null);
  const [writing, setWriting] = useState<Writing>({ kind: 'new' });
  // Unread messages stay marked while the conversation is open, even after they were read.
  const [opened] = useState({ readSeq: conversation.readSeq, unread: conversation.unread });
  const { target, ends, toNewest, onJump } = useThreadPlace(id, opened, at);
  useKeepFresh(id);
  useEffect(() => {
    setOpenConversation(id);
    return () => setOpenConversation(null);
  }, [id]);

  const { messages, mine, items, atEnd, wroteHere } = useThreadItems({ id, room, me, opened, toNewest });
  const closedReason = closedConversationText(conversation);
  const isWritable = closedReason === null;
  const acts = useMessageActs(id);
  const onMenu = useCallback((message: Message, beside: HTMLElement) => setMenu({ message, beside }), []);
  const onPhoto = useCallback((file: StoredFile, from: string) => setPhoto({ file, from }), []);
  const toField = () => {
    const field = threadElement.current?.querySelector('textarea');
    if (field) field.focus();
    else onBack();
  };
  const toMessages = () =>
    [...(threadElement.current?.querySelectorAll<HTMLElement>('[data-line]') ?? [])].at(-1)?.focus();
  const jump = useCallback((seq: number) => void onJump(seq), [onJump]);
  const onReply = useCallback((message: Message) => setWriting({ kind: 'reply', to: message }), []);

  const head = useMemo(() => <ThreadHead conversation={conversation} />, [conversation]);

  const isEmpty = messages.length === 0 && mine.length === 0;
  return (
    <div className="chat-room" ref={threadElement}>
      <RoomState id={id} room={room} isEmpty={isEmpty}>
        <MessageList
          {...acts}
          items={items}
          conversation={conversation}
          me={me}
          writable={isWritable}
          atStart={(messages[0]?.seq ?? 1) <= 1}
          atEnd={atEnd}
          loading={room.loading}
          failed={room.error !== null}
          onNewest={() => goToNewest(id)}
          onMenu={onMenu}
          onLeave={toField}
          onReply={onReply}
          onJump={jump}
          onPhoto={onPhoto}
          target={target}
          ends={ends}
          head={head}
        />
      </RoomState>
      <Announce messages={messages} me={me} />
      <TypingLine conversation={conversation} me={me} />
      {closedReason === null ? (
        <Composer
          conversation={conversation}
          writing={writing}
          onWriting={setWriting}
          onUp={toMessages}
          onBack={onBack}
          onSent={() => {
            // A new message is below the newest one, which is far from a search match.
            if (atEnd) return;
            wroteHere();
            toNewest();
          }}
          // Quick replies would flash before the messages have loaded.
          quiet={isRoomLoaded(room) && messages.every((message) => message.from?.accountId !== me)}
        />
      ) : (
        <ThreadFoot conversation={conversation} text={closedReason} />
      )}
      {photo ? <PhotoViewer {...photo} onClose={() => setPhoto(null)} /> : null}
      <MessageMenu
        message={menu?.message ?? null}
        beside={menu?.beside ?? null}
        conversation={conversation}
        me={me}
        writable={isWritable}
        onClose={() => setMenu(null)}
        onReply={onReply}
        onEdit={(message) => setWriting({ kind: 'edit', message })}
        onReact={acts.onReact}
      />
    </div>
  );
}

type Room = ReturnType<typeof useRoom>;

const isRoomLoaded = ({ log, loading }: Room): boolean => log.base !== null && loading !== 'start';

type RoomStateProps = { id: string; room: Room; isEmpty: boolean; children: ReactNode };

/** The messages, or an error or a skeleton while there are none; above them a note if they are not up to date. */
function RoomState({ id, room, isEmpty, children }: RoomStateProps) {
  const { t } = useLingui();
  const online = useOnline();
  if (isEmpty && !isRoomLoaded(room))
    return room.error ? (
      <div className="chat-thread chat-state">
        <ErrorState
          title={t`We couldn't load the messages`}
          text={errorText(room.error)}
          busy={room.loading === 'start'}
          onRetry={() => void openRoom(id, null)}
        />
      </div>
    ) : (
      <ThreadSkeleton />
    );
  return (
    <>
      {!online || (room.error && room.updatedAt > 0) ? (
        <RoomOutdated
          updatedAt={room.updatedAt}
          error={online ? room.error : null}
          onRetry={() => void fillRoom(id)}
        />
      ) : null}
      {children}
    </>
  );
}

function ThreadHead({ conversation }: { conversation: Conversation }) {
  const { t } = useLingui();
  const name = chatPartnerName(conversation);
  const { title } = conversation.job;
  return (
    <p className="chat-start xs mute">
      {t`This is the start of your conversation with ${name} about ${title}.`}{' '}
      {t`Agree and pay through Nearhand to keep terms and pay protected.`}
    </p>
  );
}

function useKeepFresh(id: string): void {
  const connected = useConnected();
  const online = useOnline();
  useEffect(() => {
    const fill = () => {
      if (document.visibilityState === 'visible') void fillRoom(id);
    };
    const stop = onSignal((signal) => {
      if (signal.kind === 'resync') fill();
    });
    document.addEventListener('visibilitychange', fill);
    const stopWatching = onBackOnline(fill);
    return () => {
      stop();
      document.removeEventListener('visibilitychange', fill);
      stopWatching();
    };
  }, [id]);
  useEffect(() => {
    if (connected || !online) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void fillRoom(id);
    }, pollMs);
    return () => clearInterval(timer);
  }, [id, connected, online]);
  // A new socket does not report earlier changes.
  useEffect(() => {
    if (connected) void fillRoom(id);
  }, [id, connected]);
}

/** Announces new messages while the conversation is open; the list re-renders constantly and is silent. */
function Announce({ messages, me }: { messages: readonly Message[]; me: string | null }) {
  const { t } = useLingui();
  const last = messages.at(-1);
  const from = useRef<number | null>(null);
  const [text, setText] = useState('');
  const seq = last?.seq ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per new message.
  useEffect(() => {
    if (seq === 0) return;
    const before = from.current;
    from.current = seq;
    if (before === null || seq <= before || !last?.from || last.from.accountId === me) return;
    const { name } = last.from;
    setText(t`${name}: ${messageLine(last)}`);
  }, [seq]);
  return (
    <p className="vh" role="status">
      {text}
    </p>
  );
}

function ThreadFoot({ conversation, text }: { conversation: Conversation; text: string }) {
  const { t } = useLingui();
  const block = useBlockConversation();
  const isByMe = conversation.blockedBy === 'you' || conversation.blockedBy === 'both';
  return (
    <div className="chat-foot">
      <div className="chat-closed">
        <Icon name={conversation.state === 'read_only' ? 'lock-key' : 'prohibit'} />
        <p className="grow sm">{text}</p>
        {conversation.state === 'blocked' && isByMe ? (
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

/** True until their message arrives, or a timeout. */
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

/** Shows that the other person is typing. */
function TypingLine({ conversation, me }: { conversation: Conversation; me: string | null }) {
  const { t } = useLingui();
  const typing = useTyping(conversation, me);
  const name = chatPartnerName(conversation);
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

const days = new Map<string, string>();
/** An instant's day for the reader; called for every message, so cached by minute. */
function dayOf(at: string): string {
  const minute = at.slice(0, 16);
  const cached = days.get(minute);
  if (cached) return cached;
  if (days.size > 20_000) days.clear();
  const day = dayIn(ownTimeZone(), at);
  days.set(minute, day);
  return day;
}

function useThreadItems({
  id,
  room,
  me,
  opened,
  toNewest,
}: {
  id: string;
  room: ConversationRoom;
  me: string | null;
  opened: Opened;
  toNewest: (always?: boolean) => void;
}) {
  const online = useOnline();
  const waiting = useOutgoing();
  const messages = useMemo(() => messagesAround(room.log, room.anchor), [room.log, room.anchor]);
  const newest = messages.at(-1)?.seq ?? 0;
  // The device's own message has overtaken one still loading: it stays on screen until the gap is closed.
  const ahead = useMemo(
    () =>
      newest === 0 || newest >= room.log.lastSeq
        ? []
        : [...room.log.messages.values()].filter(
            (message) => message.seq > newest && message.seq <= newest + 20 && message.clientId !== null,
          ),
    [room.log, newest],
  );
  const atEnd = newest + ahead.length >= room.log.lastSeq;
  const queued = useMemo(() => waiting.filter((entry) => entry.conversationId === id), [waiting, id]);
  // A message written below an older part stays there until the newest part has loaded.
  const [wroteHere, setWroteHere] = useState(false);
  const { lastSeq } = room.log;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the network returns and when the newest messages have arrived.
  useEffect(() => {
    if (atEnd) setWroteHere(false);
    else if (wroteHere && online) toNewest(false);
  }, [online, lastSeq, atEnd]);
  const items = useMemo(
    () =>
      threadItems({
        messages: ahead.length > 0 ? [...messages, ...ahead] : messages,
        outgoing: queued,
        me,
        readSeq: opened.unread > 0 ? opened.readSeq : null,
        atEnd,
        wroteHere,
        dayOf,
      }),
    [messages, ahead, queued, me, atEnd, wroteHere, opened],
  );
  return { messages, mine: queued, items, atEnd, wroteHere: () => setWroteHere(true) };
}

type Opened = { readSeq: number; unread: number };

/** Opens a conversation at the search match, at the first unread message or at the newest, and jumps in it. */
function useThreadPlace(id: string, opened: Opened, at: { seq: number; key: string } | null) {
  const [target, setTarget] = useState<{ seq: number; tick: number } | null>(null);
  const followed = useRef<string | null>(null);
  const soughtBefore = useRef<number | null>(null);
  // Makes the list scroll to the newest message whenever `tick` changes.
  const [ends, setEnds] = useState({ tick: 0, always: true });
  const toNewest = (always = true) => {
    setTarget(null);
    setEnds(({ tick }) => ({ tick: tick + 1, always }));
  };

  const wantedSeq = at?.seq ?? null;
  const wantedKey = at?.key ?? null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the conversation opens once; each request for a message scrolls to it.
  useEffect(() => {
    const link = `${wantedSeq} ${wantedKey}`;
    // The page is shown again: keep its scroll position.
    if (followed.current === link) return;
    const isFirst = followed.current === null;
    followed.current = link;
    const sought = soughtBefore.current;
    soughtBefore.current = wantedSeq;
    const unread = opened.unread > 0 ? { from: opened.readSeq + 1, count: opened.unread } : null;
    if (wantedSeq === null) {
      if (isFirst) void openRoom(id, unread);
      // The conversation was selected again without a message, from the list or a notice: show it as if just opened.
      else if (sought !== null) toNewest();
    } else if (isFirst) {
      setTarget({ seq: wantedSeq, tick: 1 });
      void openRoom(id, { from: wantedSeq, count: Number.POSITIVE_INFINITY });
    } else void onJump(wantedSeq);
  }, [id, opened, wantedSeq, wantedKey]);

  const onJump = useCallback(
    async (seq: number) => {
      const isFound = await goToPlace(id, seq);
      if (isFound) setTarget((before) => ({ seq, tick: (before?.tick ?? 0) + 1 }));
    },
    [id],
  );
  return { target, ends, toNewest, onJump };
}
