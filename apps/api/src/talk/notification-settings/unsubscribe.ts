import type { Language } from '@nearhand/contract/languages';
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
import type { Scope } from '../../platform/http/scope.ts';
import { isAccepted, type Mac } from '../../platform/sign.ts';
import { turnMailOff } from './notification-settings.ts';

/** What a mail is about: the topics of a group, or all in the daily mail. */
export type MailKind = TopicGroup | 'daily';
const kinds: readonly MailKind[] = [...topicGroups, 'daily'];

const signatureOf = (mac: Mac, accountId: string, kind: MailKind): string =>
  mac('unsubscribe', `${accountId}\n${kind}`).subarray(0, 18).toString('base64url');

/** An address by which anyone with the mail can turn off such mail, signed in or not; useless otherwise and without expiry (ADR 95). */
export const unsubscribeUrl = (
  { config, sign }: Pick<Scope, 'config' | 'sign'>,
  accountId: string,
  kind: MailKind,
): string =>
  `${config.PUBLIC_URL}/api/unsubscribe/${accountId}.${kind}.${signatureOf(sign, accountId, kind)}`;

/** What a link turns off, and the language of its account. */
type LinkedMail = { kind: MailKind; language: Language };

/**
 * What a link would turn off.
 * @throws notification/not-found for one we did not make
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
  const kind = kinds.find((known) => known === name);
  const isOurs = kind && isAccepted(sign, signature, (mac) => signatureOf(mac, accountId, kind));
  if (isOurs && rest.length === 0) return { accountId, kind };
  throw new AppError('notification/not-found');
}

/**
 * Turns off the mail of a link; locked topics still arrive. Idempotent.
 * @throws notification/not-found for one we did not make
 */
export async function unsubscribe(db: Db, scope: Pick<Scope, 'sign'>, token: string): Promise<LinkedMail> {
  const { accountId, kind } = readUnsubscribe(scope, token);
  const chosen = notificationTopics.filter(
    (name: NotificationTopic) =>
      (kind === 'daily' || topics[name].group === kind) && canChoose(topics[name], 'email', 'off'),
  );
  await db
    .transaction()
    .execute((tx: Tx) => turnMailOff(tx, accountId, chosen, kind === 'daily' ? 'daily' : 'any'));
  return { kind, language: await languageOfAccount(db, accountId) };
}
