/** A drawing of a painted wall behind a bar, in place of a photo. */
const wall = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900" viewBox="0 0 1200 900">
<defs><linearGradient id="light" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#47705c"/><stop offset="1" stop-color="#24443a"/></linearGradient></defs>
<rect width="1200" height="900" fill="url(#light)"/>
<rect y="0" width="1200" height="90" fill="#ece5d8"/>
<rect x="120" y="250" width="960" height="22" fill="#8a5f3c"/><rect x="120" y="430" width="960" height="22" fill="#8a5f3c"/>
<g fill="#d9cdb8"><rect x="170" y="170" width="60" height="80" rx="8"/><rect x="250" y="190" width="60" height="60" rx="8"/><rect x="720" y="180" width="70" height="70" rx="10"/></g>
<g fill="#b9793f"><rect x="420" y="330" width="36" height="100" rx="8"/><rect x="470" y="345" width="36" height="85" rx="8"/><rect x="880" y="320" width="40" height="110" rx="8"/></g>
<rect y="660" width="1200" height="240" fill="#5b3d28"/><rect y="640" width="1200" height="34" fill="#7d5637"/>
<circle cx="600" cy="60" r="10" fill="#3a3a3a"/><path d="M560 150 L640 150 L615 90 L585 90 Z" fill="#c9a24b"/>
</svg>`;

/** JPEG bytes, as a phone would send. */
export async function drawnPhoto(): Promise<Uint8Array<ArrayBuffer>> {
  const { default: sharp } = await import('sharp');
  return new Uint8Array(await sharp(Buffer.from(wall)).jpeg({ quality: 80 }).toBuffer());
}
