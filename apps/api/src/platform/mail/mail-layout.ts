import { directionOf, type Language } from '@nearhand/contract/languages';
import { endedOnce } from '@nearhand/contract/sentences';
import { escapeHtml } from '../escape-html.ts';
import { i18nFor } from '../i18n.ts';
import type { Mail } from './mail.ts';

/** A sentence in ICU form. `phrase(…)` marks it for `npm run extract`. */
export type MailText = {
  readonly message: string;
  readonly values: Readonly<Record<string, string | number>>;
};
export const phrase = (message: string, values: MailText['values'] = {}): MailText => ({
  message,
  values,
});
/** A sentence to translate, a function of the language (a date), or literal text (a name). */
export type Phrase = MailText | string | ((language: Language) => string);

export function phraseIn(language: Language, words: Phrase): string {
  if (typeof words === 'string') return words;
  if (typeof words === 'function') return words(language);
  const { message, values } = words;
  return endedOnce(i18nFor(language)._({ id: `mail/${message}`, message, values: { ...values } }), values);
}

type MailQuote<Words = Phrase> = { lead: Words; quoted: string };

/** Plain text; the layout escapes it. */
export type MailWords<Words = Phrase> = {
  subject: Words;
  heading: Words;
  paragraphs: readonly (Words | MailQuote<Words>)[];
  facts?: readonly { label: Words; value: Words }[];
  items?: readonly { text: Words; detail: Words; url: string }[];
  rest?: Words;
  action?: { label: Words; url: string };
  footnote: Words;
  unsubscribe?: { label: Words; url: string };
  replyTo?: string;
};

/** Composes a mail in English; `in` composes it in another language. Mail clients need tables and inline styles. */
export function composeMail(to: string, key: string, words: MailWords): Mail & Required<Pick<Mail, 'in'>> {
  return { ...mailIn('en', to, key, words), in: (language) => mailIn(language, to, key, words) };
}

function mailIn(language: Language, to: string, key: string, phrases: MailWords): Mail {
  const words = translated(language, phrases);
  return {
    to,
    key,
    subject: oneLine(words.subject),
    text: textOf(language, words),
    html: htmlOf(language, words),
    unsubscribeUrl: words.unsubscribe?.url,
    replyTo: words.replyTo,
  };
}

function translated(language: Language, words: MailWords): MailWords<string> {
  const { items, facts, rest, action, unsubscribe, replyTo } = words;
  const text = (phrase: Phrase) => phraseIn(language, phrase);
  return {
    subject: text(words.subject),
    heading: text(words.heading),
    paragraphs: words.paragraphs.map((part) =>
      typeof part === 'object' && 'quoted' in part ? { ...part, lead: text(part.lead) } : text(part),
    ),
    footnote: text(words.footnote),
    facts: facts?.map(({ label, value }) => ({ label: text(label), value: text(value) })),
    items: items?.map((item) => ({ ...item, text: text(item.text), detail: text(item.detail) })),
    rest: rest === undefined ? undefined : text(rest),
    action: action ? { ...action, label: text(action.label) } : undefined,
    unsubscribe: unsubscribe ? { ...unsubscribe, label: text(unsubscribe.label) } : undefined,
    replyTo,
  };
}

/** A line break in a name must not start another header. */
const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .match(/^.{0,200}/su)?.[0] ?? '';

/** French puts a space before a colon. */
const colonIn = (language: Language): string => (language === 'fr' ? '\u00A0:' : ':');

