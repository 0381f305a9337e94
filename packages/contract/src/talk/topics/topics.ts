import type { Channel, NotificationTopic, TopicGroup } from '../notification-topics.ts';
import { applicationTopics } from './application-topics.ts';
import { certificateTopics } from './certificate-topics.ts';
import { decisionTopics } from './decision-topics.ts';
import { hoursTopics } from './hours-topics.ts';
import { identityTopics } from './identity-topics.ts';
import { interviewTopics } from './interview-topics.ts';
import { jobTopics } from './job-topics.ts';
import { messageTopics } from './message-topics.ts';
import { offerTopics } from './offer-topics.ts';
import { paymentTopics } from './payment-topics.ts';
import { referralTopics } from './referral-topics.ts';
import { reviewTopics } from './review-topics.ts';
import { teamTopics } from './team-topics.ts';
import { ticketTopics } from './ticket-topics.ts';
import { links, type Topic } from './topic.ts';
import { withdrawalTopics } from './withdrawal-topics.ts';
import { workTopics } from './work-topics.ts';

/** Every notification topic. The type requires an entry for each. */
export const topics: Record<NotificationTopic, Topic> = {
  ...applicationTopics,
  ...jobTopics,
  ...interviewTopics,
  ...offerTopics,
  ...workTopics,
  ...hoursTopics,
  ...paymentTopics,
  ...withdrawalTopics,
  ...referralTopics,
  ...messageTopics,
  ...certificateTopics,
  ...identityTopics,
  ...teamTopics,
  ...ticketTopics,
  ...decisionTopics,
  ...reviewTopics,
};

/** A newer server may have stored a topic that this version does not know. */
export const knownTopic = (topic: string): Topic | undefined =>
  Object.hasOwn(topics, topic) ? topics[topic as NotificationTopic] : undefined;

/** Describes where a notice leads, for the generated docs. */
export const linkText = ({ link, to }: Topic): string =>
  link === 'application' && to !== 'worker' ? `${links.application}; ${links.applicants}` : links[link];

/** Groups whose pushes are followed by mail if unseen (product.md, Notification). */
const escalating: readonly TopicGroup[] = ['shift', 'money', 'interview', 'offers'];
/** Returns whether an unseen push is followed by mail. */
export const escalatesToMail = ({ group }: Topic): boolean => escalating.includes(group);

const soon: readonly TopicGroup[] = ['interview', 'offers', 'shift'];
/** Topics about times or expiring replies come at once. */
export const canBeDaily = ({ group, urgent, locked }: Topic): boolean =>
  !urgent && !locked?.includes('email') && !soon.includes(group);

/** Returns whether the channel can't be turned off for this topic. */
export const isLocked = ({ locked }: Topic, channel: Channel): boolean => locked?.includes(channel) ?? false;

/** The sides of the marketplace it concerns; topics without a side have no choice in the settings. */
export const sidesOf = ({ to }: Topic): ('work' | 'hire')[] => {
  if (to === 'worker') return ['work'];
  if (to === 'business') return ['hire'];
  return to === 'the person concerned' || to === 'the addressee' ? [] : ['work', 'hire'];
};
