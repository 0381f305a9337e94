import { caseNumber } from '@nearhand/contract/trust/cases.rules';
import { ticketLimits } from '@nearhand/contract/trust/tickets.rules';
import { z } from 'zod';
import { composeMail, phrase } from '../../platform/mail/mail-layout.ts';

export const confirmMailTask = {
  name: 'tickets.send-confirmation',
  payload: z.object({ ticketId: z.uuid() }),
};
export const guestMailTask = {
  name: 'tickets.send-mail',
  payload: z.object({
    ticketId: z.uuid(),
    variant: z.enum(['received', 'answered', 'solved', 'link']),
    body: z.string(),
    /** The number of files that staff attached. */
    files: z.number().int().default(0),
    key: z.string(),
  }),
};

const why = phrase("You're receiving this because this address was given in a request to Nearhand.");

type TranslatedMail = ReturnType<typeof composeMail>;

/** Contains nothing that was typed: anyone can enter any address. */
export const confirmationMail = (publicUrl: string, to: string, token: string, key: string): TranslatedMail =>
  composeMail(to, key, {
    subject: phrase('Confirm your request to Nearhand'),
    heading: phrase('Confirm your request'),
    paragraphs: [phrase('Press the button, and your request reaches our team. The link works for two days.')],
    action: { label: phrase('Confirm my request'), url: `${publicUrl}/tabs/menu/contact?confirm=${token}` },
    footnote: phrase(
      "You're receiving this because this address was given in a request to Nearhand. If that wasn't you, ignore this email.",
    ),
  });

type GuestNews = {
  ticketId: string;
  variant: 'received' | 'answered' | 'solved' | 'link';
  subject: string;
  body: string;
  files: number;
  /** Opens the request without an account. */
  url: string;
  /** Null if nobody reads replies. */
  replyTo: string | null;
};

const words = {
  received: {
    heading: phrase('We have your request'),
    lead: phrase('Our team reads it and answers by email.'),
  },
  answered: { heading: phrase('We answered your request'), lead: null },
  solved: {
    heading: phrase('We closed your request'),
    lead: phrase('Did we solve it? Open your request and tell us.'),
  },
  link: {
    heading: phrase('Your new link'),
    lead: phrase('The links in our earlier emails no longer open your request.'),
  },
};

/** All mails about a request have one subject, by which mail programs show them as one conversation. */
export function guestMail(to: string, key: string, news: GuestNews): TranslatedMail {
  const { heading, lead } = words[news.variant];
  const subjectLine = `${news.subject} [${caseNumber({ subjectId: news.ticketId })}]`;
  const reply = news.replyTo
    ? phrase('To add something or attach photos, open your request or reply to this email.')
    : phrase(
        'Nobody reads replies to this email. To add something, attach photos or close your request, open it.',
      );
  return composeMail(to, key, {
    subject: phrase('Your request: {about}', { about: subjectLine }),
    heading,
    paragraphs: [
      phrase('About “{subject}”.', { subject: news.subject }),
      ...(lead ? [lead] : []),
      ...(news.body
        ? [
            {
              lead: news.variant === 'received' ? phrase('You wrote') : phrase('We wrote'),
              quoted: news.body,
            },
          ]
        : []),
      ...(news.files > 0
        ? [
            phrase(
              '{files, plural, one {We attached # file.} other {We attached # files.}} Open your request to see them.',
              {
                files: news.files,
              },
            ),
          ]
        : []),
      reply,
      phrase('The button works for {days} days, for anyone who has this email.', {
        days: ticketLimits.linkDays,
      }),
    ],
    action: { label: phrase('Open my request'), url: news.url },
    footnote: why,
    replyTo: news.replyTo || undefined,
  });
}
