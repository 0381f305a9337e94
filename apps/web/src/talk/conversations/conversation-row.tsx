import { useLingui } from '@lingui/react/macro';
import { dayIn } from '@nearhand/contract/durations';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import type { Message } from '@nearhand/contract/talk/messages';
import { useSyncExternalStore } from 'react';
import { readDraft, watchDrafts } from '../../lib/device/device-draft.ts';
import { useNow } from '../../lib/pages/use-now.ts';
import { useUser } from '../../lib/session.ts';
import { unreadOnes } from '../../lib/words/counts.ts';
import { formatDay, formatTime, ownTimeZone } from '../../lib/words/format.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { Count } from '../../ui/badge.tsx';
import { Link } from '../../ui/controls/link.tsx';
import { useDraftFileNames } from '../outbox/composer-files.tsx';
import { useOutgoing } from '../outbox/outbox.api.ts';
import {
  chatPartnerName,
  isMessageDraft,
  lastLine,
  matchingLine,
  messageDraftKey,
} from './conversation.labels.ts';
import { readHere } from './receipts.api.ts';
import { OtherMark, useOtherOnline } from './thread-head.tsx';

type RowProps = {
  conversation: Conversation;
  match: Message | null;
  sought: string;
  current: boolean;
  to: string;
  replace: boolean;
};

export function ConversationRow({ conversation, match, sought, current, to, replace }: RowProps) {
  const { t } = useLingui();
  const now = useNow();
  const at = match?.at ?? conversation.lastAt;
  const unread = readHere(conversation.id) >= conversation.lastSeq ? 0 : conversation.unread;
  const online = useOtherOnline(conversation);
  return (
    <Link
      to={to}
      replace={replace}
      className={['chat-entry', unread > 0 ? 'new' : '', current ? 'on' : ''].filter(Boolean).join(' ')}
      aria-current={current ? 'page' : undefined}
    >
      <OtherMark conversation={conversation} />
      <span className="grow">
        <span className="row g2 base">
          <span className="t grow clip" dir="auto">
            <Marked text={chatPartnerName(conversation)} sought={sought} />
          </span>
          {online ? <span className="vh">{t`online`}</span> : null}
          {conversation.muted ? (
            <Icon name="bell-slash" label={t`Muted`} className="chat-state-icon" />
          ) : null}
          {conversation.state === 'blocked' || conversation.state === 'frozen' ? (
            <Icon
              name="prohibit"
              label={conversation.state === 'frozen' ? t`Paused` : t`Blocked`}
              className="chat-state-icon"
            />
          ) : null}
          <time dateTime={at} className="xs mute num nowrap">
            {listTime(at, now)}
          </time>
        </span>
        <span className="row g1 xs mute">
          <span className="clip" dir="auto">
            <Marked text={conversation.job.title} sought={sought} />
          </span>
          {/* One person often has two jobs with the same title. */}
          {conversation.job.startsAt ? (
            <span className="nowrap">
              · {formatDay(conversation.job.startsAt, conversation.job.timeZone, { now })}
            </span>
          ) : null}
        </span>
        <span className="row g2">
          <span className="grow sm chat-last">
            <RowLine conversation={conversation} match={match} sought={sought} current={current} />
          </span>
          <Count value={unread} label={unreadOnes(unread)} />
        </span>
      </span>
    </Link>
  );
}

/** The most important line: an unsent message, a match, a draft, or the last message. */
function RowLine({
  conversation,
  match,
  sought,
  current,
}: Pick<RowProps, 'conversation' | 'match' | 'sought' | 'current'>) {
  const { t } = useLingui();
  const me = useUser()?.id ?? null;
  const waiting = useOutgoing().filter(({ conversationId }) => conversationId === conversation.id);
  const text = useSyncExternalStore(
    watchDrafts,
    () => readDraft(messageDraftKey(conversation.id), isMessageDraft)?.trim() ?? '',
  );
  const fileNames = useDraftFileNames(conversation.id);
  const draft = text || fileNames;
  if (waiting.some(({ refusal }) => refusal !== null))
    return <span className="clip danger">{t`A message wasn't sent`}</span>;
  if (match) return <Said {...matchingLine(conversation, match, me)} sought={sought} />;
  if (draft && !current)
    return (
      <>
        <span className="nowrap chat-draft">{t`Draft:`}</span>
        <span className="clip" dir="auto">
          {draft}
        </span>
      </>
    );
  const newest = waiting.at(-1);
  return (
    <Said
      {...(newest ? { who: t`You`, text: newest.body || t`File` } : lastLine(conversation, me))}
      sought=""
    />
  );
}

function Said({ who, text, sought }: { who: string | null; text: string; sought: string }) {
  return (
    <>
      {who ? (
        <span className="nowrap">
          <bdi>{who}</bdi>:
        </span>
      ) : null}
      {/* Has its own direction and is truncated at its end: right-to-left text keeps its beginning. */}
      <span className="clip" dir="auto">
        <Marked text={text} sought={sought} excerpt />
      </span>
    </>
  );
}

function listTime(at: string, now: Date): string {
  const zone = ownTimeZone();
  return dayIn(zone, at) === dayIn(zone, now) ? formatTime(at, zone) : formatDay(at, zone, { now });
}

function Marked({ text, sought, excerpt }: { text: string; sought: string; excerpt?: boolean }) {
  const pieces = excerpt ? excerptPieces(text, sought) : markedPieces(text, sought);
  return pieces.map((piece, index) =>
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece of text has no identity but its index.
    piece.hit ? <mark key={index}>{piece.text}</mark> : <span key={index}>{piece.text}</span>,
  );
}

type Piece = { text: string; hit: boolean };

const meaning = /[\\^$.*+?()[\]{}|]/g;

/** Characters before the match, so that it is visible in one line on a phone. */
const leadIn = 18;

/** A text split at search matches, ignoring case, as the server matches. */
export function markedPieces(text: string, sought: string): Piece[] {
  if (sought === '') return [{ text, hit: false }];
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of text.matchAll(new RegExp(sought.replace(meaning, '\\$&'), 'giu'))) {
    if (match.index > at) pieces.push({ text: text.slice(at, match.index), hit: false });
    pieces.push({ text: match[0], hit: true });
    at = match.index + match[0].length;
  }
  if (at < text.length || pieces.length === 0) pieces.push({ text: text.slice(at), hit: false });
  return pieces;
}

/** Splits one line at search matches; the excerpt begins shortly before the first match, at a word. */
export function excerptPieces(text: string, sought: string): Piece[] {
  const pieces = markedPieces(text.replace(/\s+/g, ' ').trim(), sought);
  const [first, ...rest] = pieces;
  if (!first || first.hit || rest.length === 0) return pieces;
  const signs = [...first.text];
  if (signs.length <= leadIn) return pieces;
  const tail = signs.slice(-leadIn).join('');
  const word = tail.indexOf(' ');
  return [{ text: `…${word === -1 ? tail : tail.slice(word + 1)}`, hit: false }, ...rest];
}
