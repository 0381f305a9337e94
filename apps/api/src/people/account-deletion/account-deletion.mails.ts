import type { Language } from '@nearhand/contract/languages';
import type { DeletionObstacle } from '@nearhand/contract/people/account-deletion';
import { formatsOf } from '../../platform/i18n.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail, phraseIn, type Said, say } from '../../platform/mail/mail-layout.ts';

const dayIn = (language: Language, at: Date): string =>
  new Intl.DateTimeFormat(formatsOf(language), {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  }).format(at);

export const deletionCodeMail = (to: string, code: string, minutes: number, key: string): Mail =>
  composeMail(to, key, {
    subject: say('{code} is your code to delete your account', { code }),
    heading: say('Confirm that you want to delete your account'),
    paragraphs: [
      say('Enter this code in your account settings. It works for {minutes} minutes.', { minutes }),
      say('Never share this code. Nearhand staff will never ask for it.'),
    ],
    facts: [{ label: say('Code'), value: code }],
    footnote: say(
      "You're receiving this because someone asked to delete this account. If that wasn't you, ignore this email and change how you sign in.",
    ),
  });

/** With the day as the language writes it. */
const deletedOn = (at: Date) => (language: Language) =>
  phraseIn(language, say('Your account will be deleted on {day}', { day: dayIn(language, at) }));

export const deletionScheduledMail = (publicUrl: string, to: string, deleteAt: Date, key: string): Mail =>
  composeMail(to, key, {
    subject: deletedOn(deleteAt),
    heading: deletedOn(deleteAt),
    paragraphs: [
      say(
        "You've been signed out everywhere, and your applications were withdrawn. Businesses can't see your profile any more.",
      ),
      say('To keep your account, log in before that day and choose Keep my account.'),
    ],
    action: { label: say('Log in'), url: `${publicUrl}/login?next=%2Faccount-settings` },
    footnote: say(
      "You're receiving this because you asked to delete your account. If that wasn't you, log in now, keep your account and change your password.",
    ),
  });

/** What stands against removing an account, within a sentence. */
const obstacleWords: Record<DeletionObstacle['kind'], Said> = {
  balance: say('there is money in your balance'),
  withdrawal: say('a withdrawal is on its way'),
  work: say("you have work that isn't finished"),
  dispute: say('a dispute is open'),
  offer: say('an offer is waiting for your answer'),
  business: say('you own a business that is still open'),
  operator: say('your account has a staff role'),
};
export const obstacleKinds = Object.keys(obstacleWords) as [DeletionObstacle['kind']];

export const deletionPostponedMail = (
  publicUrl: string,
  to: string,
  obstacles: readonly DeletionObstacle['kind'][],
  key: string,
): Mail =>
  composeMail(to, key, {
    subject: say("We couldn't delete your account yet"),
    heading: say("We couldn't delete your account yet"),
    paragraphs: [
      (language) => {
        const reasons = obstacles.map((kind) => phraseIn(language, obstacleWords[kind])).join('; ');
        return phraseIn(language, say('Something came up since you asked: {reasons}.', { reasons }));
      },
      say(
        "Log in to sort it out. We'll try again every day, and delete your account as soon as nothing is left.",
      ),
    ],
    action: { label: say('Log in'), url: `${publicUrl}/login?next=%2Faccount-settings` },
    footnote: say("You're receiving this because you asked to delete your account."),
  });

export const accountRemovedMail = (to: string, key: string): Mail =>
  composeMail(to, key, {
    subject: say('Your account was deleted'),
    heading: say('Your account was deleted'),
    paragraphs: [
      say(
        'Your name, contact details, photo, CV and profile are gone. Messages and money records that others need stay, without your name.',
      ),
      say(
        'If a bank returns a withdrawal to us after this, we keep the money for you. Write to our support to have it paid out.',
      ),
      say('You can open a new account with this address at any time.'),
    ],
    footnote: say(
      "This is our last message about this account. You're receiving it because you asked to delete it.",
    ),
  });
