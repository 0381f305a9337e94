import { directionOf, type Language } from '@nearhand/contract/languages';
import { canChoose } from '@nearhand/contract/talk/notification-settings.rules';
import {
  type NotificationTopic,
  notificationTopics,
  type TopicGroup,
  topicGroups,
} from '@nearhand/contract/talk/notification-topics';
import { topics } from '@nearhand/contract/talk/topics/topics';
import { languageOfAccount } from '../../people/account-settings/account-settings.ts';
import { AppError } from '../../platform/app-error.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { type MailText, phrase, phraseIn } from '../../platform/mail/mail-layout.ts';
import { isAccepted, type Mac } from '../../platform/sign.ts';
import { turnMailOff } from './notification-settings.ts';

export const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

const link = { to: '/notification-settings', text: phrase('Notification settings') };

const kindText: Record<MailKind, MailText> = {
  messages: phrase('messages'),
  applications: phrase('applications and invitations'),
  interview: phrase('interviews'),
  offers: phrase('offers'),
  shift: phrase('shifts'),
  hours: phrase('hours, deliveries and disputes'),
  reviews: phrase('reviews, except decisions of our team'),
  money: phrase('money, except what the law or your security requires'),
  jobs: phrase('jobs'),
  account: phrase('your account, except security notices'),
  daily: phrase('your day'),
};

export const askPage = (language: Language, kind: MailKind): string =>
  textPage(
    language,
    phrase('Unsubscribe?'),
    [
      phrase('You will no longer get emails about: {what}.', { what: phraseIn(language, kindText[kind]) }),
      phrase('Notifications in the app stay on.'),
    ],
    { button: phrase('Unsubscribe'), link },
  );

export const donePage = (language: Language, kind: MailKind): string =>
  textPage(
    language,
    phrase('You are unsubscribed'),
    [phrase('You will no longer get emails about: {what}.', { what: phraseIn(language, kindText[kind]) })],
    { link },
  );

export const wrongLinkPage = (language: Language): string =>
  textPage(
    language,
    phrase('This link does not work'),
    [phrase('It is too old, or a part of it is missing. You can turn off emails in the app instead.')],
    { link },
  );

export const unsubscribeStyle = `body { margin: 0; padding: 24px 12px; background: #F6F2E8; color: #12352A; font: 16px/1.5 Figtree, 'Segoe UI', Helvetica, Arial, sans-serif }
main { box-sizing: border-box; max-width: 520px; margin: 0 auto; padding: 28px 24px; border-radius: 20px; background: #FFFDF8; overflow-wrap: anywhere }
h1 { margin: 0 0 16px; font-size: 23px; line-height: 1.25 }
p { margin: 0 0 16px }
a { color: inherit }
button { margin: 8px 0 24px; padding: 14px 28px; border: 0; border-radius: 999px; background: #BC430C; color: #fff; font: inherit; font-weight: 600; cursor: pointer }
@media (prefers-color-scheme: dark) {
  body { background: #0E1512; color: #EDF3EC }
  main { background: #17201B }
}
`;

/** A page of a title and some words, outside the app, with a link into it. */
export function textPage(
  language: Language,
  title: MailText,
  texts: readonly MailText[],
  { button, link }: { button?: MailText; link?: { to: string; text: MailText } } = {},
): string {
  const text = (message: MailText) => escapeHtml(phraseIn(language, message));
  const form = button ? `<form method="post"><button>${text(button)}</button></form>` : '';
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/api/unsubscribe.css">
<title>${text(title)} – Nearhand</title>
</head>
<body>
<main>
<p><strong>Nearhand</strong></p>
<h1>${text(title)}</h1>
<p>${texts.map(text).join(' ')}</p>
${form}
${link ? `<p><a href="${link.to}">${text(link.text)}</a></p>` : ''}
</main>
</body>
</html>
`;
}

type MailKind = TopicGroup | 'daily';
const kinds: readonly MailKind[] = [...topicGroups, 'daily'];

const signatureOf = (mac: Mac, accountId: string, kind: MailKind): string =>
  mac('unsubscribe', `${accountId}\n${kind}`).subarray(0, 18).toString('base64url');

/** An address that turns off such mail for anyone who has it; it never expires and does nothing else (ADR 95). */
export const unsubscribeUrl = (
  { config, sign }: Pick<Scope, 'config' | 'sign'>,
  accountId: string,
  kind: MailKind,
): string =>
  `${config.PUBLIC_URL}/api/unsubscribe/${accountId}.${kind}.${signatureOf(sign, accountId, kind)}`;

type LinkedMail = { kind: MailKind; language: Language };

/**
 * Verifies a link and returns the mail it would turn off.
 * @throws notification/not-found
 */
export async function openUnsubscribe(
  db: Db,
  scope: Pick<Scope, 'sign'>,
  token: string,
): Promise<LinkedMail> {
  const { accountId, kind } = readUnsubscribe(scope, token);
  return { kind, language: await languageOfAccount(db, accountId) };
}

function readUnsubscribe(
  { sign }: Pick<Scope, 'sign'>,
  token: string,
): { accountId: string; kind: MailKind } {
  const [accountId = '', name = '', signature = '', ...rest] = token.split('.');
  const kind = kinds.find((kind) => kind === name);
  const isOurs = kind && isAccepted(sign, signature, (mac) => signatureOf(mac, accountId, kind));
  if (isOurs && rest.length === 0) return { accountId, kind };
  throw new AppError('notification/not-found');
}

/**
 * Turns off the mail of a link; locked topics still arrive. Idempotent.
 * @throws notification/not-found
 */
export async function unsubscribe(db: Db, scope: Pick<Scope, 'sign'>, token: string): Promise<LinkedMail> {
  const { accountId, kind } = readUnsubscribe(scope, token);
  const chosenTopics = notificationTopics.filter(
    (name: NotificationTopic) =>
      (kind === 'daily' || topics[name].group === kind) && canChoose(topics[name], 'email', 'off'),
  );
  await db
    .transaction()
    .execute((tx: Tx) => turnMailOff(tx, accountId, chosenTopics, kind === 'daily' ? 'daily' : 'any'));
  return { kind, language: await languageOfAccount(db, accountId) };
}
