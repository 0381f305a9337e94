import { t } from '@lingui/core/macro';
import type { Notification } from '@nearhand/contract/talk/notifications';
import { topicButton, topicTexts } from '@nearhand/contract/talk/topics/topic-texts';
import { noticeFormat } from '../../lib/words/notice-format.ts';
import { type IconName, iconNames } from '../../ui/art/icon-names.ts';

export type NoticeTexts = { icon: IconName; title: string; text: string };

/** The texts of a notification. The server stores names and times only, so old ones follow a changed language too. */
export function noticeTexts(
  { topic, data }: Pick<Notification, 'topic' | 'data'>,
  now = new Date(),
): NoticeTexts {
  const texts = topicTexts(topic, data, noticeFormat(now));
  // A newer server may know a topic that this app does not.
  if (!texts) return { icon: 'bell', title: t`Something new for you`, text: '' };
  return { ...texts, icon: iconNames.find((name) => name === texts.icon) ?? 'bell' };
}

/** The button of a notification that asks for an action. */
export const buttonText = ({ topic, data }: Pick<Notification, 'topic' | 'data'>): string =>
  topicButton(topic, data, noticeFormat()) ?? t`Open`;
