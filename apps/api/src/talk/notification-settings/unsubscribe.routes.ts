import { AppError } from '../../platform/app-error.ts';
import type { PlainRoutes } from '../../platform/http/server.ts';
import { escapeHtml } from '../../platform/mail/mail-layout.ts';
import { kindWords, readUnsubscribe, unsubscribe } from './unsubscribe.service.ts';

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
        .send(
          page(
            'This link does not work',
            'It is too old, or a part of it is missing. You can turn off emails in the app instead.',
            '',
          ),
        );
    });

    // The server's content policy allows styles from its own origin, not inline ones.
    site.get('/unsubscribe.css', { onRequest: limitReads }, (_request, reply) =>
      reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style),
    );

    site.get<{ Params: { token: string } }>('/unsubscribe/:token', options, async (request, reply) => {
      const { kind } = readUnsubscribe(scopeOf(request), request.params.token);
      return reply
        .headers(pageHeaders)
        .send(
          page(
            'Unsubscribe?',
            `You will no longer get emails about ${kindWords[kind]}. Notifications in the app stay on.`,
            '<form method="post"><button>Unsubscribe</button></form>',
          ),
        );
    });

    site.post<{ Params: { token: string } }>('/unsubscribe/:token', options, async (request, reply) => {
      const kind = await unsubscribe(db, scopeOf(request), request.params.token);
      return reply
        .headers(pageHeaders)
        .send(page('You are unsubscribed', `You will get no more emails about ${kindWords[kind]}.`, ''));
    });
  });
};

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
};

/** Matches our mails (platform/mail/mail-layout.ts). */
const style = `body { margin: 0; padding: 24px 12px; background: #F6F2E8; color: #12352A; font: 16px/1.5 Figtree, 'Segoe UI', Helvetica, Arial, sans-serif }
main { box-sizing: border-box; max-width: 520px; margin: 0 auto; padding: 28px 24px; border-radius: 20px; background: #FFFDF8; overflow-wrap: anywhere }
h1 { margin: 0 0 16px; font-size: 23px; line-height: 1.25 }
p { margin: 0 0 16px }
a { color: inherit }
button { margin: 8px 0 24px; padding: 14px 28px; border: 0; border-radius: 999px; background: #BC430C; color: #fff; font: inherit; font-weight: 600; cursor: pointer }
@media (prefers-color-scheme: dark) {
  body { background: #0E1512; color: #EDF3EC }
  main { background: #17201B }
}
`;

const page = (title: string, text: string, rest: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="/api/unsubscribe.css">
<title>${escapeHtml(title)} – Nearhand</title>
</head>
<body>
<main>
<p><strong>Nearhand</strong></p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${rest}
<p><a href="/notification-settings">Notification settings</a></p>
</main>
</body>
</html>
`;
