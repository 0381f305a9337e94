import type { Config } from '../config/config.ts';
import { SmsRefused, type SmsSender } from './sms-port.ts';

const timeoutMs = 15_000;

/**
 * Twilio's error codes about the number itself: invalid, unreachable, a landline, in a country that is turned off, or unsubscribed. Any other
 * refusal is about our account and is retried until someone fixes it.
 */
const numberCodes: readonly unknown[] = [
  21_211, 21_214, 21_217, 21_265, 21_408, 21_421, 21_610, 21_612, 21_614,
];

export type TwilioSettings = Pick<
  Config,
  'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'TWILIO_FROM' | 'TWILIO_URL'
>;

/** Twilio's Messages API: a form with basic authentication. It has no idempotency keys, so a lost answer may send a text twice. */
export function createTwilioSms(config: TwilioSettings): SmsSender {
  const { TWILIO_ACCOUNT_SID: account = '', TWILIO_AUTH_TOKEN: token = '', TWILIO_FROM: from = '' } = config;
  const url = `${config.TWILIO_URL}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json`;
  const authorization = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`;
  const senderField = from.startsWith('MG') ? 'MessagingServiceSid' : 'From';
  return {
    async send({ to, text }) {
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization },
        body: new URLSearchParams({ To: to, [senderField]: from, Body: text }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const answer = (await response.json().catch(() => null)) as { code?: unknown } | null;
      if (response.ok) return;
      const why = `Twilio refused a text, status ${response.status}, code ${String(answer?.code)}`;
      throw numberCodes.includes(answer?.code) ? new SmsRefused(why) : new Error(why);
    },
  };
}