function textOf(language: Language, words: MailWords<string>): string {
  const { heading, paragraphs, facts = [], items = [], rest, action, footnote, unsubscribe } = words;
  const colon = colonIn(language);
  const parts = [
    heading,
    ...paragraphs.map((part) => (typeof part === 'string' ? part : quoteText(language, part))),
    ...(facts.length > 0 ? [facts.map(({ label, value }) => `${label}${colon} ${value}`).join('\n')] : []),
    ...items.map(({ text, detail, url }) => [text, detail, url].filter(Boolean).join('\n')),
    ...(rest === undefined ? [] : [rest]),
    ...(action ? [`${action.label}${colon}\n${action.url}`] : []),
    `-- \nNearhand\n${footnote}${unsubscribe ? `\n${unsubscribe.label}${colon}\n${unsubscribe.url}` : ''}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** Quoted as mail clients do, so that every line shows its author. */
const quoteText = (language: Language, { lead, quoted }: MailQuote<string>): string =>
  `${lead}${colonIn(language)}\n\n${quoted
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')}`;

const paragraphHtml = (text: string): string =>
  `<p style="margin:0 0 16px">${escapeHtml(text).replaceAll('\n', '<br>')}</p>`;

const quoteHtml = (language: Language, { lead, quoted }: MailQuote<string>): string => {
  const quoteLines = quoted
    .split('\n')
    .map((line) => `<div dir="auto">${escapeHtml(line) || '&nbsp;'}</div>`);
  return `<p style="margin:0 0 6px">${escapeHtml(lead)}${colonIn(language)}</p>
<blockquote class="said" style="margin:0 0 16px;padding:2px 14px;border-inline-start:3px solid #4A6056">${quoteLines.join('')}</blockquote>`;
};

// The design tokens by value, since mail clients support no custom properties.
const fontStack = "Figtree, 'Segoe UI', Helvetica, Arial, sans-serif";

function htmlOf(language: Language, words: MailWords<string>): string {
  const { subject, heading, paragraphs, facts = [], items = [], rest, action, footnote, unsubscribe } = words;
  const body = paragraphs
    .map((part) => (typeof part === 'string' ? paragraphHtml(part) : quoteHtml(language, part)))
    .join('\n');
  const rows = facts.map(
    ({ label, value }, index) =>
      `<p style="margin:${index === 0 ? 0 : 10}px 0 0"><span class="quiet" style="font-size:13px;color:#4A6056">${escapeHtml(label)}</span><br><strong dir="auto">${escapeHtml(value)}</strong></p>`,
  );
  const factBox =
    rows.length > 0
      ? `<div class="fact" style="margin:0 0 16px;padding:14px 16px;border-radius:14px;background:#F6F2E8">${rows.join('')}</div>`
      : '';
  const list = items
    .map(
      ({ text, detail, url }) =>
        `<p style="margin:0 0 14px"><a href="${escapeHtml(url)}" class="link" style="color:#12352A;font-weight:600">${escapeHtml(text)}</a>${detail ? `<br><span class="quiet" style="font-size:14px;color:#4A6056">${escapeHtml(detail)}</span>` : ''}</p>`,
    )
    .join('\n');
  const leave = unsubscribe
    ? `<br><a href="${escapeHtml(unsubscribe.url)}" class="quiet" style="color:#4A6056">${escapeHtml(unsubscribe.label)}</a>`
    : '';
  const button = action
    ? `<p style="margin:24px 0"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:14px 28px;border-radius:999px;background:#BC430C;color:#ffffff;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
<p class="quiet" style="margin:0 0 16px;font-size:13px;color:#4A6056;word-break:break-all">${escapeHtml(phraseIn(language, phrase('If the button does not work, open this address:')))}<br><a href="${escapeHtml(action.url)}" class="quiet" style="color:#4A6056">${escapeHtml(action.url)}</a></p>`
    : '';
  const direction = directionOf(language);
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(oneLine(subject))}</title>
<style>
@media (prefers-color-scheme: dark) {
  .ground { background: #0E1512 !important; }
  .card { background: #17201B !important; color: #EDF3EC !important; }
  .quiet { color: #A9B8AE !important; }
  .said { border-color: #A9B8AE !important; }
  .link { color: #EDF3EC !important; }
  .fact { background: #212C26 !important; }
}
</style>
</head>
<body class="ground" style="margin:0;background:#F6F2E8">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px"><tr><td class="card" dir="${direction}" style="padding:28px 24px;border-radius:20px;background:#FFFDF8;color:#12352A;font:16px/1.5 ${fontStack};overflow-wrap:anywhere;word-break:break-word">
<p style="margin:0 0 20px;font-weight:700">Nearhand</p>
<h1 style="margin:0 0 16px;font-size:23px;line-height:1.25">${escapeHtml(heading)}</h1>
${body}
${factBox}
${list}
${rest === undefined ? '' : paragraphHtml(rest)}
${button}
<p class="quiet" style="margin:24px 0 0;font-size:13px;color:#4A6056">${escapeHtml(footnote)}${leave}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}
