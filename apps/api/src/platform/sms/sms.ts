import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db.ts';
import { escapeHtml } from '../escape-html.ts';
import { showsMailbox } from '../http/dev-mailbox.ts';
import { newId } from '../ids.ts';

type SmsSettings = TwilioSettings & Pick<Config, 'NODE_ENV' | 'SMTP_URL'>;

export const canSendTexts = (config: SmsSettings): boolean =>
  config.TWILIO_ACCOUNT_SID !== undefined || showsMailbox(config);

/** Twilio, otherwise the development mailbox. */
export function createSms(config: SmsSettings, db: Db, clock: Clock): SmsSender {
  if (config.TWILIO_ACCOUNT_SID !== undefined) return createTwilioSms(config);
  if (!showsMailbox(config)) throw new Error('text messages need TWILIO_ACCOUNT_SID');
  return {
    async send({ to, text, key }) {
      const now = clock.now();
      await sql`insert into mailbox_messages (id, recipient, subject, text, html, dedupe_key, created_at)
        values (${newId(now)}, ${to}, ${text.split('\n', 1)[0] ?? ''}, ${text}, ${`<p>${escapeHtml(text)}</p>`}, ${key}, ${now})
        on conflict (dedupe_key) do nothing`.execute(db);
    },
  };
}

const timeoutMs = 15_000;

/** Twilio's codes about the number itself. Other refusals are about our account and are retried. */
const numberCodes: readonly unknown[] = [
  21_211, 21_214, 21_217, 21_265, 21_408, 21_421, 21_610, 21_612, 21_614,
];

type TwilioSettings = Pick<Config, 'TWILIO_ACCOUNT_SID' | 'TWILIO_AUTH_TOKEN' | 'TWILIO_FROM' | 'TWILIO_URL'>;

/** Twilio has no idempotency keys, so a lost response may send a text twice. */
function createTwilioSms(config: TwilioSettings): SmsSender {
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
      const reason = `Twilio refused a text, status ${response.status}, code ${String(answer?.code)}`;
      throw numberCodes.includes(answer?.code) ? new SmsRefusedError(reason) : new Error(reason);
    },
  };
}

/** `key` deduplicates in the development mailbox. */
type Sms = { to: string; text: string; key: string };

/** The number can never be reached, so retrying is pointless. */
export class SmsRefusedError extends Error {}

/** Called from tasks only. Throws to retry, or `SmsRefusedError` if that is pointless. */
type SmsSender = { send(sms: Sms): Promise<void> };
