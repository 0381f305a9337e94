import { decideSandboxCharge } from '@nearhand/api/src/money/sandbox/sandbox-charges.ts';
import { type Sandbox, webhookSecret } from '@nearhand/api/src/money/sandbox/sandbox-events.ts';
import { signatureHeader, signWebhook } from '@nearhand/api/src/money/sandbox/sandbox-signature.ts';
import type { Clock } from '@nearhand/api/src/platform/clock.ts';
import type { StripeDouble } from '@nearhand/api/test/stripe-double/stripe-double.ts';
import { dayMs } from '@nearhand/contract/durations';
import { sql } from 'kysely';

type Send = (headers: Record<string, string>, body: string) => Promise<number>;

/** A provider's events that no call of ours causes. */
export type Bank = {
  signatureHeader: string;
  sendsTo(send: Send): void;
  /** Returns the headers of a webhook; another secret forges them. */
  sign(body: string, at: Date, secret?: string): Record<string, string>;
  /** Approves or rejects a charge as the owner of the card. */
  decide(ref: string, approves: boolean): Promise<void>;
  /** Completes due payouts and disputes. */
  advance(): void;
  /** Returns the ids of the events that reconciliation must find without webhooks. */
  listed(): Promise<string[]>;
};

export function sandboxBank(provider: Sandbox, secret: string): Bank {
  const key = webhookSecret(secret);
  return {
    signatureHeader,
    sendsTo: (send) => {
      provider.sandbox.send = send;
    },
    sign: (body, at, other) => signWebhook(other === undefined ? key : Buffer.from(other), body, at),
    decide: async (ref, approves) => {
      await decideSandboxCharge(provider.sandbox, ref, approves);
    },
    // The sandbox's tasks complete them.
    advance: () => {},
    listed: async () => {
      const { rows } = await sql<{ id: string }>`select id from sandbox_events`.execute(provider.sandbox.db);
      return rows.map(({ id }) => id);
    },
  };
}

export function stripeBank(double: StripeDouble, clock: Clock): Bank {
  const isOlder = ({ created }: { created: number }, days: number) =>
    created * 1_000 + days * dayMs < clock.now().getTime();
  const number = ({ id }: { id: string }) => Number(id.split('_').at(-1));
  return {
    signatureHeader: 'stripe-signature',
    sendsTo: (send) => double.sendTo(send),
    sign: (body, at, secret) => ({
      'content-type': 'application/json',
      'stripe-signature': double.sign(body, Math.floor(at.getTime() / 1_000), secret),
    }),
    decide: async (ref, approves) => double.decide(ref, approves),
    advance: () => {
      for (const payout of double.all('payout') as { id: string; created: number; status: string }[]) {
        const isOnItsWay = payout.status === 'pending' || payout.status === 'in_transit';
        if (isOnItsWay && isOlder(payout, 1))
          double.movePayout(payout.id, number(payout) % 5 === 0 ? 'failed' : 'paid');
        else if (payout.status === 'paid' && isOlder(payout, 3) && number(payout) % 5 === 1)
          double.movePayout(payout.id, 'failed');
      }
      for (const dispute of double.all('dispute') as { id: string; created: number; status: string }[])
        if (dispute.status === 'needs_response' && isOlder(dispute, 5))
          double.closeDispute(dispute.id, number(dispute) % 2 === 0 ? 'won' : 'lost');
    },
    listed: async () =>
      double.events.filter(({ type }) => /^(payment_intent|charge|refund)\./.test(type)).map(({ id }) => id),
  };
}
