import { languageOfHeader } from '@nearhand/contract/languages';
import { AppError } from '../../platform/app-error.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import {
  askPage,
  donePage,
  openUnsubscribe,
  unsubscribe,
  unsubscribeStyle,
  wrongLinkPage,
} from './unsubscribe.page.ts';

/**
 * `POST /unsubscribe/{token}`, one-click unsubscribe for mail clients (RFC 8058), and the page behind the link in the mail, with a button
 * for the same: following the link alone changes nothing, since mail scanners do that. The token is the permission; no session is needed.
 */
export const registerUnsubscribe: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.register(async (site) => {
    // One-click bodies contain `List-Unsubscribe=One-Click`, in either encoding; the address has all we need.
    site.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'text/plain'],
      { parseAs: 'string', bodyLimit: 1_024 },
      (_request, _body, done) => done(null, null),
    );
    const options = { onRequest: limitReads, config: { secretPath: true } };

    // People who follow a link get a page, even if the link was truncated; a mail client gets JSON.
    site.setErrorHandler((error, request, reply) => {
      if (request.method !== 'GET' || !(error instanceof AppError) || error.code !== 'notification/not-found')
        throw error;
      return reply
        .code(error.status)
        .headers(pageHeaders)
        .send(wrongLinkPage(languageOfHeader(request.headers['accept-language']) ?? 'en'));
    });

    // The server's content policy allows styles from its own origin, not inline ones.
    site.get('/unsubscribe.css', { onRequest: limitReads }, (_request, reply) =>
      reply
        .type('text/css; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .send(unsubscribeStyle),
    );

    site.get<{ Params: { token: string } }>('/unsubscribe/:token', options, async (request, reply) => {
      const { language, kind } = await openUnsubscribe(db, scopeOf(request), request.params.token);
      return reply.headers(pageHeaders).send(askPage(language, kind));
    });

    site.post<{ Params: { token: string } }>('/unsubscribe/:token', options, async (request, reply) => {
      const { language, kind } = await unsubscribe(db, scopeOf(request), request.params.token);
      return reply.headers(pageHeaders).send(donePage(language, kind));
    });
  });
};

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};
