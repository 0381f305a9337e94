import { limits } from '@nearhand/contract/limits';
import { z } from 'zod';

const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** Names of hosts, `*.` before one standing for everything under it; a port only where it is not HTTPS's own. */
const hostNames = z
  .string()
  .regex(
    /^\s*(\*\.)?[a-z0-9.-]+(:\d{1,5})?\s*(,\s*(\*\.)?[a-z0-9.-]+(:\d{1,5})?\s*)*$/,
    'host names separated by commas',
  )
  .transform((text) => text.split(',').map((part) => part.trim()));

/** The JSON file of a Google service account, as it is. */
const serviceAccount = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'JSON' });
      return z.NEVER;
    }
  })
  .pipe(
    z.object({
      project_id: z.string().min(1),
      client_email: z.string().min(1),
      private_key: z.string().includes('PRIVATE KEY'),
      token_uri: z.url(),
    }),
  );

/** Bytes in base64url, without padding. */
const keyBytes = (bytes: number) =>
  z
    .string()
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      `${bytes} bytes in base64url`,
    );

/** Settings of how people are told: mail, push services, and how long a notice waits (part of `settings` in `config.ts`). */
export const noticeSettings = {
  SMTP_URL: {
    shape: z
      .string()
      .regex(/^smtps?:\/\//, 'an smtp:// or smtps:// address')
      .optional(),
    secret: true,
    doc: 'Mail server; without it mail goes to /dev/mailbox (never in production).',
  },
  MAIL_FROM: {
    shape: z.string().min(3).default('Nearhand <no-reply@nearhand.example>'),
    doc: 'Sender of all mail.',
  },
  VAPID_PUBLIC_KEY: {
    shape: keyBytes(65).optional(),
    doc: 'Public key for web push; without it and the private one, both are made from SECRET. Browsers subscribe again when it changes.',
  },
  VAPID_PRIVATE_KEY: {
    shape: keyBytes(32).optional(),
    secret: true,
    doc: 'Private key for web push.',
  },
  VAPID_SUBJECT: {
    shape: z
      .string()
      .regex(/^(mailto:|https:\/\/)\S+$/, 'a mailto: or https:// address')
      .optional(),
    doc: 'Whom push services may write to about this server; default the address of MAIL_FROM.',
  },
  PUSH_HOSTS: {
    shape: hostNames.default([
      'fcm.googleapis.com',
      '*.push.services.mozilla.com',
      '*.notify.windows.com',
      '*.push.apple.com',
    ]),
    doc: 'Push services that browsers may name; *. stands for every host under a name. Nothing else is ever called.',
  },
  PUSH_CA: {
    shape: z.string().min(1).optional(),
    doc: 'File with one more certificate authority, PEM, for push services of one’s own.',
  },
  FCM_SERVICE_ACCOUNT: {
    shape: serviceAccount.optional(),
    secret: true,
    doc: 'JSON of the service account that may send through Firebase Cloud Messaging; without it the native apps get no push.',
  },
  FCM_URL: {
    shape: z.url().default('https://fcm.googleapis.com'),
    doc: 'Where Firebase Cloud Messaging is.',
  },
  ESCALATE_MINUTES: {
    shape: whole(0, 1_440).default(limits.escalateMinutes),
    doc: 'Minutes after a push until what is about shifts, money, interviews or offers and was not seen goes by mail too.',
  },
  MESSAGE_MAIL_MINUTES: {
    shape: whole(0, 1_440).default(limits.messageMailMinutes),
    doc: 'Minutes until a message that was not read goes by mail.',
  },
  DIGEST_HOUR: {
    shape: whole(0, 23).default(limits.digestHour),
    doc: 'Hour of the daily mail, by the clocks of its reader.',
  },
} as const satisfies Record<string, { shape: z.ZodType; doc: string; secret?: true }>;
