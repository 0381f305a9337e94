import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail } from '../../platform/mail/mail-layout.ts';

const dayWords = (at: Date): string =>
  new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(at);

export const deletionCodeMail = (to: string, code: string, minutes: number, key: string): Mail =>
  composeMail(to, key, {
    subject: `${code} is your code to delete your account`,
    heading: 'Confirm that you want to delete your account',
    paragraphs: [
      `Enter this code in your account settings. It works for ${minutes} minutes.`,
      'Never share this code. Nearhand staff will never ask for it.',
    ],
    facts: [{ label: 'Code', value: code }],
    footnote:
      "You're receiving this because someone asked to delete this account. If that wasn't you, ignore this email and change how you sign in.",
  });

export const deletionScheduledMail = (publicUrl: string, to: string, deleteAt: Date, key: string): Mail =>
  composeMail(to, key, {
    subject: `Your account will be deleted on ${dayWords(deleteAt)}`,
    heading: `Your account will be deleted on ${dayWords(deleteAt)}`,
    paragraphs: [
      "You've been signed out everywhere, and your applications were withdrawn. Businesses can't see your profile any more.",
      'To keep your account, log in before that day and choose Keep my account.',
    ],
    action: { label: 'Log in', url: `${publicUrl}/login?next=%2Faccount-settings` },
    footnote:
      "You're receiving this because you asked to delete your account. If that wasn't you, log in now, keep your account and change your password.",
  });

export const deletionPostponedMail = (
  publicUrl: string,
  to: string,
  reasons: readonly string[],
  key: string,
): Mail =>
  composeMail(to, key, {
    subject: "We couldn't delete your account yet",
    heading: "We couldn't delete your account yet",
    paragraphs: [
      `Something came up since you asked: ${reasons.join('; ')}.`,
      "Log in to sort it out. We'll try again every day, and delete your account as soon as nothing is left.",
    ],
    action: { label: 'Log in', url: `${publicUrl}/login?next=%2Faccount-settings` },
    footnote: "You're receiving this because you asked to delete your account.",
  });

export const accountRemovedMail = (to: string, key: string): Mail =>
  composeMail(to, key, {
    subject: 'Your account was deleted',
    heading: 'Your account was deleted',
    paragraphs: [
      'Your name, contact details, photo, CV and profile are gone. Messages and money records that others need stay, without your name.',
      'You can open a new account with this address at any time.',
    ],
    footnote:
      "This is our last message about this account. You're receiving it because you asked to delete it.",
  });
