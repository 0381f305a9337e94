import { languageOfHeader } from '@nearhand/contract/languages';
import { AppError } from '../../platform/app-error.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import {
  askPage,
  donePage,
  openUnsubscribe,
  pageHeaders,
  unsubscribe,
  unsubscribeStyle,
  wrongLinkPage,
} from './unsubscribe.page.ts';

/**
 * `POST /unsubscribe/{token}` (RFC 8058) and its page. The token
 * is the permission; following the link alone changes nothing.
 */
export const registerUnsubscribe: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.register(async (site) => {
    // One-click bodies contain `List-Unsubscribe=One-Click`, in either encoding; the address is enough.
    site.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'text/plain'],
      { parseAs: 'string', bodyLimit: 1_024 },
      (_request, _body, done) => done(null, null),
    );
    const options = { onRequest: limitReads, config: { secretPath: true } };

    // People get a page, even for a truncated link; a mail client gets JSON.
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
