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
  for (const node of body.childNodes) {
    if (/^(script|style)$/i.test(node.nodeName)) continue;
    const text = node.textContent?.replace(/^[\s|,]+|[\s|,]+$/g, '') ?? '';
    const href = node instanceof HTMLAnchorElement && /^https:/.test(node.href) ? node.href : null;
    if (text !== '') credits.push({ text, href });
  }
  return credits.some(({ text }) => /openstreetmap/i.test(text)) ? credits : [...credits, openStreetMap];
}
