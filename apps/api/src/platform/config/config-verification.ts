import { z } from 'zod';
import { whole } from './config-shapes.ts';

const keyBytes = 32;
/** `id:key` of sealed files, the key as 32 bytes in base64url. */
const sealingKey = z
  .string()
  .regex(/^[a-z0-9-]{1,20}:[\w-]{43}$/)
  .transform((text) => {
    const [id = '', key = ''] = text.split(':');
    return { id, key: Buffer.from(key, 'base64url') };
  })
  .refine(({ key }) => key.length === keyBytes);
const sealingKeys = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .pipe(z.array(sealingKey))
  .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length);

export const verificationSettings = {
  TWILIO_ACCOUNT_SID: {
    shape: z
      .string()
      .regex(/^AC[0-9a-f]{32}$/, 'AC and 32 hexadecimal digits')
      .optional(),
    doc: 'Twilio account that sends text messages; without it texts go to /dev/mailbox, and in production phone numbers cannot be checked.',
  },
  TWILIO_AUTH_TOKEN: {
    shape: z.string().min(16).optional(),
    secret: true,
    doc: 'Auth token of the Twilio account.',
  },
  TWILIO_FROM: {
    shape: z
      .string()
      .regex(
        /^(\+[1-9]\d{6,14}|MG[0-9a-f]{32}|[A-Za-z0-9 ]{1,11})$/,
        'a number, a sender name or a messaging service',
      )
      .optional(),
    doc: 'Sender of text messages: a number such as +15550100, a sender name, or the MG… id of a messaging service.',
  },
  TEXTS_PER_DAY: {
    shape: whole(1, 1_000_000).default(1_000),
    doc: 'Codes that are texted in 24 hours by the whole platform; beyond it the check of numbers says that it is unavailable.',
  },
  DOCUMENT_KEYS: {
    shape: z
      .string()
      .superRefine((text, context) => {
        if (!sealingKeys.safeParse(text).success)
          context.addIssue({
            code: 'custom',
            message: 'id:key pairs with different ids, separated by commas',
          });
      })
      .transform((text) => sealingKeys.safeParse(text).data ?? [])
      .optional(),
    secret: true,
    doc: 'Keys that encrypt identity documents, as id:key with 32 bytes in base64url; the first one encrypts, all decrypt (docs/operations.md). Required in production; elsewhere one follows from a key in the database.',
  },
} as const satisfies Record<string, { shape: z.ZodType; doc: string; secret?: true }>;
