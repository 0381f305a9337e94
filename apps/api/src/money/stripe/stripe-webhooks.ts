import Stripe from 'stripe';
import { z } from 'zod';
import { type ProviderEvent, WebhookRefusedError } from '../../platform/payment-provider.ts';
import { findKeyOf, idOf, isNotFound, type StripeParts } from './stripe-calls.ts';

const signatureHeader = 'stripe-signature';
const toleranceSeconds = 300;
const largest = 65_536;

/**
 * Verifies and parses a webhook, a snapshot or a thin one. Its content is not used: the object is fetched, so
 * an old, repeated or reordered event changes nothing.
 * @throws WebhookRefusedError
 */
export async function openWebhook(
  parts: StripeParts,
  headers: Record<string, string | string[] | undefined>,
  body: string,
  now: Date,
): Promise<ProviderEvent | null> {
  if (body.length > largest) throw new WebhookRefusedError('too_large');
  const header = headers[signatureHeader];
  if (typeof header !== 'string' || header === '') throw new WebhookRefusedError('signature_missing');
  verify(parts, header, body, now);
  const { object, livemode } = parsed(body);
  if (livemode !== parts.isLive) throw new WebhookRefusedError('other_mode');
  return object === 'v2.core.event'
    ? thinEvent(parts, body)
    : snapshotEvent(parts, parts.client.webhooks.constructEventWithoutVerification(body));
}

/** Accepts any of the secrets: each destination has one, and a new one replaces it without a gap. */
function verify({ client, webhookSecrets }: StripeParts, header: string, body: string, now: Date): void {
  let reason: WebhookRefusedError['reason'] = 'signature_wrong';
  for (const secret of webhookSecrets)
    try {
      client.webhooks.signature?.verifyHeader(
        body,
        header,
        secret,
        toleranceSeconds,
        undefined,
        now.getTime(),
      );
      return;
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) throw error;
      if (/tolerance/.test(error.message)) reason = 'stale';
    }
  throw new WebhookRefusedError(reason);
}

const envelope = z.object({
  id: z.string().regex(/^evt_\w{1,200}$/),
  object: z.enum(['event', 'v2.core.event']),
  type: z.string(),
  livemode: z.boolean(),
});

function parsed(body: string): z.output<typeof envelope> {
  try {
    return envelope.parse(JSON.parse(body));
  } catch {
    throw new WebhookRefusedError('unreadable');
  }
}

type StripeObject = { id?: string; object?: string; payment_intent?: string | { id: string } | null };

async function snapshotEvent(parts: StripeParts, event: Stripe.Event): Promise<ProviderEvent | null> {
  const at = new Date(event.created * 1_000).toISOString();
  const subject = await eventSubject(parts, event.data?.object as StripeObject, event.account ?? null);
  return subject && { id: event.id, ...subject, at };
}

type Subject = Pick<ProviderEvent, 'type' | 'ref'>;

/** The record an object belongs to; null for objects that aren't ours, such as platform payouts. */
async function eventSubject(
  parts: StripeParts,
  object: StripeObject | undefined,
  account: string | null,
): Promise<Subject | null> {
  switch (object?.object) {
    case 'payment_intent':
      return object.id && account === null ? { type: 'charge', ref: object.id } : null;
    case 'charge':
    case 'refund':
    case 'dispute': {
      const intent = idOf(object.payment_intent);
      return intent && account === null ? { type: 'charge', ref: intent } : null;
    }
    case 'payout':
      return object.id && account ? { type: 'payout', ref: `${account}/${object.id}` } : null;
    case 'account':
    case 'v2.core.account':
      return ownerOf(parts, object.id ?? account);
    default:
      return account === null ? null : ownerOf(parts, account);
  }
}

async function ownerOf({ db }: StripeParts, account: string | null): Promise<Subject | null> {
  const key = account === null ? null : await findKeyOf(db, 'account', account);
  return key === null ? null : { type: 'identity', ref: key.slice('account/'.length) };
}

/** A thin event names its object only, so what belongs to a charge is fetched to learn which. */
async function thinEvent(parts: StripeParts, body: string): Promise<ProviderEvent | null> {
  const notification = parts.client.parseEventNotificationWithoutVerification(body);
  const related = 'related_object' in notification ? notification.related_object : null;
  if (!related || !('id' in related) || typeof related.id !== 'string') return null;
  const account = notification.context?.toString() ?? null;
  const needsMore = related.type === 'charge' || related.type === 'refund' || related.type === 'dispute';
  const object: StripeObject = needsMore
    ? ((await fetched(notification as Stripe.V2.Core.Events.UnknownEventNotification)) ?? {})
    : { id: related.id, object: related.type };
  const subject = await eventSubject(parts, object, account);
  return subject && { id: notification.id, ...subject, at: new Date(notification.created).toISOString() };
}

async function fetched(
  notification: Stripe.V2.Core.Events.UnknownEventNotification,
): Promise<StripeObject | null> {
  try {
    return (await notification.fetchRelatedObject()) as StripeObject;
  } catch (error) {
    if (isNotFound(error)) return null;
    throw error;
  }
}

/**
 * Events that may change a charge. Payout events belong to workers' accounts and are not in the platform's
 * list.
 */
const listedEvents = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.canceled',
  'charge.refunded',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
];

const pageSize = 100;

/** Stripe keeps events for 30 days. The cursor is the newest event read; one that Stripe forgot starts over. */
export async function listEvents(
  parts: StripeParts,
  after: string | null,
): Promise<{ events: ProviderEvent[]; cursor: string | null }> {
  if (after !== null && !/^evt_\w{1,100}$/.test(after)) throw new Error('not a cursor of Stripe');
  const newer = after === null ? await oldestPage(parts) : await pageAfter(parts, after);
  const events: ProviderEvent[] = [];
  for (const event of newer) {
    const snapshot = await snapshotEvent(parts, event);
    if (snapshot) events.push(snapshot);
  }
  return { events, cursor: newer.at(-1)?.id ?? after };
}

/** The events that directly follow one, oldest first. */
async function pageAfter(parts: StripeParts, after: string): Promise<Stripe.Event[]> {
  try {
    const page = await parts.client.events.list({
      types: listedEvents,
      ending_before: after,
      limit: pageSize,
    });
    return page.data.toReversed();
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return oldestPage(parts);
  }
}

/** Stripe lists the newest first, so finding the oldest means paging through all. */
async function oldestPage({ client }: StripeParts): Promise<Stripe.Event[]> {
  let page: Stripe.Event[] = [];
  for await (const event of client.events.list({ types: listedEvents, limit: pageSize }))
    page = [event, ...page].slice(0, pageSize);
  return page;
}
