import { z } from 'zod';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { defineTask } from '../../platform/tasks/tasks.ts';
import { auditProvider } from './provider-books.ts';
import { reconcileRepeatedly } from './reconciliation.ts';
import { eventTask, receiveWebhook, reconcileTask } from './webhooks.ts';

const webhookBytes = 65_536;

/** `POST /webhooks/payments`, outside the contract. The signature covers the bytes of the body. */
export const registerPaymentWebhook: PlainRoutes = (api, { db, scopeOf }) => {
  api.register(async (hooks) => {
    hooks.removeAllContentTypeParsers();
    hooks.addContentTypeParser('*', { parseAs: 'string', bodyLimit: webhookBytes }, (_request, body, done) =>
      done(null, body),
    );
    hooks.post('/webhooks/payments', async (request, reply) => {
      const body = typeof request.body === 'string' ? request.body : '';
      await receiveWebhook(db, scopeOf(request), request.headers, body);
      return reply.send({ taken: true });
    });
  });
};

export const providerTasks = [
  defineTask({ name: 'provider.audit', payload: z.object({}).loose(), daily: true, run: auditProvider }),
  eventTask,
  defineTask({ ...reconcileTask, queue: 'money', run: (scope) => reconcileRepeatedly(scope) }),
];
