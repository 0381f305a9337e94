import { isId } from '@nearhand/contract/ids';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Config } from '../config/config.ts';
import type { Db } from '../db.ts';
import { escapeHtml } from '../escape-html.ts';

/** True if there is no mail server; never in production. */
export const showsMailbox = (config: Pick<Config, 'NODE_ENV' | 'SMTP_URL'>): boolean =>
  config.NODE_ENV !== 'production' && config.SMTP_URL === undefined;

type Message = {
  id: string;
  recipient: string;
  subject: string;
  text: string;
  html: string;
  createdAt: Date;
};

const maxShown = 500;

/** Only the page of a mail itself allows inline styles, in a sandbox without scripts. */
export function registerDevMailbox(app: FastifyInstance, config: Config, db: Db): void {
  if (!showsMailbox(config)) return;

  app.get('/dev/mailbox.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(style));

  app.get<{ Querystring: { to?: string } }>('/dev/mailbox', async (request, reply) => {
    const to = typeof request.query.to === 'string' ? request.query.to.slice(0, 254) : '';
    const { rows } =
      await sql<Message>`select id, recipient, subject, text, html, created_at from mailbox_messages
      where ${to} = '' or recipient = lower(${to.replaceAll('\u0000', '')})
      order by created_at desc, id desc limit ${maxShown}`.execute(db);
    return reply.type('text/html; charset=utf-8').send(page('Mailbox', mailList(rows, to)));
  });

  app.get<{ Params: { id: string } }>('/dev/mailbox/:id', async (request, reply) => {
    const message = await find(db, request.params.id);
    if (!message) return reply.code(404).type('text/html; charset=utf-8').send(page('Not found', notFound));
    return reply.type('text/html; charset=utf-8').send(page(message.subject, mailPage(message)));
  });

  app.get<{ Params: { id: string } }>('/dev/mailbox/:id/html', async (request, reply) => {
    const message = await find(db, request.params.id);
    if (!message) return reply.code(404).type('text/html; charset=utf-8').send(page('Not found', notFound));
    return reply
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox allow-popups allow-top-navigation-by-user-activation",
      )
      .type('text/html; charset=utf-8')
      .send(message.html);
  });
}

async function find(db: Db, id: string): Promise<Message | undefined> {
  if (!isId(id)) return undefined;
  const { rows } =
    await sql<Message>`select id, recipient, subject, text, html, created_at from mailbox_messages
    where id = ${id}`.execute(db);
  return rows[0];
}

function mailList(messages: readonly Message[], to: string): string {
  const items = messages.map(
    (message) => `<li>
<h2><a href="/dev/mailbox/${message.id}">${escapeHtml(message.subject)}</a></h2>
<p class="facts">To ${escapeHtml(message.recipient)}, ${timeOf(message)}</p>
<p>${linksOf(message.text).join('<br>')}</p>
</li>`,
  );
  const none =
    to === '' ? 'No mail yet. Sign up, and the verification mail appears here.' : 'No mail to this address.';
  return `<h1>Mailbox</h1>
<p>Mail that this development server would have sent, newest first. It never leaves this machine.</p>
<form method="get" action="/dev/mailbox"><label>Recipient <input type="text" name="to" value="${escapeHtml(to)}"></label> <button>Show</button></form>
${items.length === 0 ? `<p>${none}</p>` : `<ol>${items.join('\n')}</ol>`}`;
}

const mailPage = (message: Message) => `<p><a href="/dev/mailbox">All mail</a></p>
<h1>${escapeHtml(message.subject)}</h1>
<p class="facts">To ${escapeHtml(message.recipient)}, ${timeOf(message)} · <a href="/dev/mailbox/${message.id}/html">Preview as a mail client shows it</a></p>
<pre>${linked(message.text)}</pre>`;

const notFound = '<h1>Not found</h1><p>This mail does not exist. <a href="/dev/mailbox">All mail</a></p>';

const timeOf = (message: Message) => {
  const at = new Date(message.createdAt).toISOString();
  return `<time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`;
};

const address = /https?:\/\/[^\s<>"]+/g;
const anchor = (url: string) => `<a href="${escapeHtml(url)}">${escapeHtml(url)}</a>`;

const linksOf = (text: string): string[] => (text.match(address) ?? []).map(anchor);

function linked(text: string): string {
  let rest = 0;
  let html = '';
  for (const match of text.matchAll(address)) {
    html += escapeHtml(text.slice(rest, match.index)) + anchor(match[0]);
    rest = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(rest));
}

/** Inline, because browsers would otherwise request a missing favicon. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 3h14v10H1zl7 6 7-6" fill="none" stroke="#888" stroke-width="1.5"/></svg>',
)}`;

const page = (title: string, body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} · Nearhand development mail</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="/dev/mailbox.css">
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;

const style = `:root { color-scheme: light dark; }
html { background: Canvas; color: CanvasText; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 44rem; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.5rem; overflow-wrap: anywhere; }
h2 { margin: 0; font-size: 1.0625rem; }
ol { list-style: none; margin: 1.5rem 0 0; padding: 0; }
li { padding: 1rem 0; border-top: 1px solid; overflow-wrap: anywhere; }
p { margin: 0.25rem 0; }
a { display: inline-block; min-height: 24px; }
.facts { font-size: 0.875rem; }
form { margin: 1rem 0; }
input, button { min-height: 44px; font: inherit; padding: 0 0.75rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit; }
`;
