import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { settingDefaults } from '@nearhand/contract/setting-defaults';
import { notificationTopics } from '@nearhand/contract/talk/notification-topics';
import { mailTexts } from '@nearhand/contract/talk/topics/topic-texts';
import { canBeDaily, escalatesToMail, linkText, topics } from '@nearhand/contract/talk/topics/topics';
import { noticeFormat } from '../src/talk/notifications/notice-format.ts';

const file = path.resolve(import.meta.dirname, '../../../docs/notifications.md');

const example = {
  jobTitle: 'Barista',
  subject: 'Pay for Saturday',
  businessName: 'Café Noord',
  workerName: 'Leila',
  timeZone: 'Europe/Amsterdam',
  startsAt: '2026-12-03T08:00:00Z',
  endsAt: '2026-12-03T12:00:00Z',
};

const channelWords = { app: 'in the app', push: 'pushed', email: 'mailed' };

export function notificationsDoc(): string {
  const rows = notificationTopics.map((topic) => {
    const topicFacts = topics[topic];
    const side = topicFacts.to === 'business' ? 'business' : 'worker';
    const subject = mailTexts(topic, { ...example, side }, noticeFormat())?.subject ?? '';
    const channels = [
      escalatesToMail(topicFacts) && 'escalates',
      topicFacts.urgent && 'urgent',
      topicFacts.waiting && (topicFacts.waiting === true ? 'waiting' : `waiting (${topicFacts.waiting})`),
      canBeDaily(topicFacts) && 'daily',
      topicFacts.locked && `always ${topicFacts.locked.map((channel) => channelWords[channel]).join(', ')}`,
    ].filter(Boolean);
    return `| \`${topic}\` | ${topicFacts.group} | ${topicFacts.to} | ${topicFacts.when} | ${channels.join('; ')} | ${linkText(topicFacts)} | ${subject} |`;
  });
  return `# Notifications

Every notification, who gets it and how. Notices are written with all their deliveries in the transaction of the event
([ADR 16](adr/0016-transactional-notifications.md), [ADR 95](adr/0095-planned-deliveries-and-push.md)). "Business" means its recruiters,
managers and owners; coordinators too, unless it is about pay (ADR 408). "Either side" is notified of what the other side did, "both sides" of what a timer did.

## Channels
- **App**: the inbox, at once, with a signal to every open device.
- **Push**: every browser and app that the person added, at once, except to someone who is looking at that conversation.
- **Mail**: confirmed addresses only, at once if there is no device to push to. Otherwise the push delays the mail: topics that *escalate* are
  mailed after ${settingDefaults.escalateMinutes} minutes if no one has seen them, and messages after ${settingDefaults.messageMailMinutes}, once until they are read. A failed push
  triggers the mail at once.

People turn each channel on or off per topic. Mail can also be *daily*: one mail a day at ${settingDefaults.digestHour}:00 in their time zone, with what they have not
seen. *Always* cannot be turned off. Quiet hours hold back push and mail until they end, except for *urgent* topics. What was read or dealt
with before its delivery is not sent. *Waiting* topics ask for something and stay under "Waiting for you" until it is done or its deadline has
passed, or until they are opened if no record says so.

Mail that can be turned off contains a link that does so for its group of topics, without sign-in (RFC 8058). An address that its mail server
rejects gets no more mail until it is confirmed again.

Each delivery is a row of \`notification_deliveries\`: queued, sent, suppressed or failed, with the reason. Failed attempts are retried for about a
day. Read notices are kept for 180 days, others for 400. Devices are removed after 180 days without activity.

## Texts
The server stores names, times and amounts, not sentences. Each topic is defined once, in \`packages/contract/src/talk/topics/\`: recipient, icon,
title, text, button and what its mail adds. The inbox, pushes, mails and settings read these definitions, and \`npm run extract -w @nearhand/web\` puts their texts
in the catalogue. \`npm run docs\` generates this page from them; a test compares them.

## Topics
| topic | group | recipient | when | how | opens | example subject |
|---|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

export const writtenNotificationsDoc = () => readFile(file, 'utf8');

if (import.meta.main) await writeFile(file, notificationsDoc());
