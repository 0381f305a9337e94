/** Addresses of the public pages (ADR 153), root-relative. */

const shortIdDigits = '0123456789abcdefghjkmnpqrstvwxyz';
const shortIdLength = 10;
const bitsPerDigit = 5n;
const slugMax = 60;

/** The last 50 bits of an id, which are random: 10 digits without i, l, o and u. The database calculates the same. */
export function shortIdOf(id: string): string {
  let bits = BigInt(`0x${id.replaceAll('-', '').slice(-13)}`);
  let text = '';
  for (let digit = 0; digit < shortIdLength; digit += 1) {
    text = `${shortIdDigits[Number(bits & 31n)]}${text}`;
    bits >>= bitsPerDigit;
  }
  return text;
}

/** A title in an address: lower case, without accents, hyphenated; other scripts stay. May be empty. */
export function slugOf(text: string): string {
  const words = text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  let slug = '';
  for (const word of words) {
    const longer = slug === '' ? [...word].slice(0, slugMax).join('') : `${slug}-${word}`;
    if (longer.length > slugMax && slug !== '') break;
    slug = longer;
  }
  return slug;
}

const pathSegment = (name: string, id: string): string => {
  const slug = slugOf(name);
  return encodeURIComponent(slug === '' ? shortIdOf(id) : `${slug}-${shortIdOf(id)}`);
};

export const shortIdPattern = /^[0-9a-hjkmnp-tv-z]{10}$/;

/** The short id at the end of a page's last segment; null if there is none. */
export const shortIdIn = (segment: string): string | null =>
  /(?:^|-)([0-9a-hjkmnp-tv-z]{10})$/.exec(segment)?.[1] ?? null;

/**
 * Marks this browser as a verified user's, without identifying them: a job's public page then opens in the
 * app.
 */
export const signedInCookie = 'nearhand-signed-in';
/** The only pages that get the cookie. */
export const signedInCookiePath = '/j';

export const sourceParameter = 's';
/** Returns whether the text can name where a link was shared. */
export const isSourceCode = (text: unknown): text is string =>
  typeof text === 'string' && /^[a-z]{1,12}$/.test(text);

const withSource = (path: string, source: string | null) =>
  source === null ? path : `${path}?${sourceParameter}=${source}`;

/** A job's public page; with the channel its visits are counted under. */
export const publicJobPath = (job: { id: string; title: string }, source: string | null = null): string =>
  withSource(`/j/${pathSegment(job.title, job.id)}`, source);

export const publicBusinessPath = (
  business: { id: string; name: string },
  source: string | null = null,
): string => withSource(`/b/${pathSegment(business.name, business.id)}`, source);

export const publicJobsPath = (townSlug?: string, category?: string): string =>
  ['/jobs', townSlug, category]
    .filter((part) => part !== undefined)
    .map((part, index) => (index === 0 ? part : encodeURIComponent(part)))
    .join('/');

/** Longest cursor or town in a list's query; longer ones are ignored. */
export const listQueryMax = 300;
