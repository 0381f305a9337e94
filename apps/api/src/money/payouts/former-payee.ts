import { languageOfHeader } from '@nearhand/contract/languages';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { phrase } from '../../platform/mail/mail-layout.ts';
import type { SavedBank } from '../../platform/payment-provider.ts';
import { makeTicket, readTicket } from '../../platform/sign.ts';
import { pageHeaders, textPage } from '../../talk/notification-settings/unsubscribe.page.ts';
import { askProvider } from './identities.ts';
import { isRemovedAccount } from './payouts.sql.ts';

const purpose = 'former-payee';
const linkMinutes = 14 * 24 * 60;
const ticketShape = z.object({ ownerId: z.uuid() });

/**
 * Makes the link by which the former holder of a removed account enters a bank account on the provider's page
 * (ADR 160). For operators; the caller checks access.
 * @throws payout/not-found, payment/no-page, payout/identity-wrong-state (data: status), payment/provider-unavailable
 */
export async function linkFormerPayee(
  scope: Scope,
  { ownerId }: { ownerId: string },
  db: Db,
): Promise<{ url: string; expiresAt: string }> {
  if (!(await isRemovedAccount(db, ownerId))) throw new AppError('payout/not-found');
  if (!scope.provider.pages) throw new AppError('payment/no-page');
  if (!(await askProvider(() => scope.provider.getIdentity(ownerId))))
    throw new AppError('payout/identity-wrong-state', { status: 'none' });
  const { ticket, expiresAt } = makeTicket(scope, purpose, { ownerId }, linkMinutes);
  return { url: `${scope.config.PUBLIC_URL}/api/payee/${ticket}`, expiresAt };
}

/**
 * The bank accounts of a removed account at the provider. For operators; the caller checks access.
 * @throws payout/not-found, payment/provider-unavailable
 */
export async function listFormerBanks(db: Db, scope: Scope, ownerId: string): Promise<SavedBank[]> {
  if (!(await isRemovedAccount(db, ownerId))) throw new AppError('payout/not-found');
  return askProvider(async () => (await scope.provider.pages?.listBanks(ownerId)) ?? []);
}

/**
 * `GET /payee/{ticket}` leads to the provider's page, which lasts minutes and opens once, so each visit opens
 * another. The provider leads back with `payee`.
 */
export const registerFormerPayee: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  const options = { onRequest: limitReads, config: { secretPath: true } };
  api.get<{ Params: { ticket: string }; Querystring: { payee?: unknown } }>(
    '/payee/:ticket',
    options,
    async (request, reply) => {
      const scope = scopeOf(request);
      const language = languageOfHeader(request.headers['accept-language']) ?? 'en';
      const { ticket } = request.params;
      const payee = readTicket(scope, purpose, ticket, ticketShape);
      const { pages } = scope.provider;
      if (!payee || !pages || !(await isRemovedAccount(db, payee.ownerId)))
        return reply
          .code(404)
          .headers(pageHeaders)
          .send(
            textPage(language, phrase('This link does not work'), [
              phrase('It is too old, or a part of it is missing. Ask our support for a new one.'),
            ]),
          );
      if (request.query.payee !== undefined)
        return reply
          .headers(pageHeaders)
          .send(
            textPage(language, phrase('Thank you'), [
              phrase('We will check your details, then pay you. You can close this page.'),
            ]),
          );
      const returnUrl = `${scope.config.PUBLIC_URL}/api/payee/${ticket}`;
      const page = { ownerId: payee.ownerId, returnUrl, language };
      return reply.headers(pageHeaders).redirect(await askProvider(() => pages.openPayeePage(page)), 303);
    },
  );
};
