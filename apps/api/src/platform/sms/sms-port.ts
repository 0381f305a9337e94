/** One text message. `key` identifies it: the development mailbox stores it once. */
export type Sms = { to: string; text: string; key: string };

/** The network or the provider will never deliver to this number: retrying is pointless. */
export class SmsRefused extends Error {}

/**
 * Sends text messages; called from tasks only. Throws when the provider is unavailable, so that the task is retried; `SmsRefused` where that is pointless.
 */
export type SmsSender = { send(sms: Sms): Promise<void> };
