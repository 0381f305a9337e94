const hidden = new Set(['script', 'style', 'head', 'title', 'template', 'noscript']);
const breaks = new Set(['br', 'p', 'div', 'li', 'tr', 'h1', 'h2', 'h3', 'blockquote', 'table', 'ul', 'ol']);
const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const codeMax = 0x10ffff;

/**
 * The words of an HTML mail, up to the mail that it quotes. Nothing of its markup is kept: the text is shown as text. One pass, so that a
 * hostile mail costs no more than a long one.
 */
export function textOfHtml(html: string): string {
  const lower = html.toLowerCase();
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open === -1) return tidy(text + html.slice(at));
    text += html.slice(at, open);
    if (lower.startsWith('<!--', open)) {
      at = after(html, '-->', open);
      continue;
    }
    const [, slash = '', name = ''] = /^<(\/?)([a-z][a-z0-9]{0,20})/.exec(lower.slice(open, open + 25)) ?? [];
    if (name === '' && !lower.startsWith('<!', open)) {
      text += '<';
      at = open + 1;
      continue;
    }
    if (slash === '' && name === 'blockquote' && text.trim() !== '') return tidy(text);
    at = after(html, '>', open);
    if (slash === '' && hidden.has(name)) at = after(html, '>', before(lower, `</${name}`, at));
    if (breaks.has(name)) text += '\n';
  }
  return tidy(text);
}

const before = (text: string, what: string, from: number): number => {
  const found = text.indexOf(what, from);
  return found === -1 ? text.length : found;
};
const after = (text: string, what: string, from: number): number => before(text, what, from) + what.length;

const tidy = (text: string): string =>
  text
    .replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,4});/gi, (whole, name: string) => {
      const key = name.toLowerCase();
      if (!key.startsWith('#')) return named[key] ?? whole;
      const code = key[1] === 'x' ? Number.parseInt(key.slice(2), 16) : Number(key.slice(1));
      return code > 0 && code <= codeMax ? String.fromCodePoint(code) : '';
    })
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
