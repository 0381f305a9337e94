export type Credit = { text: string; href: string | null };

/** Street tiles are made of OpenStreetMap, whose licence asks for this. */
export const openStreetMap: Credit = {
  text: '© OpenStreetMap',
  href: 'https://www.openstreetmap.org/copyright',
};

/** The credits of tiles, which come as HTML: its links and texts, never its markup. OpenStreetMap is named in any case. */
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
