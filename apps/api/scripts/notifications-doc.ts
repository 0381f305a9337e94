import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { notificationTopics } from '@nearhand/contract/notifications';
import {
  canBeDaily,
  escalates,
  linkText,
  noticeTopics,
} from '../src/features/notifications/notice-topics.rules.ts';
import { noticeMail } from '../src/features/notifications/notifications.words.ts';

const file = path.resolve(import.meta.dirname, '../../../docs/notifications.md');

const example = {
  jobTitle: 'Barista',
  businessName: 'Café Noord',
  workerName: 'Leila',
  timeZone: 'Europe/Amsterdam',
  startsAt: '2026-12-03T08:00:00Z',
  endsAt: '2026-12-03T12:00:00Z',
};

const channelWords = { app: 'in the app', push: 'pushed', email: 'mailed' };

/** The table of notices as docs/notifications.md holds it. */
export function notificationsDoc(): string {
  const rows = notificationTopics.map((topic) => {
    const about = noticeTopics[topic];
    const side = about.to === 'business' ? 'business' : 'worker';
    const subject = noticeMail(topic, { ...example, side })?.subject ?? '';
    const how = [
      escalates(about) && 'escalates',
      about.urgent && 'urgent',
      about.waiting && (about.waiting === true ? 'waiting' : `waiting (${about.waiting})`),
      canBeDaily(about) && 'daily',
      about.locked && `always ${about.locked.map((channel) => channelWords[channel]).join(', ')}`,
    ].filter(Boolean);
    return `| \`${topic}\` | ${about.group} | ${about.to} | ${about.when} | ${how.join('; ')} | ${linkText(about)} | ${subject} |`;
  });
  return `# Notifications

What people are told about, and how. Every notice is written with all its ways in the transaction of what happened
([ADR 0016](adr/0016-notices-and-mail-in-one-statement.md), [ADR 0095](adr/0095-ways-of-a-notice.md)). "Business" are its recruiters and those above
them. "Either side" is told what the other did; "both sides" are told what a clock did.

## Ways
- **App**: the inbox, at once, and as a signal to every open device.
- **Push**: to every browser and app that the person added, at once; not to who looks at the very conversation.
- **Mail**: to confirmed addresses only. At once where there is no device to push to. Where there is one, a push stands for the mail, except that
  topics that *escalate* follow by mail after ESCALATE_MINUTES if nobody opened the inbox meanwhile. Messages follow after MESSAGE_MAIL_MINUTES, once
  until they are read. A push that came to nothing gives its place to the mail.

People choose each way of each topic on or off, mail also *daily*: one mail a day at DIGEST_HOUR of their own clocks, with what they have not seen. *Always* is
what cannot be turned off. Quiet hours, by the clocks of the person's zone, hold push and mail until they end; *urgent* topics pass them. What was read or dealt with before its time is not sent.
*Waiting* topics ask for something and stay under "Waiting for you" until they are dealt with or their time is over;
where no record says so, until somebody opens them.

Mail that can be turned off carries a link that does so with one request and no sign-in (RFC 8058), for its group of topics. An address that its mail server
does not know gets no more mail until it is confirmed again.
Each way is a row of \`notification_deliveries\`: queued, sent, suppressed or failed, and why. Tries are repeated for about a day. Notices that were read are kept 180 days,
others 400; devices go after 180 days without a sign of life.

## Words
The server keeps names, times and amounts, not sentences. The words of mail and push are in \`apps/api/src/features/notifications/*.words.ts\`, those of the
app in \`apps/web/src/features/notifications/*-words.ts\`. This page is made from \`notice-topics.rules.ts\` and the mails by \`npm run docs\`; a test compares
them.

## Topics
| topic | group | who | when | how | leads to | subject of the mail, as an example |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** What docs/notifications.md says now. */
export const writtenNotificationsDoc = () => readFile(file, 'utf8');

if (import.meta.main) await writeFile(file, notificationsDoc());
