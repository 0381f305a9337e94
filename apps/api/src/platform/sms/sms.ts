import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Db } from '../db.ts';
import { showsMailbox } from '../http/dev-mailbox.ts';
import { newId } from '../ids.ts';
import { escapeHtml } from '../mail/mail-layout.ts';
import type { SmsSender } from './sms-port.ts';
import { createTwilioSms, type TwilioSettings } from './sms-twilio.ts';

type SmsSettings = TwilioSettings & Pick<Config, 'NODE_ENV' | 'SMTP_URL'>;

/** Whether text messages reach anyone: through Twilio, or in the development mailbox. */
export const canSendTexts = (config: SmsSettings): boolean =>
  config.TWILIO_ACCOUNT_SID !== undefined || showsMailbox(config);

/** Twilio when configured, otherwise the development mailbox, with the number as the recipient and the first line as the subject. */
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
