import { t } from '@lingui/core/macro';
import type { Channel, NotificationTopic, TopicGroup } from '@nearhand/contract/talk/notification-topics';
import { knownTopic } from '@nearhand/contract/talk/topics/topics';
import { sayText } from '../../lib/words/notice-format.ts';
import type { IconName } from '../../ui/art/icon-names.ts';

export function topicGroupText(group: TopicGroup): { icon: IconName; name: string; about: string } {
  const words: Record<TopicGroup, { icon: IconName; name: string; about: string }> = {
    messages: { icon: 'chats-circle', name: t`Messages`, about: t`Someone sent you a message about work` },
    applications: {
      icon: 'note-pencil',
      name: t`Applications`,
      about: t`Received, viewed, answered, invitations and waitlists`,
    },
    interview: { icon: 'video-camera', name: t`Interviews`, about: t`Times, changes and reminders` },
    offers: { icon: 'briefcase', name: t`Offers`, about: t`Received, answered, expiring` },
    shift: { icon: 'calendar-check', name: t`Shifts`, about: t`Confirmations, check-ins, cancellations` },
    hours: { icon: 'timer', name: t`Hours and disputes`, about: t`Submitted, approved, proposed, disputed` },
    reviews: { icon: 'star', name: t`Reviews`, about: t`Received, answered, reminders` },
    money: { icon: 'coins', name: t`Money`, about: t`Paid, available, on its way, failed` },
    jobs: { icon: 'clipboard-text', name: t`Jobs`, about: t`Changed or expiring` },
    account: { icon: 'shield-check', name: t`Account`, about: t`Verification and security` },
  };
  return words[group];
}

export const channelOrder: readonly Channel[] = ['app', 'push', 'email'];

export function channelName(channel: Channel): string {
  const names: Record<Channel, string> = { app: t`App`, push: t`Push`, email: t`Email` };
  return names[channel];
}

export const topicLabel = (topic: NotificationTopic): string => {
  const topicOf = knownTopic(topic);
  // A newer server may know a topic that this app does not.
  return topicOf ? sayText(topicOf.name) : t`Something new for you`;
};
