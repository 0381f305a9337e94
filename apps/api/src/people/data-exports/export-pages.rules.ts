import { currencyDigits } from '@nearhand/contract/money';

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const momentWords = (at: Date): string =>
  `${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`;

/** `cover_note` as a heading: "Cover note". */
export const columnWords = (name: string): string => {
  const words = name.replace(/_minor$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** An amount in minor units as money, if the row names its currency. */
function moneyWords(minor: number, currency: unknown): string | null {
  const digits = currencyDigits[currency as keyof typeof currencyDigits];
  if (typeof currency !== 'string' || digits === undefined) return null;
  return new Intl.NumberFormat('en-GB', { style: 'currency', currency }).format(minor / 10 ** digits);
}

/** A value as people read it; still to be escaped. */
export function valueWords(name: string, value: unknown, row: Record<string, unknown>): string {
  if (value === null || value === undefined || value === '') return '–';
  if (value instanceof Date) return momentWords(value);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'number' && name.endsWith('_minor'))
    return moneyWords(value, row.currency) ?? String(value);
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return value.join(', ') || '–';
  return typeof value === 'object' ? JSON.stringify(value, null, 1) : String(value);
}

const style = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;padding:24px 16px;max-width:1100px}
h1{font-size:28px;line-height:1.2}h2{font-size:20px;margin-top:32px}a{color:LinkText}.wide{overflow-x:auto;border:1px solid GrayText;border-radius:12px}
table{border-collapse:collapse;width:100%;font-size:14px}th,td{padding:8px 12px;text-align:start;vertical-align:top;border-bottom:1px solid color-mix(in srgb,GrayText 40%,transparent);white-space:pre-wrap;overflow-wrap:anywhere;min-width:90px}
th{white-space:nowrap}li{margin:6px 0}.mute{color:GrayText}`;

/** The start of a page that opens without a network: no script, no font, no picture from elsewhere. */
export const pageHead = (title: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} – Nearhand</title><style>${style}</style></head><body>
`;
export const pageEnd = '</body></html>\n';

export const tableHead = (columns: readonly string[]): string =>
  `<div class="wide" tabindex="0"><table><thead><tr>${columns
    .map((name) => `<th scope="col">${escapeHtml(columnWords(name))}</th>`)
    .join('')}</tr></thead><tbody>\n`;
export const tableRow = (columns: readonly string[], row: Record<string, unknown>): string =>
  `<tr>${columns.map((name) => `<td>${escapeHtml(valueWords(name, row[name], row))}</td>`).join('')}</tr>\n`;
export const tableEnd = '</tbody></table></div>\n';

export type ExportIndex = {
  email: string;
  at: Date;
  sections: readonly { table: string; title: string; count: number }[];
  files: readonly { path: string; name: string }[];
};

/** The first page: what is in the export and where. */
export function indexPage({ email, at, sections, files }: ExportIndex): string {
  const link = (path: string, text: string) => `<a href="${escapeHtml(path)}">${escapeHtml(text)}</a>`;
  const full = sections.filter(({ count }) => count > 0);
  const empty = sections.filter(({ count }) => count === 0);
  return `${pageHead('Your data')}<h1>Your Nearhand data</h1>
<p>Everything stored about <strong>${escapeHtml(email)}</strong> as of ${escapeHtml(momentWords(at))}. Each page has a JSON file with the same rows in the folder <code>data</code>. Times are in UTC.</p>
<h2>What's here</h2><ul>
${full.map(({ table, title, count }) => `<li>${link(`pages/${table}.html`, title)} <span class="mute">(${count})</span></li>`).join('\n')}
</ul>
<h2>Files</h2>${files.length === 0 ? '<p>None.</p>' : `<ul>\n${files.map(({ path, name }) => `<li>${link(path.split('/').map(encodeURIComponent).join('/'), name)}</li>`).join('\n')}\n</ul>`}
<h2>Nothing stored</h2><p>${escapeHtml(empty.map(({ title }) => title).join(', ') || 'Every section has something in it.')}</p>
<h2>What isn't here</h2><p>Passwords and other secrets, what belongs to a business and not to you, notes that businesses keep for themselves, and anything about other people beyond what they showed you.</p>
${pageEnd}`;
}
