import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { apiQuery } from '../../lib/api/api.ts';
import { errorText } from '../../lib/api/error.labels.ts';
import { queryClient } from '../../lib/api/query.ts';
import { side as sideSetting } from '../../lib/device/device-setting.ts';
import { useGoBack } from '../../lib/pages/go-back.ts';
import { useUser } from '../../lib/session.ts';
import { Screen } from '../../ui/pages/screen.tsx';
import { EmptyState, ErrorState, SignedOutState, UnverifiedState } from '../../ui/pages/states.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { Thread } from '../messages/thread.tsx';
import { ThreadSkeleton } from '../messages/thread-skeleton.tsx';
import { chatPartnerName } from './conversation.labels.ts';
import { ConversationList } from './conversation-list.tsx';
import { useConversation, useOpenConversation } from './conversations.api.ts';
import { ThreadActions, ThreadTitle } from './thread-head.tsx';
import './conversations.css';
import '../messages/messages.css';
import '../outbox/composer.css';

/** Conversations, or one with `?c=`. Other screens link with `?job=` and, from a business, `&worker=`. */
export function ConversationsPage() {
  const { t } = useLingui();
  const user = useUser();
  const wide = useWide();
  const goBack = useGoBack('/tabs/menu/messages');
  const { pathname, search, key } = useLocation();
  const params = new URLSearchParams(search);
  const opening = useOpenedByJob(params, pathname);
  const current = params.get('c');
  const query = useConversation(current);
  const conversation = current === null ? undefined : query.data;
  const shownSide = conversation?.side;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per conversation, since the side can be switched while it is open.
  useEffect(() => {
    // A notice's link may lead to the other side of the menu.
    if (shownSide) sideSetting.set(shownSide === 'worker' ? 'work' : 'hire');
  }, [conversation?.id, shownSide]);

  const place = Number(params.get('m'));
  const lists = useRestoredScroll(!wide && current !== null);
  useFieldTaken(lists, wide, key);
  if (!user?.emailVerified)
    return (
      <Screen title={t`Messages`} heading={null} back="menu">
        {user ? (
          <UnverifiedState level="h1">
            <p>{t`Then you can apply or hire, and send messages here.`}</p>
          </UnverifiedState>
        ) : (
          <SignedOutState level="h1" title={t`Messages`} next="/tabs/menu/messages">
            <p>{t`Log in to message businesses and workers about applications.`}</p>
          </SignedOutState>
        )}
      </Screen>
    );

  const isBusy = opening.busy || (current !== null && !conversation && query.isFetching);
  const failure = opening.error ?? (current !== null && !conversation ? query.error : null);
  const room = () => {
    if (conversation)
      return (
        <Thread
          key={conversation.id}
          conversation={conversation}
          at={Number.isInteger(place) && place > 0 ? { seq: place, key } : null}
          onBack={() => {
            if (wide) lists.current?.querySelector<HTMLElement>('.chat-entry.on')?.focus();
            else goBack();
          }}
        />
      );
    if (failure)
      return (
        <div className="chat-room chat-state">
          <ErrorState
            title={t`We couldn't open this conversation`}
            text={errorText(failure)}
            onRetry={opening.error ? opening.again : () => void query.refetch()}
          />
        </div>
      );
    return isBusy ? (
      <div className="chat-room">
        <ThreadSkeleton />
      </div>
    ) : null;
  };
  const thread = room();

  const isAlone = !wide && (current !== null || opening.asked);
  const tab = pathname.startsWith('/tabs/');
  return (
    <Screen
      title={isAlone && conversation ? chatPartnerName(conversation) : t`Messages`}
      heading={isAlone ? null : undefined}
      back={isAlone || !tab ? '/tabs/menu/messages' : 'menu'}
      bar={isAlone && conversation ? <ThreadTitle conversation={conversation} level="h1" /> : undefined}
      actions={isAlone && conversation ? <ThreadActions conversation={conversation} /> : undefined}
      width={isAlone ? 'full' : 'column'}
      onRefresh={
        isAlone
          ? undefined
          : () => queryClient.invalidateQueries({ queryKey: apiQuery.conversations.list.key() })
      }
      aside={wide ? <Beside conversation={conversation}>{thread}</Beside> : undefined}
      asideLabel={conversation ? t`Conversation with ${chatPartnerName(conversation)}` : t`Conversation`}
    >
      <div ref={lists} className="chat-lists" hidden={isAlone}>
        <ConversationList
          current={current}
          pathOf={(id, seq) => `${wide ? pathname : '/chat'}?c=${id}${seq === null ? '' : `&m=${seq}`}`}
          replace={wide && current !== null}
        />
      </div>
      {isAlone ? thread : null}
    </Screen>
  );
}

function Beside({ conversation, children }: { conversation: Conversation | undefined; children: ReactNode }) {
  const { t } = useLingui();
  return (
    <div className="chat-beside">
      {conversation ? (
        <header className="bar line">
          <ThreadTitle conversation={conversation} level="h2" />
          <ThreadActions conversation={conversation} />
        </header>
      ) : null}
      {children ?? (
        <div className="chat-state">
          <EmptyState title={t`Select a conversation`}>
            <p>{t`Its messages will appear here.`}</p>
          </EmptyState>
        </div>
      )}
    </div>
  );
}

/** Opens the conversation of a link's job, and replaces the address with its own. */
function useOpenedByJob(params: URLSearchParams, pathname: string) {
  const navigate = useNavigate();
  const open = useOpenConversation();
  const jobId = params.get('c') === null ? params.get('job') : null;
  const workerId = params.get('worker');
  const { mutate } = open;
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per link, and again when the link is pressed.
  useEffect(() => {
    if (jobId === null) return;
    mutate(
      { jobId, workerId: workerId || undefined },
      { onSuccess: ({ id }) => navigate(`${pathname}?c=${id}`, { replace: true }) },
    );
  }, [jobId, workerId, tries]);
  return {
    asked: jobId !== null,
    busy: jobId !== null && !open.error,
    error: jobId === null ? null : open.error,
    again: () => setTries(tries + 1),
  };
}

/** Selecting a conversation in the list focuses its field, or the messages if it is read-only. */
function useFieldTaken(lists: RefObject<HTMLDivElement | null>, wide: boolean, chosenId: string) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when `chosenId` changes.
  useEffect(() => {
    const entry = document.activeElement?.closest('.chat-entry');
    const isTouch = typeof matchMedia === 'function' && matchMedia('(hover: none)').matches;
    if (!wide || isTouch || !entry || !lists.current?.contains(entry)) return;
    const beside = lists.current.closest('.screen')?.querySelector('.chat-beside');
    const field = beside?.querySelector('textarea') ?? beside?.querySelector<HTMLElement>('.chat-scroll');
    field?.focus();
  }, [lists, wide, chosenId]);
}

/** Restores the list's scroll position, which it loses while hidden. */
function useRestoredScroll(hidden: boolean) {
  const list = useRef<HTMLDivElement>(null);
  const place = useRef(0);
  const wasHidden = useRef(hidden);
  useEffect(() => {
    const page = list.current?.closest('main');
    if (!page || wasHidden.current === hidden) return;
    wasHidden.current = hidden;
    if (!hidden) page.scrollTop = place.current;
  }, [hidden]);
  useEffect(() => {
    const page = list.current?.closest('main');
    if (!page || hidden) return;
    const note = () => {
      if (list.current && !list.current.hidden) place.current = page.scrollTop;
    };
    page.addEventListener('scroll', note, { passive: true });
    return () => page.removeEventListener('scroll', note);
  }, [hidden]);
  return list;
}
