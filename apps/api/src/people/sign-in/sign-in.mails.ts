import { composeMail, say } from '../../platform/mail/mail-layout.ts';

/** The link opens the login page, which confirms with a POST, so a mail scanner that opens links verifies nothing. */
export const verificationMail = (publicUrl: string, to: string, token: string, key: string) =>
  composeMail(to, key, {
    subject: say('Verify your email address'),
    heading: say('Verify your email address'),
    paragraphs: [say('Confirm that this is your address, then log in. The link works for 24 hours.')],
    action: { label: say('Verify my email'), url: `${publicUrl}/login?verify=${encodeURIComponent(token)}` },
    footnote: say(
      "You're receiving this because an account was created with this address. If that wasn't you, ignore this email. If you follow the link all the same, the account is yours: whoever created it is signed out, and you choose a new password.",
    ),
  });

export const passwordResetMail = (publicUrl: string, to: string, token: string, key: string) =>
  composeMail(to, key, {
    subject: say('Reset your password'),
    heading: say('Choose a new password'),
    paragraphs: [say('Follow the link to choose a new password. It works once, for one hour.')],
    action: {
      label: say('Choose a new password'),
      url: `${publicUrl}/login?reset=${encodeURIComponent(token)}`,
    },
    footnote: say(
      "You're receiving this because someone asked to reset this account's password. If that wasn't you, ignore this email. Your password stays the same.",
    ),
  });

/** Sent after a password change, so that an unwanted one is noticed. */
export const passwordChangedMail = (publicUrl: string, to: string, key: string) =>
  composeMail(to, key, {
    subject: say('Your password was changed'),
    heading: say('Your password was changed'),
    paragraphs: [
      say("You've been signed out on your other devices. If you didn't change it, reset your password now."),
    ],
    action: { label: say('Log in'), url: `${publicUrl}/login` },
    footnote: say("You're receiving this because your account's password was changed."),
  });

/** Sent once a day at most, when strangers used up the password tries of an account. */
export const lockoutMail = (publicUrl: string, to: string, key: string) =>
  composeMail(to, key, {
    subject: say('Too many wrong passwords for your account'),
    heading: say('Too many wrong passwords for your account'),
    paragraphs: [
      say(
        'Someone entered several wrong passwords for your account. Nobody got in. We stop tries from new devices for a minute each time; devices where you have logged in before still work.',
      ),
      say(
        "If that wasn't you, make sure your password is one that you use nowhere else, and turn on the second step in your account settings.",
      ),
    ],
    action: { label: say('Check your account'), url: `${publicUrl}/account-settings` },
    footnote: say("You're receiving this because of failed tries to log in to your account."),
  });
