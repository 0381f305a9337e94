import type { PlainRoutes } from '../../platform/http/server.ts';
import { escapeHtml } from '../../platform/mail-layout.ts';
import { kindWords, readUnsubscribe, unsubscribe } from './unsubscribe.service.ts';

/**
 * `POST /unsubscribe/{token}`, by which a mail program turns mail off without asking (RFC 8058), and the page behind the link in the mail, which has a button for the
 * same: following a link alone changes nothing, since mail scanners do that. The token is the permission; nobody needs to sign in.
 */
export const registerUnsubscribe: PlainRoutes = (api, { db, scopeOf, limitReads }) => {
  api.register(async (site) => {
    // One-click bodies say `List-Unsubscribe=One-Click`, in either form; the address says all there is to know.
    site.addContentTypeParser(
      ['application/x-www-form-urlencoded', 'text/plain'],
      { parseAs: 'string', bodyLimit: 1_024 },
      (_request, _body, done) => done(null, null),
    );
    const options = { onRequest: limitReads, config: { secretPath: true } };

    site.get<{ Params: { token: string } }>('/unsubscribe/:token', options, async (request, reply) => {
      const { kind } = readUnsubscribe(scopeOf(request), request.params.token);
      return reply
        .headers(pageHeaders)
        .send(
          page(
            'No more mail?',
            `Turn off mail about ${kindWords[kind]}. The app goes on telling you.`,
            '<form method="post"><button>Turn it off</button></form>',
          ),
        );
    });

    site.post<{ Params: { token: string } }>('/unsubscribe/:token', options, async (request, reply) => {
      const kind = await unsubscribe(db, scopeOf(request), request.params.token);
      return reply
        .headers(pageHeaders)
        .send(
          page(
            'It is off',
            `You get no more mail about ${kindWords[kind]}.`,
            '<p><a href="/notification-settings">Choose what you are told</a></p>',
          ),
        );
    });
  });
};

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

const page = (title: string, text: string, rest: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Nearhand</title>
</head>
<body>
<main>
<p><strong>Nearhand</strong></p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${rest}
</main>
</body>
</html>
`;
