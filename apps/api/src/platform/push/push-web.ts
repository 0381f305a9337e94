import { createECDH, createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { rootCertificates } from 'node:tls';
import webPush from 'web-push';
import type { Config } from '../config/config.ts';
import type { Sign } from '../sign.ts';
import { outcomeOf, type PushOutcome, type PushPort, pushAnswerMs } from './push-port.ts';

type VapidConfig = Pick<Config, 'VAPID_PUBLIC_KEY' | 'VAPID_PRIVATE_KEY'>;

/** The configured VAPID keys, or ones derived from the lasting key, equal on every server (ADR 95, 12). */
export function vapidKeys(config: VapidConfig, sign: Sign): { publicKey: string; privateKey: string } {
  if (config.VAPID_PUBLIC_KEY && config.VAPID_PRIVATE_KEY)
    return { publicKey: config.VAPID_PUBLIC_KEY, privateKey: config.VAPID_PRIVATE_KEY };
  const curve = createECDH('prime256v1');
  // Nearly every 32-byte number is a valid key of this curve; skip the rest.
  for (let attempt = 0; ; attempt += 1) {
    const scalar = sign.lasting('web-push-vapid', String(attempt));
    try {
      curve.setPrivateKey(scalar);
      return { publicKey: curve.getPublicKey('base64url'), privateKey: scalar.toString('base64url') };
    } catch (error) {
      if (attempt > 10) throw error;
    }
  }
}

/** True for known push services over HTTPS, so that a client can't make us call into our own network. */
export function isPushService(hosts: readonly string[], endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, host, username, password } = new URL(endpoint);
  if (protocol !== 'https:' || username !== '' || password !== '') return false;
  return hosts.some((pattern) =>
    pattern.startsWith('*.')
      ? host.endsWith(pattern.slice(1)) && host.length > pattern.length - 1
      : host === pattern,
  );
}

/** Returns whether the keys are a curve point and sixteen bytes. */
export function areSubscriptionKeys({ p256dh, auth }: { p256dh: string; auth: string }): boolean {
  const point = Buffer.from(p256dh, 'base64url');
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false;
  try {
    const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' } as never);
    return true;
  } catch {
    return false;
  }
}

const vapidSubject = (config: Pick<Config, 'MAIL_FROM'>): string =>
  `mailto:${/<([^<>]+)>/.exec(config.MAIL_FROM)?.[1] ?? config.MAIL_FROM}`;

/** Web push (RFC 8030, 8291, 8292): encrypted for the browser, signed with our key. */
export function createWebPush(
  config: VapidConfig & Pick<Config, 'MAIL_FROM' | 'PUSH_HOSTS' | 'PUSH_CA'>,
  sign: Sign,
  timeoutMs: number = pushAnswerMs,
): PushPort {
  const vapidDetails = { ...vapidKeys(config, sign), subject: vapidSubject(config) };
  // Adds an authority for private push services; the public ones stay.
  const ca = config.PUSH_CA ? [...rootCertificates, readFileSync(config.PUSH_CA, 'utf8')] : undefined;
  const agent = new Agent({ keepAlive: true, maxSockets: 50, ca: ca || undefined });
  return {
    async send(target, push, { ttlSeconds, urgency }): Promise<PushOutcome> {
      if (target.kind !== 'web') return { outcome: 'not-set-up' };
      // Checks again, because the list may have changed since the subscription.
      if (!isPushService(config.PUSH_HOSTS, target.endpoint)) return { outcome: 'gone' };
      const { endpoint, p256dh, auth } = target;
      try {
        const { statusCode } = await webPush.sendNotification(
          { endpoint: new URL(endpoint).href, keys: { p256dh, auth } },
          JSON.stringify(push),
          { vapidDetails, TTL: ttlSeconds, urgency, topic: push.tag, timeout: timeoutMs, agent },
        );
        return outcomeOf(statusCode, null);
      } catch (error) {
        if (error instanceof webPush.WebPushError) {
          const retryAfter = (error.headers as unknown as Record<string, string | undefined>)['retry-after'];
          return outcomeOf(error.statusCode, retryAfter ?? null);
        }
        const code = (error as NodeJS.ErrnoException).code ?? (error as Error).name;
        return { outcome: 'later', why: String(code), afterSeconds: null };
      }
    },
  };
}
