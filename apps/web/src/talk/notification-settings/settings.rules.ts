import type {
  NotificationSettings,
  QuietHours,
  TopicChoice,
} from '@nearhand/contract/talk/notification-settings';
import type {
  Channel,
  ChannelChoice,
  NotificationTopic,
  TopicGroup,
} from '@nearhand/contract/talk/notification-topics';

export type TopicChange = { topic: NotificationTopic; channel: Channel; choice: ChannelChoice };
export type SettingsChange = { topics?: TopicChange[]; quiet?: QuietHours };

export const isChoiceLocked = ({ locked }: TopicChoice, channel: Channel): boolean =>
  locked.includes(channel);

/** The settings after a change, with locked topics as the server would leave them. */
export function applyChange(settings: NotificationSettings, change: SettingsChange): NotificationSettings {
  const choices = new Map(
    (change.topics ?? []).map((change) => [`${change.topic} ${change.channel}`, change.choice]),
  );
  const choose = <Value extends ChannelChoice>(topic: TopicChoice, channel: Channel, now: Value): Value => {
    const next = choices.get(`${topic.topic} ${channel}`);
    if (next === undefined || isChoiceLocked(topic, channel)) return now;
    if (next === 'daily' && (channel !== 'email' || !topic.daily)) return now;
    return next as Value;
  };
  return {
    ...settings,
    quiet: change.quiet ?? settings.quiet,
    topics: settings.topics.map((topic) => ({
      ...topic,
      choice: {
        app: choose(topic, 'app', topic.choice.app),
        push: choose(topic, 'push', topic.choice.push),
        email: choose(topic, 'email', topic.choice.email),
      },
    })),
  };
}

/** Undoes one change only, because later changes may have touched other settings. */
export function undoOf(before: NotificationSettings, change: SettingsChange): SettingsChange {
  const old = new Map(before.topics.map((topic) => [topic.topic, topic]));
  const topics = (change.topics ?? []).flatMap(({ topic, channel }) => {
    const choice = old.get(topic)?.choice[channel];
    return choice === undefined ? [] : [{ topic, channel, choice }];
  });
  return { ...(topics.length > 0 ? { topics } : {}), ...(change.quiet ? { quiet: before.quiet } : {}) };
}

/** Changes a channel for several topics. `daily` means immediate for topics that can't wait. */
export function changeAll(
  topics: readonly TopicChoice[],
  channel: Channel,
  choice: ChannelChoice,
): TopicChange[] {
  return topics.flatMap((topic) => {
    const fitting = choice === 'daily' && !(channel === 'email' && topic.daily) ? 'on' : choice;
    return isChoiceLocked(topic, channel) || topic.choice[channel] === fitting
      ? []
      : [{ topic: topic.topic, channel, choice: fitting }];
  });
}

/** A channel's state for several topics: one choice, or `mixed`. Locked topics are ignored unless all are locked. */
export function channelState(topics: readonly TopicChoice[], channel: Channel): ChannelChoice | 'mixed' {
  const open = topics.filter((topic) => !isChoiceLocked(topic, channel));
  const countedTopics = open.length > 0 ? open : topics;
  const [first] = countedTopics;
  if (first === undefined) return 'off';
  const choice = first.choice[channel];
  if (countedTopics.every((topic) => topic.choice[channel] === choice)) return choice;
  // If every topic that can wait is daily and the others are on, the group is daily.
  const daily =
    channel === 'email' &&
    countedTopics.every((topic) => topic.choice.email === (topic.daily ? 'daily' : 'on'));
  return daily ? 'daily' : 'mixed';
}

/** The screen's order; exhaustive by its type. The contract's list would bring zod into the page. */
const groupOrder = Object.keys({
  messages: true,
  applications: true,
  interview: true,
  offers: true,
  shift: true,
  hours: true,
  reviews: true,
  money: true,
  jobs: true,
  account: true,
} satisfies Record<TopicGroup, true>) as TopicGroup[];

export type GroupOfTopics = { group: TopicGroup; topics: TopicChoice[] };

export function groupTopics(
  topics: readonly TopicChoice[],
  sides: readonly ('work' | 'hire')[],
): GroupOfTopics[] {
  return groupOrder
    .map((group) => ({
      group,
      topics: topics.filter(
        (topic) => topic.group === group && topic.sides.some((side) => sides.includes(side)),
      ),
    }))
    .filter(({ topics: of }) => of.length > 0);
}
