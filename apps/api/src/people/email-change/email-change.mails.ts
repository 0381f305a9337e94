import { limits } from '@nearhand/contract/limits';
import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail, say } from '../../platform/mail/mail-layout.ts';

/** What the mails are about. `token` opens the link of this mail; null for none. */
export type ChangeMail = {
  kind: 'confirm-new' | 'confirm-old' | 'changed-old' | 'undone-new' | 'refused-old';
  token: string | null;
  oldEmail: string;
  newEmail: string;
};

/** The page confirms with a POST, so a mail scanner that opens links changes nothing. */
const linkTo = (publicUrl: string, action: 'confirm' | 'undo', token: string | null) =>
  `${publicUrl}/tabs/menu/change-email?${action}=${encodeURIComponent(token ?? '')}`;

/** The mail of one step; it goes to the new address or the old one. */
export function changeMail(publicUrl: string, key: string, mail: ChangeMail): Mail {
  const { kind, token, oldEmail, newEmail } = mail;
  const hours = limits.emailChangeHours;
  switch (kind) {
    case 'confirm-new':
      return composeMail(newEmail, key, {
        subject: say('Confirm your new email address'),
        heading: say('Confirm your new email address'),
        paragraphs: [
          say(
            "Confirm that this is your address, in a browser where you're logged in to your account. We've also emailed your old address, which has to agree. The link works for {hours} hours.",
            { hours },
          ),
        ],
        action: { label: say('Confirm new address'), url: linkTo(publicUrl, 'confirm', token) },
        footnote: say(
          "You're receiving this because someone asked to use this address for their Nearhand account. If that wasn't you, ignore this email.",
        ),
      });
    case 'confirm-old':
      return composeMail(oldEmail, key, {
        subject: say('Do you want to change your email address?'),
        heading: say('Do you want to change your email address?'),
        paragraphs: [
          say(
            'Someone signed in to your account asked to change its address to {newEmail}. Agree if that was you. The link works for {hours} hours.',
            { newEmail, hours },
          ),
          say("If it wasn't you, don't follow the link, and change your password now."),
        ],
        action: { label: say('Agree to the change'), url: linkTo(publicUrl, 'confirm', token) },
        footnote: say("You're receiving this because this is your Nearhand account's address."),
      });
    case 'changed-old':
      return composeMail(oldEmail, key, {
        subject: say('Your email address was changed'),
        heading: say('Your email address was changed'),
        paragraphs: [
          say("Your account's address is now {newEmail}. We won't send anything else here.", { newEmail }),
          say(
            "If you didn't want this, undo it within {days} days. That signs out every device and asks for a new password.",
            { days: limits.emailUndoDays },
          ),
        ],
        action: { label: say('Undo the change'), url: linkTo(publicUrl, 'undo', token) },
        footnote: say("You're receiving this because this was your Nearhand account's address."),
      });
    case 'refused-old':
      return composeMail(oldEmail, key, {
        subject: say('Your email address was not changed'),
        heading: say('Your email address was not changed'),
        paragraphs: [
          say(
            'Another account already signs in with {newEmail}, so your account keeps this address. Sign in as before.',
            { newEmail },
          ),
          say('To use a different address, start the change again in your account settings.'),
        ],
        footnote: say("You're receiving this because this is your Nearhand account's address."),
      });
    case 'undone-new':
      return composeMail(newEmail, key, {
        subject: say('Your email change was undone'),
        heading: say('Your email change was undone'),
        paragraphs: [
          say(
            'The earlier address of this account undid the change. This address no longer belongs to the account.',
          ),
        ],
        footnote: say("You're receiving this because this was a Nearhand account's address."),
      });
  }
}
