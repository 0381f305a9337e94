import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { z } from 'zod';
import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail, say } from '../../platform/mail/mail-layout.ts';

export const confirmMailTask = {
  name: 'tickets.send-confirmation',
  payload: z.object({ ticketId: z.uuid() }),
};
export const guestMailTask = {
  name: 'tickets.send-mail',
  payload: z.object({
    ticketId: z.uuid(),
    what: z.enum(['received', 'answered', 'solved', 'link']),
    body: z.string(),
    /** The number of files that staff attached. */
    files: z.number().int().default(0),
    key: z.string(),
  }),
};

const why = say("You're receiving this because this address was given in a request to Nearhand.");

/** Contains nothing that was typed: anyone can enter any address. */
export const confirmationMail = (publicUrl: string, to: string, token: string, key: string): Mail =>
  composeMail(to, key, {
    subject: say('Confirm your request to Nearhand'),
    heading: say('Confirm your request'),
    paragraphs: [say('Press the button, and your request reaches our team. The link works for two days.')],
    action: { label: say('Confirm my request'), url: `${publicUrl}/tabs/menu/contact?confirm=${token}` },
    footnote: say(
      "You're receiving this because this address was given in a request to Nearhand. If that wasn't you, ignore this email.",
    ),
  });

type GuestNews = {
  what: 'received' | 'answered' | 'solved' | 'link';
  subject: string;
  body: string;
  files: number;
  /** Opens the request without an account. */
  url: string;
  /** Null where nobody reads replies. */
  replyTo: string | null;
};

const words = {
  received: {
    subject: (about: string) => say('We have your request: {about}', { about }),
    heading: say('We have your request'),
    lead: say('Our team reads it and answers by email.'),
  },
  answered: {
    subject: (about: string) => say('Your request: {about}', { about }),
    heading: say('We answered your request'),
    lead: null,
  },
  solved: {
    subject: (about: string) => say('Solved: {about}', { about }),
    heading: say('We closed your request'),
    lead: null,
  },
  link: {
    subject: (about: string) => say('Your request: {about}', { about }),
    heading: say('Your new link'),
    lead: say('The links in our earlier emails no longer open your request.'),
  },
};

export function guestMail(to: string, key: string, news: GuestNews): Mail {
  const { subject, heading, lead } = words[news.what];
  const reply = news.replyTo
    ? say('To add something or attach photos, open your request or reply to this email.')
    : say(
        'Nobody reads replies to this email. To add something, attach photos or close your request, open it.',
      );
  return composeMail(to, key, {
    subject: subject(news.subject),
    heading,
    paragraphs: [
      say('About “{subject}”.', { subject: news.subject }),
      ...(lead ? [lead] : []),
      ...(news.body
        ? [{ lead: news.what === 'received' ? say('You wrote') : say('We wrote'), quoted: news.body }]
        : []),
      ...(news.files > 0
        ? [
            say(
              '{files, plural, one {We attached # file.} other {We attached # files.}} Open your request to see them.',
              {
                files: news.files,
              },
            ),
          ]
        : []),
      reply,
      say('The button works for {days} days, for anyone who has this email.', {
        days: ticketLimits.linkDays,
      }),
    ],
    action: { label: say('Open my request'), url: news.url },
    footnote: why,
    ...(news.replyTo ? { replyTo: news.replyTo } : {}),
  });
}
