import { t } from '@lingui/core/macro';
import type { Channel, NotificationTopic, TopicGroup } from '@nearhand/contract/notifications';
import type { IconName } from '../../ui/icon-names.ts';

/** What a group is called in the settings, and what it is about. */
export function groupWords(group: TopicGroup): { icon: IconName; name: string; about: string } {
  const words: Record<TopicGroup, { icon: IconName; name: string; about: string }> = {
    messages: { icon: 'chats-circle', name: t`Messages`, about: t`Somebody wrote to you about work` },
    applications: {
      icon: 'note-pencil',
      name: t`Applications`,
      about: t`Sent, seen, answered, invitations and the waitlist`,
    },
    interview: { icon: 'video-camera', name: t`Interviews`, about: t`Times, changes and reminders` },
    offers: { icon: 'briefcase', name: t`Offers`, about: t`Made, answered, about to end` },
    shift: { icon: 'calendar-check', name: t`Shifts`, about: t`Confirming, checking in, called off` },
    hours: { icon: 'timer', name: t`Hours and disputes`, about: t`Sent, approved, proposed, disputed` },
    money: { icon: 'coins', name: t`Money`, about: t`Paid, available, on its way, failed` },
    jobs: { icon: 'clipboard-text', name: t`Jobs`, about: t`Changed or about to expire` },
    account: { icon: 'shield-check', name: t`Account`, about: t`Checks and what keeps it safe` },
  };
  return words[group];
}

export const channelOrder: readonly Channel[] = ['app', 'push', 'email'];

export function channelName(channel: Channel): string {
  const names: Record<Channel, string> = { app: t`App`, push: t`Push`, email: t`Email` };
  return names[channel];
}

/** Each topic by name, from the reader's side. Complete by its type. */
export function topicName(topic: NotificationTopic): string {
  const names: Record<NotificationTopic, string> = {
    'application-received': t`Somebody applied for your job`,
    'application-viewed': t`A business saw your application`,
    'application-withdrawn': t`An applicant took an application back`,
    'application-changed': t`An applicant changed an application`,
    'application-nudge': t`Applicants wait for your answer`,
    'application-no-response': t`An application ended without an answer`,
    'application-job-closed': t`A job you applied for was closed`,
    'application-shortlisted': t`You are on a shortlist`,
    'application-rejected': t`Your application was turned down`,
    'application-position-filled': t`A job you applied for was filled`,
    'application-invited': t`A business invites you to apply`,
    'application-invitation-declined': t`Your invitation was declined`,
    'waitlist-joined': t`Somebody joined a waitlist`,
    'job-changed': t`A job you applied for changed`,
    'job-expiring': t`A job of yours is about to expire`,
    'job-expired': t`A job of yours has expired`,
    'business-verified': t`Your business was verified`,
    'interview-proposed': t`An interview is proposed`,
    'interview-scheduled': t`A time was picked`,
    'interview-reschedule-asked': t`Another time is asked for`,
    'interview-kept': t`The old time stays`,
    'interview-cancelled': t`An interview was called off`,
    'interview-lapsed': t`Nobody picked a time`,
    'interview-reminder': t`An interview is near`,
    'interview-outcome-due': t`An interview needs its outcome`,
    'interview-no-show': t`You were reported as not there`,
    'interview-contested': t`A missed interview that you reported was contested`,
    'offer-received': t`A business offers you a job`,
    'offer-reminder': t`An offer is about to end`,
    'offer-accepted': t`Your offer was accepted`,
    'offer-declined': t`Your offer was declined`,
    'offer-expired': t`An offer ended without an answer`,
    'offer-withdrawn': t`An offer was taken back`,
    'hired-at-once': t`Instant hire`,
    'engagement-confirm-asked': t`Confirm that you are coming`,
    'engagement-confirmed': t`A worker confirmed`,
    'engagement-not-confirmed': t`A worker did not confirm`,
    'engagement-checked-in': t`A worker checked in`,
    'engagement-cancelled': t`Work was called off`,
    'engagement-no-show': t`Somebody reported that you did not come to work`,
    'engagement-contested': t`A no-show that you reported was contested`,
    'engagement-no-show-decided': t`A contested no-show was decided`,
    'hours-to-submit': t`Hours wait to be sent`,
    'hours-submitted': t`Hours were sent`,
    'hours-countered': t`Other hours are proposed`,
    'work-delivered': t`Work was delivered`,
    'changes-requested': t`Changes are asked for`,
    'work-approved': t`Hours or work were approved`,
    'dispute-opened': t`A dispute was opened`,
    'dispute-answered': t`A dispute was answered`,
    'dispute-proposal': t`An amount is proposed in a dispute`,
    'dispute-escalated': t`A dispute went to our staff`,
    'dispute-settled': t`A dispute was settled`,
    'hold-unpaid': t`An offer was not paid for in time`,
    'payment-failed': t`A card was refused`,
    'payment-missing': t`Agreed pay is not covered`,
    'payment-needs-confirmation': t`A card payment is to be confirmed`,
    'seat-unfunded': t`A seat could not be funded again`,
    'payment-refunded': t`Money went back to a card`,
    'payment-refund-failed': t`Money could not go back to a card`,
    'chargeback-opened': t`A payment is disputed at the bank`,
    'chargeback-closed': t`The bank decided about a payment`,
    'payment-released': t`You were paid`,
    'tip-received': t`You got a tip or bonus`,
    'money-cleared': t`Money can be withdrawn`,
    'withdrawal-requested': t`A withdrawal was asked for`,
    'withdrawal-sent': t`A withdrawal is on its way`,
    'withdrawal-paid': t`A withdrawal arrived`,
    'withdrawal-failed': t`A withdrawal failed`,
    'withdrawal-returned': t`The bank sent a withdrawal back`,
    'payout-method-added': t`A bank account was added`,
    'identity-checked': t`Your identity was checked`,
    'message-received': t`Somebody wrote to you`,
    'report-decided': t`Our staff decided about a conversation`,
    'test-notice': t`A test you asked for`,
  };
  // A newer server may know a topic that this app has no name for.
  return Object.hasOwn(names, topic) ? names[topic] : t`Something new for you`;
}
