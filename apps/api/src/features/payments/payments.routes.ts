import { payments } from '@nearhand/contract/payments';
import { read, write, writePrepared } from '../../platform/http/bind.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { addCard, makeCardDefault, removeCard, saveCard } from './cards.service.ts';
import { getCharge } from './charges.service.ts';
import { refundBalance } from './refunds.service.ts';
import { topUp } from './top-ups.service.ts';
import { getWallet } from './wallet-views.service.ts';
import { takeWebhook } from './webhooks.service.ts';

export const paymentsRoutes = {
  wallet: read(payments.wallet, getWallet),
  addCard: writePrepared(payments.addCard, saveCard, addCard),
  removeCard: write(payments.removeCard, removeCard),
  makeCardDefault: write(payments.makeCardDefault, makeCardDefault),
  topUp: write(payments.topUp, topUp),
  refundBalance: write(payments.refundBalance, refundBalance),
  charge: read(payments.charge, getCharge),
};

const webhookBytes = 65_536;

/** `POST /webhooks/payments`: what the provider tells, outside the contract. The body is kept as it came, since it is signed as it came. */
export const registerPaymentWebhook: PlainRoutes = (api, { db, scopeOf }) => {
  api.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'string', bodyLimit: webhookBytes }, (_request, body, done) =>
      done(null, body),
    );
    hooks.post('/webhooks/payments', async (request, reply) => {
      const body = typeof request.body === 'string' ? request.body : '';
      await takeWebhook(db, scopeOf(request), request.headers, body);
      return reply.send({ taken: true });
    });
  });
};
