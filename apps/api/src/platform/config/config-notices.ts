import { z } from 'zod';
import { appleKey } from './apple-key.ts';
import { serviceAccount } from './config-identity.ts';
import { httpUrl } from './config-shapes.ts';

const keyBytes = (bytes: number) =>
  z
    .string()
    .refine(
      (text) => /^[\w-]+$/.test(text) && Buffer.from(text, 'base64url').length === bytes,
      `${bytes} bytes in base64url`,
    );

export const noticeSettings = {
  SMTP_URL: {
    shape: z
      .string()
      .regex(/^smtps?:\/\/\S/, 'an smtp:// or smtps:// address')
      .refine((text) => URL.canParse(text), 'an smtp:// or smtps:// address')
      .optional(),
    secret: true,
    doc: 'Mail server; without it mail goes to /dev/mailbox (never in production).',
  },
  MAIL_FROM: {
    shape: z
      .string()
      .regex(
        /^([^<>\r\n]+ <[^\s<>@,;]+@[^\s<>@,;]+>|[^\s<>@,;]+@[^\s<>@,;]+)$/,
        'an address, such as no-reply@nearhand.example or Nearhand <no-reply@nearhand.example>',
      )
      .default('Nearhand <no-reply@nearhand.example>'),
    doc: 'Sender of all mail.',
  },
  INBOUND_MAIL_DOMAIN: {
    shape: z
      .string()
      .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'a domain in lower case')
      .optional(),
    doc: 'Domain whose mail your provider posts to /api/webhooks/mail, for replies to requests; without it nobody can reply by mail.',
  },
  INBOUND_MAIL_SECRET: {
    shape: z.string().min(32).optional(),
    secret: true,
    doc: 'Signs what is posted to /api/webhooks/mail; at least 32 characters (docs/operations.md).',
  },
  VAPID_PUBLIC_KEY: {
    shape: keyBytes(65).optional(),
    doc: 'Public key for web push; if both keys are unset they are derived from a key in the database. Browsers subscribe again when it changes.',
  },
  VAPID_PRIVATE_KEY: {
    shape: keyBytes(32).optional(),
    secret: true,
    doc: 'Private key for web push.',
  },
  FCM_SERVICE_ACCOUNT: {
    shape: serviceAccount.optional(),
    secret: true,
    doc: 'JSON key of the service account that sends through Firebase Cloud Messaging; without it the Android app receives no push.',
  },
  APNS_TEAM_ID: {
    shape: z.string().min(1).optional(),
    doc: 'Team ID at Apple. With the two settings below, the iOS app receives push (docs/mobile.md).',
  },
  APNS_KEY_ID: {
    shape: z.string().min(1).optional(),
    doc: 'Key ID of a key for the Apple Push Notifications service.',
  },
  APNS_PRIVATE_KEY: {
    shape: appleKey.optional(),
    secret: true,
    doc: 'Text of the .p8 file of that key, on one line with \\n for its line breaks.',
  },
  APNS_TOPIC: {
    shape: z.string().min(1).default('com.nearhand.app'),
    doc: 'Bundle id of the iOS app that receives push.',
  },
  APNS_URL: {
    shape: httpUrl.default('https://api.push.apple.com'),
    doc: 'Address of Apple’s push service; https://api.sandbox.push.apple.com for apps started from Xcode.',
  },
} as const satisfies Record<string, { shape: z.ZodType; doc: string; secret?: true }>;
