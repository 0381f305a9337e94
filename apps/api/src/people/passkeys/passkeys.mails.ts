import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail, say } from '../../platform/mail/mail-layout.ts';

export type PasskeyChange = { to: string; kind: 'added' | 'removed'; name: string; key: string };

/** Sent after a passkey was added or removed, so that an unwanted change is noticed. */
export function passkeyChangedMail(publicUrl: string, { to, kind, name, key }: PasskeyChange): Mail {
  const added = kind === 'added';
  const subject = added
    ? say('A passkey was added to your account')
    : say('A passkey was removed from your account');
  return composeMail(to, key, {
    subject,
    heading: subject,
    paragraphs: [
      added
        ? say('It can log in to your account without your password.')
        : say('It can no longer log in to your account.'),
      added
        ? say(
            "If you didn't add it, remove it in your account settings, sign out your other devices, and reset your password.",
          )
        : say(
            "If you didn't remove it, sign out your other devices in your account settings, and reset your password.",
          ),
    ],
    facts: [{ label: say('Passkey'), value: name }],
    action: { label: say('Check your account settings'), url: `${publicUrl}/account-settings` },
    footnote: say("You're receiving this because the passkeys of your account changed."),
  });
}
