export type Credit = { text: string; href: string | null };

/** Street tiles are made of OpenStreetMap, whose licence requires this. */
export const openStreetMap: Credit = {
  text: '© OpenStreetMap',
  href: 'https://www.openstreetmap.org/copyright',
};

/** Extracts links and texts, never markup, from the tiles' HTML credits. Always names OpenStreetMap. */
export function readCredits(html: unknown): Credit[] {
  const body = new DOMParser().parseFromString(typeof html === 'string' ? html : '', 'text/html').body;
  const credits: Credit[] = [];
  let before = '';
  for (const node of body.childNodes) {
    if (/^(script|style)$/i.test(node.nodeName)) continue;
    const text = node.textContent?.replace(/^[\s|,]+|[\s|,]+$/g, '') ?? '';
    if (text === '') continue;
    const href = node instanceof HTMLAnchorElement && /^https:/.test(node.href) ? node.href : null;
    // A credit like "Data from <a>OpenStreetMap</a>".
    if (href && before) credits.pop();
    credits.push({ text: href && before ? `${before} ${text}` : text, href });
    before = node.nodeType === Node.TEXT_NODE && !/[|,]\s*$/.test(node.textContent ?? '') ? text : '';
  }
  return credits.some(({ text }) => /openstreetmap/i.test(text)) ? credits : [...credits, openStreetMap];
}
