import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { notificationTopics } from '@nearhand/contract/notifications';
import { linkText, noticeTopics } from '../src/features/notifications/notice-topics.ts';
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

/** The table of notices as docs/notifications.md holds it. */
export function notificationsDoc(): string {
  const rows = notificationTopics.map((topic) => {
    const about = noticeTopics[topic];
    const side = about.to === 'business' ? 'business' : 'worker';
    const subject = noticeMail(topic, { ...example, side })?.subject ?? '';
    return `| \`${topic}\` | ${about.to} | ${about.when} | app, mail | ${linkText(about)} | ${subject} |`;
  });
  return `# Notifications

What people are told about. Every notice is in the app and goes out as mail, to confirmed addresses only; both are written in the transaction of what
happened ([ADR 0016](adr/0016-notices-and-mail-in-one-statement.md)). "Business" are its recruiters and those above them. "Either side" is told what
the other did; "both sides" are told what a clock did.

The server keeps names, times and amounts, not sentences. The words of the mail are in \`apps/api/src/features/notifications/*.words.ts\`, those of the
app in \`apps/web/src/features/notifications/*-words.ts\`. This page is made from \`notice-topics.ts\` and the mails by \`npm run docs\`; a test compares
them.

| topic | who | when | channels | leads to | subject of the mail, as an example |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** What docs/notifications.md says now. */
export const writtenNotificationsDoc = () => readFile(file, 'utf8');

if (import.meta.main) await writeFile(file, notificationsDoc());
