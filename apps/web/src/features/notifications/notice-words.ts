import { plural, t } from '@lingui/core/macro';
import type { Notification, NotificationTopic } from '@nearhand/contract/notifications';
import { formatDate } from '../../lib/format.ts';
import type { IconName } from '../../ui/icon-names.ts';

type Words = { icon: IconName; title: string; text?: string };

/** A notice in the app's own words; the server keeps names and times only, so a changed language changes old notices too. */
export function noticeWords({ topic, data }: Pick<Notification, 'topic' | 'data'>, now = new Date()): Words {
  const say = (name: string): string => String(data[name] ?? '');
  const job = say('jobTitle');
  const business = say('businessName');
  const worker = say('workerName');
  const at = (name: string): string | undefined =>
    data[name] === undefined ? undefined : formatDate(say(name), say('timeZone') || 'UTC', now);
  const by = at('decideBy');
  switch (topic as NotificationTopic) {
    case 'application-received':
      return {
        icon: 'user-plus',
        title: t`${worker} applied`,
        text: by ? t`For ${job}. Answer by ${by}.` : t`For ${job}.`,
      };
    case 'application-viewed':
      return {
        icon: 'eye',
        title: t`${business} has seen your application`,
        text: by ? t`For ${job}. They answer by ${by}.` : t`For ${job}.`,
      };
    case 'application-withdrawn':
      return {
        icon: 'arrow-counter-clockwise',
        title: t`${worker} took an application back`,
        text: t`For ${job}.`,
      };
    case 'application-changed':
      return { icon: 'note-pencil', title: t`${worker} changed an application`, text: t`For ${job}.` };
    case 'application-nudge': {
      const others = Number(data.waiting ?? 1) - 1;
      const who =
        others > 0
          ? t`${worker} and ${plural(others, { one: '# other wait', other: '# others wait' })} for your answer`
          : t`${worker} waits for your answer`;
      return {
        icon: 'hourglass',
        title: who,
        text: by ? t`For ${job}. The first ends ${by}.` : t`For ${job}.`,
      };
    }
    case 'application-no-response':
      return data.side === 'business'
        ? {
            icon: 'clock-countdown',
            title: t`Not answered in time: ${worker}`,
            text: t`For ${job}. They were told.`,
          }
        : {
            icon: 'clock-countdown',
            title: t`No answer from ${business}`,
            text: t`Your application for ${job} has ended.`,
          };
    case 'application-job-closed':
      return {
        icon: 'prohibit',
        title: t`${business} closed a job`,
        text: t`Your application for ${job} ended with it.`,
      };
    case 'job-changed':
      return {
        icon: 'pencil-simple',
        title: t`${business} changed a job`,
        text: t`Read ${job} again; does it still suit you?`,
      };
    case 'job-expiring': {
      const until = at('expiresAt');
      return {
        icon: 'clock',
        title: t`${job} is soon hidden`,
        ...(until ? { text: t`It is open until ${until}.` } : {}),
      };
    }
    case 'job-expired':
      return {
        icon: 'calendar-x',
        title: t`${job} is no longer shown`,
        text: t`Its time ran out. You can open it again.`,
      };
    case 'business-verified':
      return { icon: 'seal-check', title: t`${business} is verified`, text: t`Your jobs now show it.` };
    case 'welcome':
      return {
        icon: 'sparkle',
        title: t`Welcome to Nearhand`,
        text: t`Find work nearby, or people who do it.`,
      };
    default:
      return { icon: 'bell', title: t`Something new for you` };
  }
}
