import { type ClientHttp2Session, connect } from 'node:http2';
import { importPKCS8, SignJWT } from 'jose';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import {
  outcomeOf,
  type Push,
  type PushOutcome,
  type PushPace,
  type PushPort,
  pushAnswerMs,
} from './push-port.ts';

/** Apple refuses a token after an hour, and a new one more often than every 20 minutes. */
const tokenMs = 40 * 60_000;
const idleMs = 60_000;

type ApnsConfig = Pick<
  Config,
  'APNS_TEAM_ID' | 'APNS_KEY_ID' | 'APNS_PRIVATE_KEY' | 'APNS_TOPIC' | 'APNS_URL'
>;

/** Apple's push service over HTTP/2 (ADR 95). Null if it is not configured. */
export function createApnsPush(
  config: ApnsConfig,
  clock: Clock,
  timeoutMs: number = pushAnswerMs,
): PushPort | null {
  const { APNS_TEAM_ID: team, APNS_KEY_ID: key, APNS_PRIVATE_KEY: secret, APNS_TOPIC: topic } = config;
  if (!team || !key || !secret) return null;
  const call = createCalls(config.APNS_URL, timeoutMs);
  let token: { text: Promise<string>; at: number } | null = null;

  const bearer = (): Promise<string> => {
    const now = clock.now().getTime();
    if (token === null || Math.abs(now - token.at) > tokenMs)
      token = { text: signed({ team, key, secret, now }), at: now };
    return token.text;
  };

  const post = async (deviceToken: string, push: Push, pace: PushPace): Promise<Answer> =>
    call(
      {
        ':method': 'POST',
        ':path': `/3/device/${encodeURIComponent(deviceToken)}`,
        authorization: `bearer ${await bearer()}`,
        'apns-topic': topic,
        'apns-push-type': 'alert',
        'apns-priority': pace.urgency === 'high' ? '10' : '5',
        'apns-expiration': String(Math.floor(clock.now().getTime() / 1_000) + pace.ttlSeconds),
        'apns-collapse-id': push.tag,
      },
      JSON.stringify(payloadOf(push)),
    );

  return {
    async send(target, push, pace): Promise<PushOutcome> {
      if (target.kind !== 'ios') return { outcome: 'not-set-up' };
      try {
        let answer = await post(target.token, push, pace);
        if (answer.reason === 'ExpiredProviderToken') {
          token = null;
          answer = await post(target.token, push, pace);
        }
        if (goneReasons.includes(answer.reason)) return { outcome: 'gone' };
        // Without such a reason, a 404 is about the URL, not the device.
        if (answer.status >= 400 && answer.status < 500 && answer.status !== 429)
          return { outcome: 'refused', why: answer.reason || `status ${answer.status}` };
        return outcomeOf(answer.status, answer.retryAfter);
      } catch (error) {
        const { cause, code, message } = error as {
          cause?: { code?: string };
          code?: string;
          message: string;
        };
        return { outcome: 'later', why: cause?.code ?? code ?? message, afterSeconds: null };
      }
    },
  };
}

/** The app was removed, or its token belongs to another app or to Apple's other environment. */
const goneReasons = ['Unregistered', 'ExpiredToken', 'BadDeviceToken', 'DeviceTokenNotForTopic'];

const payloadOf = ({ title, body, path, tag, notificationId }: Push) => ({
  aps: { alert: { title, body }, sound: 'default', 'thread-id': tag },
  path,
  tag,
  notificationId,
});

async function signed(by: { team: string; key: string; secret: string; now: number }): Promise<string> {
  return new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: by.key })
    .setIssuer(by.team)
    .setIssuedAt(new Date(by.now))
    .sign(await importPKCS8(by.secret, 'ES256'));
}

type Answer = { status: number; reason: string; retryAfter: string | null };

function createCalls(url: string, timeoutMs: number) {
  let session: ClientHttp2Session | null = null;

  function open(): ClientHttp2Session {
    if (session && !session.closed && !session.destroyed) return session;
    const opened = connect(url);
    const drop = () => {
      if (session === opened) session = null;
    };
    opened.once('close', drop).once('goaway', drop);
    // Each call fails with the reason; without a listener it would end the process.
    opened.on('error', drop);
    opened.setTimeout(idleMs, () => opened.close());
    opened.unref();
    session = opened;
    return opened;
  }

  return (headers: Record<string, string>, body: string) =>
    new Promise<Answer>((resolve, reject) => {
      const stream = open().request(headers);
      let status = 0;
      let retryAfter: string | null = null;
      let text = '';
      stream.setEncoding('utf8');
      stream.setTimeout(timeoutMs, () => stream.destroy(new Error('no answer in time')));
      stream.once('response', (answer) => {
        status = Number(answer[':status']);
        retryAfter = typeof answer['retry-after'] === 'string' ? answer['retry-after'] : null;
      });
      stream.on('data', (part: string) => {
        text += part;
      });
      stream.once('error', reject);
      stream.once('close', () => {
        if (status === 0) reject(new Error('the connection ended'));
        else resolve({ status, retryAfter, reason: reasonIn(text) });
      });
      stream.end(body);
    });
}

function reasonIn(text: string): string {
  try {
    return String((JSON.parse(text) as { reason?: unknown }).reason ?? '');
  } catch {
    return '';
  }
}
