import { contactDetails, findContactDetails } from '../people/contact-details.rules.ts';

export const chatWarnings = [...contactDetails, 'payment'] as const;
export type ChatWarning = (typeof chatWarnings)[number];

/**
 * Words for paying, and for doing so elsewhere, in each language: both in one sentence are an offer to pay
 * outside.
 */
const outsidePay: readonly (readonly [pay: string, elsewhere: string])[] = [
  [
    'pay(?:s|ing|ments?)?(?! attention)|paid|money|wages?|transfer(?:red)?|settle|fees?',
    '(?:in )?cash|outside(?: of)? (?:the |this )?(?:app|platform|site|nearhand)|off(?:[ -]the)?[ -](?:app|platform|site|books|nearhand)|(?:not through|without|around|skip|avoid) (?:using )?(?:the |this |its? )?(?:app|platform|nearhand|fees?)|under the table|(?:me|you|us|him|her|them) (?:directly|outside|privately|in person)',
  ],
  [
    'betaal\\p{L}*|betalen|betaling|geld|loon|overmak\\p{L}*|maak',
    'contant|cash|zwart|buiten (?:de |het |dit )?(?:app|platform|site|nearhand)(?: om)?|buitenom|onder de tafel|rechtstreeks aan (?:mij|jou|je|me)',
  ],
  [
    'zahl\\p{L}*|bezahl\\p{L}*|geld|lohn|überweis\\p{L}*',
    'in bar|bar auf die hand|bargeld|schwarz|(?:außerhalb|ausserhalb) (?:der |von |dieser )?(?:app|plattform|nearhand)|an der app vorbei|ohne (?:die |diese )?(?:app|plattform|nearhand)|unter der hand',
  ],
  [
    'pay\\p{L}*|paie\\p{L}*|r[éè]gl\\p{L}*|argent|salaire|virement',
    "en liquide|en espèces|au noir|hors(?: de)? (?:l'|la |le |cette )?(?:app|appli|application|plateforme|site|nearhand)|en dehors de (?:l'|la |cette )?(?:app|appli|application|plateforme|nearhand)|sans passer par|de la main à la main",
  ],
  [
    'pag\\p{L}*|dinero|sueldo|transfer\\p{L}*|abon\\p{L}*',
    'en efectivo|en metálico|en negro|en mano|fuera de (?:la |esta )?(?:app|aplicación|plataforma|nearhand)|por fuera|sin (?:usar |pasar por )?(?:la |esta )?(?:app|aplicación|plataforma|nearhand)',
  ],
  [
    '(?:سأ|أ|ا|ن|ي|ت)?(?:دفع|حول|حوّل)\\p{L}*|الدفع|المبلغ|المال|الفلوس|فلوس|الأجر',
    'نقد\\p{M}*ا?\\p{M}*|كاش|خارج (?:هذا |هذه )?(?:التطبيق|المنصة|نيرهاند|nearhand)|بدون (?:التطبيق|المنصة)|من تحت الطاولة',
  ],
];
const gap = '(?!\\p{L})[^.!?\\n]{0,50}?(?<!\\p{L})';
const outsidePayments = [
  ...outsidePay.map(
    ([pay, elsewhere]) =>
      new RegExp(
        `(?<!\\p{L})(?:(?:${pay})${gap}(?:${elsewhere})|(?:${elsewhere})${gap}(?:${pay}))(?!\\p{L})`,
        'iu',
      ),
  ),
  /(?<!\p{L})(?:cash in hand|cash only|pay\s?pal|venmo|zelle|cash\s?app|revolut|tikkie|bizum|western union|moneygram|bitcoins?|usdt|gift ?cards?)(?!\p{L})/iu,
  /(?<![\p{L}\p{N}])\p{Lu}{2}\d{2}(?: ?[\p{Lu}\d]{4}){3,7}(?: ?[\p{Lu}\d]{1,3})?(?![\p{L}\p{N}])/u,
];

/** Normalizing can make a text eighteen times as long. */
const payTextMax = 10_000;

/**
 * Finds what both sides of a chat are warned about: contact details before a hire, and payment outside
 * Nearhand always.
 */
export function findChatWarnings(text: string, hired: boolean): ChatWarning[] {
  const plain = text
    .normalize('NFKC')
    .slice(0, payTextMax)
    .replace(/[’‘`´]/g, "'");
  const payment = outsidePayments.some((pattern) => pattern.test(plain));
  return [...(hired ? [] : findContactDetails(text)), ...(payment ? (['payment'] as const) : [])];
}
