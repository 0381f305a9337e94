import type { Mail } from '../../platform/mail.ts';
import { composeMail } from '../../platform/mail-layout.ts';

/** The link lands on the login page, which confirms it with a POST: a mail scanner that opens links verifies nothing. */
export const verificationMail = (publicUrl: string, to: string, token: string, key: string): Mail =>
  composeMail(to, key, {
    subject: 'Verify your email address',
    heading: 'Verify your email address',
    paragraphs: ['Confirm that this address is yours, then log in. The link works for 24 hours.'],
    action: { label: 'Verify my email', url: `${publicUrl}/login?verify=${encodeURIComponent(token)}` },
    footnote:
      'You get this because an account was created with this address. If that was not you, ignore it.',
  });

export const passwordResetMail = (publicUrl: string, to: string, token: string, key: string): Mail =>
  composeMail(to, key, {
    subject: 'Reset your password',
    heading: 'Choose a new password',
    paragraphs: ['Open the link to choose a new password. It works once, for one hour.'],
    action: { label: 'Choose a new password', url: `${publicUrl}/login?reset=${encodeURIComponent(token)}` },
    footnote:
      'You get this because someone asked to reset the password of this account. If that was not you, ignore it; your password stays as it is.',
  });

/** Sent after the fact, so that a change nobody made on purpose is noticed. */
export const passwordChangedMail = (publicUrl: string, to: string, key: string): Mail =>
  composeMail(to, key, {
    subject: 'Your password was changed',
    heading: 'Your password was changed',
    paragraphs: ['Every other session was ended. If this was not you, reset your password now.'],
    action: { label: 'Go to log in', url: `${publicUrl}/login` },
    footnote: 'You get this because the password of your account was changed.',
  });
