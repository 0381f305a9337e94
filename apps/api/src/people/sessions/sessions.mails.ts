import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail } from '../../platform/mail/mail-layout.ts';

export type NewDevice = { to: string; device: string; at: Date; key: string };

const time = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short', timeZone: 'UTC' });

/** Sent after the first sign-in with a kind of device, so that a stranger's is noticed. */
export const newDeviceMail = (publicUrl: string, { to, device, at, key }: NewDevice): Mail =>
  composeMail(to, key, {
    subject: 'New sign-in to your account',
    heading: 'New sign-in to your account',
    paragraphs: [
      'Someone signed in to your account with a device that you have not used before. If that was you, no action is needed.',
      "If it wasn't you: reset your password with “Forgot password?” on the login page, which signs out every device. Then remove passkeys that aren't yours in your account settings, and turn on the second step.",
    ],
    facts: [
      { label: 'Device', value: device },
      { label: 'Time', value: `${time.format(at)} UTC` },
    ],
    action: { label: 'Check your devices', url: `${publicUrl}/account-settings` },
    footnote: "You're receiving this because your account was used on a new device.",
  });
