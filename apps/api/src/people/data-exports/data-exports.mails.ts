import type { Mail } from '../../platform/mail/mail.ts';
import { composeMail, say } from '../../platform/mail/mail-layout.ts';

/** The link to a finished export. It works only while signed in to the account. */
export const dataExportMail = (to: string, link: string, hours: number, key: string): Mail =>
  composeMail(to, key, {
    subject: say('Your data is ready to download'),
    heading: say('Your data is ready to download'),
    paragraphs: [
      say(
        "The copy of your data you asked for is ready. The link works for {hours} hours, and only while you're logged in to your account.",
        { hours },
      ),
      say('The file is a ZIP. Unpack it and open index.html to read everything in your browser.'),
    ],
    action: { label: say('Download your data'), url: link },
    footnote: say(
      "You're receiving this because someone signed in to this account asked for a copy of its data. If that wasn't you, change your password.",
    ),
  });
