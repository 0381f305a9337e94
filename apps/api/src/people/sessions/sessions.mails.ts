import { labelParts } from '@nearhand/contract/browser-label';
import type { Language } from '@nearhand/contract/languages';
import { formatsOf } from '../../platform/i18n.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail, type Phrase, say } from '../../platform/mail/mail-layout.ts';

export type NewDevice = { to: string; device: string; at: Date; key: string };

const timeIn = (language: Language, at: Date): string =>
  new Intl.DateTimeFormat(formatsOf(language), {
    dateStyle: 'full',
    timeStyle: 'short',
    timeZone: 'UTC',
  }).format(at);

const deviceWords = (label: string): Phrase => {
  const parts = labelParts(label);
  return parts ? say('{browser} on {system}', parts) : label;
};

/** Sent after the first sign-in with a kind of device, so that a stranger's is noticed. */
export const newDeviceMail = (publicUrl: string, { to, device, at, key }: NewDevice): Mail =>
  composeMail(to, key, {
    subject: say('New sign-in to your account'),
    heading: say('New sign-in to your account'),
    paragraphs: [
      say(
        'Someone signed in to your account with a device that you have not used before. If that was you, no action is needed.',
      ),
      say(
        "If it wasn't you: reset your password with “Forgot password?” on the login page, which signs out every device. Then remove passkeys that aren't yours in your account settings, and turn on the second step.",
      ),
    ],
    facts: [
      { label: say('Device'), value: deviceWords(device) },
      { label: say('Time'), value: (language) => `${timeIn(language, at)} UTC` },
    ],
    action: { label: say('Check your devices'), url: `${publicUrl}/account-settings` },
    footnote: say("You're receiving this because your account was used on a new device."),
  });
