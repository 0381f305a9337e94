import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, instant, line, operation } from '../operation.ts';

export const device = z.object({
  id,
  kind: z.enum(['web', 'android', 'ios']),
  label: z.string(),
  addedAt: instant,
  lastUsedAt: instant.nullable(),
});
export type Device = z.infer<typeof device>;

/** Characters in base64: a P-256 point of 65 bytes and a secret of 16, with a margin for padding (RFC 8291). */
const publicKey = { min: 80, max: 100 };
const secret = { min: 20, max: 30 };
const endpointMax = 1_000;
const base64Url = z.string().regex(/^[\w-]+={0,2}$/);
const pushTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('web'),
    endpoint: z.url().max(endpointMax),
    keys: z.object({
      p256dh: base64Url.min(publicKey.min).max(publicKey.max),
      auth: base64Url.min(secret.min).max(secret.max),
    }),
    label: line(limits.nameMax),
  }),
  z.object({
    kind: z.enum(['android', 'ios']),
    token: z.string().regex(/^[\x21-\x7e]{20,4096}$/),
    label: line(limits.nameMax),
  }),
]);

/** Browsers and apps that get push notifications; `notificationSettings.get` lists them. */
export const devices = {
  add: operation({
    access: 'signed-in',
    errors: ['notification/device-refused', 'notification/too-many-devices'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/notifications/devices',
      summary: 'Register this browser or app for push; idempotent',
      successStatus: 201,
    })
    .input(pushTarget)
    .output(device),
  remove: operation({
    access: 'signed-in',
    errors: ['notification/not-found'],
    effects: [],
    whileSuspended: 'account',
  })
    .route({
      method: 'POST',
      path: '/notifications/devices/{deviceId}/remove',
      summary: 'Stop push to a device',
    })
    .input(z.object({ deviceId: id }))
    .output(z.object({ devices: z.array(device) })),
};
