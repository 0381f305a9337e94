import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { createGoogleBearer } from '../firebase/google-bearer.ts';
import type { Sign } from '../sign.ts';
import { createApnsPush } from './push-apns.ts';
import {
  outcomeOf,
  type Push,
  type PushOutcome,
  type PushPace,
  type PushPort,
  pushAnswerMs,
} from './push-port.ts';
import { createWebPush } from './push-web.ts';

export function createPush(config: Config, sign: Sign, clock: Clock): PushPort {
  const web = createWebPush(config, sign);
  const android = createFcmPush(config, clock);
  // iOS tokens are Apple's, which Firebase does not know.
  const ios = createApnsPush(config, clock);
  const ways = { web, android, ios: ios ?? { send: async () => ({ outcome: 'not-set-up' }) as const } };
  return { send: (target, push, pace) => ways[target.kind].send(target, push, pace) };
}

/** Firebase Cloud Messaging (HTTP v1), for Android. */
export function createFcmPush(
  config: Pick<Config, 'FCM_SERVICE_ACCOUNT' | 'FCM_URL'>,
  clock: Clock,
  timeoutMs: number = pushAnswerMs,
): PushPort {
  const account = config.FCM_SERVICE_ACCOUNT;
  if (!account) return { send: async () => ({ outcome: 'not-set-up' }) };
  const bearer = createGoogleBearer(
    account,
    'https://www.googleapis.com/auth/firebase.messaging',
    clock,
    timeoutMs,
  );

  const post = async (deviceToken: string, push: Push, pace: PushPace) =>
    fetch(`${config.FCM_URL}/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${await bearer.token()}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: messageOf(deviceToken, push, pace) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });

  return {
    async send(target, push, pace): Promise<PushOutcome> {
      if (target.kind !== 'android') return { outcome: 'not-set-up' };
      try {
        let response = await post(target.token, push, pace);
        if (response.status === 401) {
          bearer.forget();
          response = await post(target.token, push, pace);
        }
        const answer = response.ok ? null : await response.json().catch(() => null);
        if (!response.ok && isGone(answer)) return { outcome: 'gone' };
        // Without that code, a 404 is about the project, not the device.
        if (response.status === 404) return { outcome: 'refused', why: 'status 404' };
        return outcomeOf(response.status, response.headers.get('retry-after'));
      } catch (error) {
        const cause = (error as { cause?: { code?: string } }).cause?.code;
        return { outcome: 'later', why: cause ?? (error as Error).message, afterSeconds: null };
      }
    },
  };
}

/** The app was removed, or its token belongs to another project. */
const goneCodes = ['UNREGISTERED', 'SENDER_ID_MISMATCH'];

function isGone(answer: unknown): boolean {
  const details = (answer as { error?: { details?: unknown } } | null)?.error?.details;
  return (
    Array.isArray(details) &&
    details.some((detail: { errorCode?: string } | null) => goneCodes.includes(detail?.errorCode ?? ''))
  );
}

function messageOf(token: string, push: Push, { ttlSeconds, urgency }: PushPace) {
  const { title, body, path, tag, notificationId } = push;
  return {
    token,
    notification: { title, body },
    data: { path, tag, notificationId },
    android: {
      priority: urgency === 'high' ? 'HIGH' : 'NORMAL',
      ttl: `${ttlSeconds}s`,
      collapse_key: tag,
      notification: { tag },
    },
  };
}
