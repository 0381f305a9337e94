import { t } from '@lingui/core/macro';
import { showAlert } from '../../ui/overlays/alert.tsx';

/** Mail services that many people have an address at. */
const services = [
  'gmail.com',
  'googlemail.com',
  'hotmail.com',
  'hotmail.nl',
  'hotmail.fr',
  'hotmail.es',
  'hotmail.de',
  'outlook.com',
  'outlook.fr',
  'outlook.es',
  'live.com',
  'live.nl',
  'yahoo.com',
  'yahoo.fr',
  'yahoo.es',
  'icloud.com',
  'protonmail.com',
  'proton.me',
  'gmx.de',
  'gmx.net',
  'web.de',
  't-online.de',
  'orange.fr',
  'wanadoo.fr',
  'laposte.net',
  'ziggo.nl',
  'kpnmail.nl',
];
/** Real services whose names differ by one letter from one above. */
const neighbours = new Set([
  'mail.com',
  'email.com',
  'ymail.com',
  'rocketmail.com',
  'gmx.com',
  'gmx.at',
  'me.com',
]);
const shortest = 'gmail.com'.length;

/**
 * True if one letter is wrong, missing, too many, or swapped with its neighbour. The search's `editsBetween` would
 * add its module to the first load of the login page.
 */
function differByOne(a: string, b: string): boolean {
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [x, y] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (x.length === 2 && y.length === 2) return x[0] === y[1] && x[1] === y[0];
  return x.length <= 1 && y.length <= 1;
}

/** Endings that no address has, typed for "com". */
const misspeltCom = /\.(?:con|cmo|ocm|comm|coom|vom|xom|cpm|cim|c0m)$/;
/** Real endings, at which no service above has its addresses. */
const shortCom = /\.(?:co|cm|om)$/;

/** The address that someone probably meant: leila@gmial.com was to be at gmail.com. Null for any other one. */
export function likelyEmail(email: string): string | null {
  const at = email.lastIndexOf('@');
  if (at < 1) return null;
  const typed = email.slice(at + 1).toLowerCase();
  const likely = likelyDomain(typed.replace(misspeltCom, '.com'));
  return likely === typed ? null : `${email.slice(0, at)}@${likely}`;
}

/**
 * Asks about an address that looks misspelt, before mail is sent to it. Sign-up loads it once the form is sent, since
 * its list of services is large.
 * @returns the address to use, or null to go back and correct it
 */
export async function confirmedEmail(email: string): Promise<string | null> {
  const likely = likelyEmail(email);
  if (likely === null) return email;
  const choice = await showAlert({
    tone: 'ask',
    title: t`Did you mean ${likely}?`,
    message: t`You typed ${email}. Our email goes there.`,
    buttons: [
      { value: 'likely', label: t`Use ${likely}` },
      { value: 'typed', label: t`Keep ${email}`, kind: 'out' },
      { value: 'back', label: t`Go back` },
    ],
  });
  if (choice === 'likely') return likely;
  return choice === 'typed' ? email : null;
}

function likelyDomain(domain: string): string {
  if (services.includes(domain) || neighbours.has(domain)) return domain;
  const withCom = domain.replace(shortCom, '.com');
  if (services.includes(withCom)) return withCom;
  const [name = ''] = domain.split('.');
  // Gmail has no other domain; the others have one in many countries.
  if (name !== 'gmail' && services.some((service) => service.split('.')[0] === name)) return domain;
  const nearest = services.find((service) => service.length >= shortest && differByOne(domain, service));
  return nearest ?? (name === 'gmail' ? 'gmail.com' : domain);
}
