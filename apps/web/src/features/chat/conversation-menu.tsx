import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/chat';
import { useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo } from '../../lib/format.ts';
import { showAlert } from '../../ui/alert.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Switch } from '../../ui/choices.tsx';
import { Icon } from '../../ui/icon.tsx';
import { QueryState } from '../../ui/query-state.tsx';
import { Sheet } from '../../ui/sheet.tsx';
import { RowsSkeleton } from '../../ui/skeleton.tsx';
import { showToast } from '../../ui/toast.tsx';
import { useWide } from '../../ui/wide.ts';
import {
  useBlockConversation,
  useChatSettings,
  useMuteConversation,
  useSaveChatSettings,
} from './chat.api.ts';
import { otherName, recordPath } from './chat-words.ts';
import { ReportForm } from './report-form.tsx';

type View = 'menu' | 'report' | 'settings';

/** What one can do with a conversation as a whole. */
export function ConversationMenu({
  conversation,
  open,
  onClose,
}: {
  conversation: Conversation;
  open: boolean;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const [view, setView] = useState<View>('menu');
  const close = () => {
    setView('menu');
    onClose();
  };
  const titles: Record<View, string> = {
    menu: otherName(conversation),
    report: t`Report this conversation`,
    settings: t`What others see of you`,
  };
  return (
    <Sheet open={open} onClose={close} title={titles[view]}>
      {view === 'report' ? (
        <ReportForm conversationId={conversation.id} onDone={close} />
      ) : view === 'settings' ? (
        <ChatSettingsForm />
      ) : (
        <Acts conversation={conversation} onView={setView} onClose={close} />
      )}
    </Sheet>
  );
}

function Acts({
  conversation,
  onView,
  onClose,
}: {
  conversation: Conversation;
  onView: (view: View) => void;
  onClose: () => void;
}) {
  const { t } = useLingui();
  const wide = useWide();
  const mute = useMuteConversation();
  const block = useBlockConversation();
  const { id, muted, blockedBy, side, job } = conversation;
  const name = otherName(conversation);
  const blocked = blockedBy === 'you' || blockedBy === 'both';
  /** The sheet closes before the answer is there: what is handed to `mutate` would be dropped with it. */
  const tell = (answer: Promise<unknown>, done: string) =>
    void answer.then(
      () => showToast(done),
      (error: unknown) => showToast(errorText(error)),
    );
  const askBlock = async () => {
    if (!blocked) {
      onClose();
      const said = await showAlert({
        tone: 'ask',
        title: t`Block ${name}?`,
        message:
          side === 'worker'
            ? t`Neither of you can write any more, in any conversation with ${name}. Applications, work and pay go on. You can unblock at any time.`
            : t`Neither your team nor ${name} can write any more, in any conversation. Applications, work and pay go on. You can unblock at any time.`,
        buttons: [
          { value: 'yes', label: t`Block ${name}`, kind: 'bad' },
          { value: 'no', label: t`Not now`, kind: 'quiet' },
        ],
      });
      if (said !== 'yes') return;
    }
    tell(
      block.mutateAsync({ conversationId: id, blocked: !blocked }),
      blocked ? t`You can write again` : t`${name} is blocked`,
    );
    onClose();
  };
  return (
    <>
      <ListRow
        lead={<Icon name="briefcase" />}
        title={conversation.engagementId ? t`Open the work` : t`Open the application`}
        note={job.title}
        to={recordPath(conversation, wide)}
      />
      <ListRow
        lead={<Icon name={muted ? 'bell' : 'bell-slash'} />}
        title={muted ? t`Tell me of new messages again` : t`Mute`}
        note={muted ? undefined : t`No notices of this conversation. It still counts as unread.`}
        onClick={() => {
          tell(
            mute.mutateAsync({ conversationId: id, muted: !muted }),
            muted ? t`No longer muted` : t`Muted`,
          );
          onClose();
        }}
      />
      <ListRow
        lead={<Icon name="eye" />}
        title={t`What others see of you`}
        note={t`Writing, last seen, read`}
        onClick={() => onView('settings')}
      />
      <ListRow lead={<Icon name="flag" />} title={t`Report`} onClick={() => onView('report')} />
      <ListRow
        lead={<Icon name="prohibit" />}
        title={blocked ? t`Unblock ${name}` : t`Block ${name}`}
        onClick={() => void askBlock()}
      />
    </>
  );
}

/** What a person shows of themselves in all conversations. Each goes both ways. */
function ChatSettingsForm() {
  const { t } = useLingui();
  const query = useChatSettings();
  const save = useSaveChatSettings();
  const set = (part: Partial<NonNullable<typeof query.data>>) => {
    if (query.data)
      save.mutate({ ...query.data, ...part }, { onError: (error) => showToast(errorText(error)) });
  };
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We could not load your settings`}
      describe={errorText}
      asOf={formatAgo}
    >
      {(settings) => (
        <div className="col g4">
          <p className="sm mute">
            {t`This holds for all your conversations, and goes both ways: what you hide you do not see of others.`}
          </p>
          <Switch
            label={t`That I am writing`}
            checked={settings.showsTyping}
            onChange={(event) => set({ showsTyping: event.target.checked })}
          />
          <Switch
            label={t`When I was here last`}
            checked={settings.showsLastSeen}
            onChange={(event) => set({ showsLastSeen: event.target.checked })}
          />
          <Switch
            label={t`What I have read`}
            checked={settings.showsRead}
            onChange={(event) => set({ showsRead: event.target.checked })}
          />
        </div>
      )}
    </QueryState>
  );
}
