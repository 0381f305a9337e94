import { useLingui } from '@lingui/react/macro';
import type { Conversation } from '@nearhand/contract/talk/conversations';
import { useState } from 'react';
import { errorText } from '../../lib/api/error.labels.ts';
import { Icon } from '../../ui/art/icon.tsx';
import { ListRow } from '../../ui/card.tsx';
import { Switch } from '../../ui/controls/choices.tsx';
import { ReasonGroup, SharedReason } from '../../ui/controls/needs-network.tsx';
import { showAlert } from '../../ui/overlays/alert.tsx';
import { Sheet } from '../../ui/overlays/sheet.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { QueryState } from '../../ui/pages/query-state.tsx';
import { RowsSkeleton } from '../../ui/pages/skeleton.tsx';
import { useWide } from '../../ui/pages/wide.ts';
import { ChatReportForm } from '../chat-reports/report-form.tsx';
import { chatPartnerName, chatRecordPath } from './conversation.labels.ts';
import {
  useBlockConversation,
  useChatSettings,
  useMuteConversation,
  useSaveChatSettings,
} from './conversations.api.ts';

type View = 'menu' | 'report' | 'settings';

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
    menu: chatPartnerName(conversation),
    report: t`Report this conversation`,
    settings: t`What others can see`,
  };
  return (
    <Sheet open={open} onClose={close} title={titles[view]}>
      {view === 'report' ? (
        <ChatReportForm conversationId={conversation.id} onDone={close} />
      ) : view === 'settings' ? (
        <ReasonGroup>
          <ChatSettingsForm />
        </ReasonGroup>
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
  const name = chatPartnerName(conversation);
  const isBlocked = blockedBy === 'you' || blockedBy === 'both';
  /** The sheet closes before the response: `mutate` callbacks would be dropped with it. */
  const notify = (result: Promise<unknown>, toast: string) =>
    void result.then(
      () => showToast(toast),
      (error: unknown) => showToast(errorText(error)),
    );
  const askBlock = async () => {
    if (!isBlocked) {
      onClose();
      const answer = await showAlert({
        tone: 'ask',
        title: t`Block ${name}?`,
        message:
          side === 'worker'
            ? t`Neither of you will be able to send messages in any conversation with ${name}. Applications, work and pay aren't affected. You can unblock at any time.`
            : t`Your team and ${name} won't be able to message each other in any conversation. Applications, work and pay aren't affected. You can unblock at any time.`,
        buttons: [
          { value: 'yes', label: t`Block ${name}`, kind: 'bad' },
          { value: 'no', label: t`Not now` },
        ],
      });
      if (answer !== 'yes') return;
    }
    notify(
      block.mutateAsync({ conversationId: id, blocked: !isBlocked }),
      isBlocked ? t`You can write again` : t`${name} is blocked`,
    );
    onClose();
  };
  return (
    <>
      <ListRow
        lead={<Icon name="briefcase" />}
        title={conversation.engagementId ? t`View shift` : t`View application`}
        note={job.title}
        to={chatRecordPath(conversation, wide)}
      />
      <ListRow
        lead={<Icon name={muted ? 'bell' : 'bell-slash'} />}
        title={muted ? t`Get notified about new messages again` : t`Mute`}
        note={muted ? undefined : t`No notifications for this conversation. It still counts as unread.`}
        needsNetwork
        onClick={() => {
          notify(mute.mutateAsync({ conversationId: id, muted: !muted }), muted ? t`Unmuted` : t`Muted`);
          onClose();
        }}
      />
      <ListRow
        lead={<Icon name="eye" />}
        title={t`What others can see`}
        note={t`Typing, last seen and read receipts`}
        onClick={() => onView('settings')}
      />
      <ListRow lead={<Icon name="flag" />} title={t`Report`} needsNetwork onClick={() => onView('report')} />
      <ListRow
        lead={<Icon name="prohibit" />}
        title={isBlocked ? t`Unblock ${name}` : t`Block ${name}`}
        needsNetwork
        onClick={() => void askBlock()}
      />
    </>
  );
}

function ChatSettingsForm() {
  const { t } = useLingui();
  const query = useChatSettings();
  const save = useSaveChatSettings();
  const set = (part: Partial<NonNullable<typeof query.data>>) => {
    if (!query.data) return;
    // Awaits a promise, because the callbacks of `mutate` are lost with the next switch.
    save.mutateAsync({ ...query.data, ...part }).catch((error: unknown) => showToast(errorText(error)));
  };
  return (
    <QueryState
      query={query}
      loading={<RowsSkeleton count={3} />}
      errorTitle={t`We couldn't load your settings`}
    >
      {(settings) => (
        <div className="col g4">
          <p className="sm mute">
            {t`This applies to all your conversations and works both ways: you won't see from others what you hide.`}
          </p>
          <SharedReason />
          <Switch
            label={t`When I'm typing`}
            needsNetwork
            checked={settings.showsTyping}
            onChange={(event) => set({ showsTyping: event.target.checked })}
          />
          <Switch
            label={t`When I was last online`}
            needsNetwork
            checked={settings.showsLastSeen}
            onChange={(event) => set({ showsLastSeen: event.target.checked })}
          />
          <Switch
            label={t`What I've read`}
            needsNetwork
            checked={settings.showsRead}
            onChange={(event) => set({ showsRead: event.target.checked })}
          />
        </div>
      )}
    </QueryState>
  );
}
