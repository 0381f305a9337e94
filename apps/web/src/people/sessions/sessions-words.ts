import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import type { SessionView, SignInEvent, SignInEventKind } from '@nearhand/contract/people/sessions';
import { deviceName } from '../../lib/words/device-name.ts';
import { dayIn, formatCalendarDay, formatDayTime, joined, ownTimeZone } from '../../lib/words/format.ts';

const kinds: Record<SignInEventKind, MessageDescriptor> = {
  'signed-in': msg`Signed in`,
  failed: msg`Wrong password or code`,
  'password-changed': msg`Password changed`,
  'password-reset': msg`Password reset by email`,
  'email-changed': msg`Email changed`,
  'email-change-undone': msg`Email change undone`,
  'second-step-on': msg`Second step turned on`,
  'second-step-off': msg`Second step turned off`,
  'recovery-codes-made': msg`New recovery codes`,
  'recovery-code-used': msg`Recovery code used`,
  'passkey-added': msg`Passkey added`,
  'passkey-removed': msg`Passkey removed`,
};

/** "Wrong password or code, 3 times". */
export function eventTitle({ kind, tries, newDevice }: SignInEvent): string {
  const title = i18n._(kinds[kind]);
  if (tries > 1) return t`${title}, ${tries} times`;
  return newDevice ? t`${title} on a new device` : title;
}

/** Links in mails carry no device. */
export const eventNote = ({ device, happenedAt, kind }: SignInEvent): string =>
  joined(
    formatDayTime(happenedAt, ownTimeZone()),
    kind !== 'email-changed' && kind !== 'email-change-undone' && deviceName(device),
  );

/** "last used today". */
export function lastUsed({ lastUsedAt }: SessionView, now = new Date()): string {
  const zone = ownTimeZone();
  const day = dayIn(lastUsedAt, zone);
  if (day === dayIn(now, zone)) return t`Last used today`;
  return t`Last used ${formatCalendarDay(day, { now })}`;
}

export const isPhone = ({ device }: Pick<SessionView, 'device'>): boolean => /iPhone|Android/.test(device);
