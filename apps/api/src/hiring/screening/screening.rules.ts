import type { ScreeningFinding, ScreeningRule } from '@nearhand/contract/hiring/screening.rules';
import { findContactDetails } from '@nearhand/contract/people/contact-details.rules';

export type ScreenedWords = { title: string; description: string; requirements: readonly string[] };

const foldSpelling = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u2060\ufeff\u00ad]/gu, '')
    .toLowerCase();

const plainText = (text: string): string =>
  foldSpelling(text)
    .replace(/[’‘`´]/gu, "'")
    .replace(/(?<=\p{L})[@4](?=\p{L})/gu, 'a')
    .replace(/(?<=\p{L})3(?=\p{L})/gu, 'e')
    .replace(/(?<=\p{L})0(?=\p{L})/gu, 'o')
    .replace(/(?<=\p{L})1(?=\p{L})/gu, 'i')
    .replace(/(?<!\p{L})(?:\p{L}[ .\-_*]){3,}\p{L}(?!\p{L})/gu, (word) => word.replace(/[^\p{L}]/gu, ''))
    .replace(/[ \t\u00a0]+/gu, ' ');

const costs =
  '(?:registration|application|applicants?|training|course|certificate|admin(?:istration)?|administrative|processing|onboarding|joining|sign[- ]?up|enrol?lment|booking|reservation|placement|background[- ]check|security|visa|permit|uniform|badge|starter|starting|start|kit|starter[- ]kit|equipment|insurance|activation|refundable|upfront|up-front|advance|introduction|membership)';
const payment = '(?:fees?|deposits?|charges?|payments?|contribution)';
const handOver =
  '(?:pay|transfer|deposit|send|wire|buy|purchase|prepay|cover|advance|venmo|cash ?app|paypal|zelle)';
const worker =
  '(?:you|applicants?|candidates?|workers?|new starters?|everyone|successful (?:people|applicants|candidates))';
const must =
  '(?:must|need to|needs to|have to|has to|should|will|are asked to|are required to|may be asked to|can)';
const money = `(?:${payment}|money|costs?|in advance|up[- ]?front|first|beforehand|before (?:you )?start\\w*|[$€£]\\s?\\d|\\d+ ?(?:eur|euros?|usd|dollars|pounds|gbp))`;

/** `unless` excludes text that only sounds similar, such as "no registration fee". */
const patterns: Record<'asks-fee' | 'asks-details' | 'off-platform', readonly RegExp[]> = {
  'asks-fee': [
    new RegExp(`(?<!\\p{L})${costs} ${payment}(?!\\p{L})`, 'gu'),
    new RegExp(
      `(?<!\\p{L})${payment} (?:for|of|towards) (?:the |your |a )?(?:${costs}|[$€£]\\s?\\d|\\d)`,
      'gu',
    ),
    new RegExp(
      `(?<!\\p{L})${worker} (?:first )?${must} (?:first )?${handOver}(?!\\p{L})[^.!?\\n]{0,60}?${money}`,
      'gu',
    ),
    /(?<!\p{L})(?:pay|deposit|transfer|payment|buy in)(?: [$€£]?\d[\d.,]*)? (?:to|in order to|before you can|before you) (?:start|apply|work|join|begin|register|secure|reserve|book|confirm)(?!\p{L})/gu,
    /(?<!\p{L})(?:pay|send|transfer|deposit|wire) (?:us |me |the agency |our \w+ )?(?:a |an |the )?(?:small |one[- ]time |one[- ]off |refundable )?(?:[$€£]\s?\d[\d.,]*|\d+ ?(?:eur|euros?|usd|dollars|pounds|gbp)|fee|deposit)/gu,
    /(?<!\p{L})(?:buy|purchase|order|pay for) (?:your|the|a|an)(?: own)? (?:starter[- ]kit|kit|uniform|training|course|equipment|stock|materials|package|licen[cs]e)(?: \p{L}+){0,2} (?:from us|through us|from our|first|before|up[- ]?front|in advance|for [$€£]?\d)/gu,
    /(?<!\p{L})(?:buy|purchase|send|deposit|pay|transfer|invest)(?!\p{L})[^.!?\n]{0,40}?(?<!\p{L})(?:gift ?cards?|i?tunes cards?|steam cards?|bitcoins?|crypto(?:currency)?|usdt|western union|moneygram)(?!\p{L})/gu,
    /(?<!\p{L})(?:(?:fee|deposit|cost|price|amount)s? (?:is|are|will be|gets?) (?:fully )?(?:refunded|refundable|returned|paid back|deducted))/gu,
    /(?<!\p{L})(?:receive|accept|forward|cash) (?:the )?(?:money|cheques?|checks?|payments?|transfers?) (?:in|on|into|to|with) your (?:own |personal |bank )*account/gu,
  ],
  'asks-details': [
    /(?<!\p{L})(?:send|share|give|provide|enter|email|text|submit|need)(?: \p{L}+){0,3} (?:your )?(?:(?:online )?bank(?:ing)? (?:login|password|details|card|pin)|pin(?: code)?|passwords?|credit card|debit card|card number|cvv|one[- ]time codes?|verification codes?|login|social security number|ssn)(?!\p{L})/gu,
    /(?<!\p{L})(?:photo|copy|scan|picture)s? of (?:the )?(?:front and back of )?your (?:bank card|credit card|debit card|passport|id(?: card)?|identity card|driving licen[cs]e)(?!\p{L})/gu,
  ],
  'off-platform': [
    /(?<!\p{L})(?:t|wa)\.me\/\S+/gu,
    /(?<!\p{L})(?:contact|message|text|write(?: to)?|reach(?: out to)?|dm|add|call|ping|chat (?:with|to)|speak to|follow) (?:us|me|our|the (?:manager|recruiter|owner|boss|agent|hr)|hr|now|directly|this number)(?!\p{L})[^.!?\n]{0,40}?MESSENGER/gu,
    /(?<!\p{L})(?:apply|application|applications|interviews?|cv|cvs|resume|details|info(?:rmation)?|questions|contact|reply|respond|hired|hiring|onboarding)(?!\p{L})[^.!?\n]{0,30}?(?:via|on|by|through|over|at|:|is|are|to) (?:our |a )?MESSENGER/gu,
    /MESSENGER (?:us|me|only|number|group|chat|at|:|\+|@|0\d)/gu,
    /MESSENGER ?(?:[:+@]|0\d)/gu,
    /(?<!\p{L})(?:outside|off|not (?:through|via|on|in|use)|without(?: using)?|avoid|skip|instead of)(?: of)? (?:the |this )?(?:app|platform|site|website|nearhand)(?!\p{L})/gu,
    /(?<!\p{L})(?:don't|do not|never) (?:apply|reply|answer|write|contact us) (?:here|in the app|through the app|on nearhand)/gu,
  ],
};

const messenger =
  "(?:what'?s?[ -]?ap+|wh?ats?[ -]?ap+|watsapp|wapp|telegram|tele gram|signal|viber|we ?chat|messenger|snap ?chat|insta(?:gram)?|facebook|fb|line app|skype|discord|kik)";
const withMessenger = ({ source, flags }: RegExp) =>
  new RegExp(source.replace('MESSENGER', `(?<!\\p{L})${messenger}(?!\\p{L})`), flags);

const denied =
  /(?<!\p{L})(?:no|not|never|without|free of|zero|don't|doesn't|won't|isn't|aren't|cannot|can't|nor|neither|nobody|no one|nothing|covered|waived)(?!\p{L})|(?<!\p{L})(?:we|employer|company|business|restaurant|hotel) (?:will |also |always )?(?:pay|pays|cover|covers|reimburse|refund|provide|provides)(?!\p{L})|(?<!\p{L})(?:paid|covered|provided|reimbursed) (?:for )?by (?:us|the (?:company|employer|business|hotel|restaurant)|our \p{L}+)(?!\p{L})|at our (?:own )?(?:cost|expense)/u;

function clauseOf(text: string, from: number, to: number): string {
  const before = text.slice(0, from);
  const start = Math.max(...['.', '!', '?', ';', '\n', ','].map((sign) => before.lastIndexOf(sign))) + 1;
  const rest = /[.!?;\n,]/u.exec(text.slice(to));
  return text.slice(start, rest ? to + rest.index : text.length);
}

const directing =
  /(?<!\p{L})(?:apply|applications?|cvs?|resumes?|contact|call|text|e-?mail|mail|message|write|send|reach|register|sign up|ring|phone|sms)(?!\p{L})/gu;
const reach = 70;

function sentElsewhere(text: string): string | null {
  for (const { index } of text.matchAll(directing)) {
    const [near = ''] = text.slice(index, index + reach).split(/[!?\n]/u);
    const details = findContactDetails(near).filter((detail) => detail !== 'messenger');
    if (details.length > 0 && !denied.test(near)) return near.trim();
  }
  return null;
}

const evidenceMax = 120;
const finding = (rule: ScreeningRule, evidence: string): ScreeningFinding => ({
  rule,
  evidence: evidence.trim().slice(0, evidenceMax),
});

const compiled = Object.entries(patterns).map(([rule, list]) => ({
  rule: rule as keyof typeof patterns,
  list: list.map(withMessenger),
}));

/**
 * Finds forbidden wording in a job: at most one finding per rule. A denied phrase, such as "no commission",
 * is allowed.
 */
export function screenWords({ title, description, requirements }: ScreenedWords): ScreeningFinding[] {
  const fullText = [title, description, ...requirements].join('\n');
  const text = plainText(fullText);
  return compiled.flatMap(({ rule, list }) => {
    for (const pattern of list)
      for (const match of text.matchAll(pattern)) {
        const clause = clauseOf(text, match.index, match.index + match[0].length);
        if (rule === 'off-platform' || !denied.test(clause)) return [finding(rule, match[0])];
      }
    const elsewhere = rule === 'off-platform' ? sentElsewhere(foldSpelling(fullText)) : null;
    return elsewhere === null ? [] : [finding(rule, elsewhere)];
  });
}

/** Hourly pay in minor units of the same currency. */
export type LocalPay = { medianMinor: number; jobs: number; businesses: number };
/** The multiple of the median that is suspicious, and the minimum counts for a meaningful median. */
export const payLimits = { factor: 3, jobsMin: 10, businessesMin: 3, withinM: 50_000 } as const;

/** Uses whole numbers only, so the factor is exact. */
export function screenPay(hourMinor: number | null, local: LocalPay | null): ScreeningFinding[] {
  if (hourMinor === null || local === null) return [];
  const { medianMinor, jobs, businesses } = local;
  const { factor, jobsMin, businessesMin } = payLimits;
  if (jobs < jobsMin || businesses < businessesMin || hourMinor <= factor * medianMinor) return [];
  return [finding('pay-too-good', `${hourMinor} > ${factor} x ${medianMinor}`)];
}

/** The minimum number of words and the share (percent) that count as copied. */
export const copyLimits = { wordsMin: 40, runLength: 5, percent: 60, probes: 3, probeWords: 4 } as const;

const plainWords = (text: string): string[] => plainText(text).match(/[\p{L}\p{N}]+/gu) ?? [];
const runsOf = (words: readonly string[]): Set<string> =>
  new Set(
    words
      .slice(0, Math.max(0, words.length - copyLimits.runLength + 1))
      .map((_word, at) => words.slice(at, at + copyLimits.runLength).join(' ')),
  );

/** Groups of rare, long words by which the database finds texts that may be copies. Empty for a short text. */
export function copyProbes(description: string): string[][] {
  const words = plainWords(description);
  if (words.length < copyLimits.wordsMin) return [];
  const long = [...new Set(words)]
    .filter((word) => /^\p{L}{5,}$/u.test(word))
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const { probes, probeWords } = copyLimits;
  return Array.from({ length: probes }, (_none, nth) =>
    long.slice(nth * probeWords, (nth + 1) * probeWords),
  ).filter(({ length }) => length === probeWords);
}

/** The share of a text's word runs that another one contains, in percent. */
export function copiedPercent(text: string, original: string): number {
  const textRuns = runsOf(plainWords(text));
  const otherRuns = runsOf(plainWords(original));
  if (textRuns.size === 0) return 0;
  const shared = [...textRuns].filter((run) => otherRuns.has(run)).length;
  return Math.floor((shared * 100) / textRuns.size);
}

/** Returns a finding if a job of another business has nearly this description. */
export function screenCopy(
  description: string,
  originals: readonly { jobId: string; description: string }[],
): ScreeningFinding[] {
  const copied = originals.find(
    (original) => copiedPercent(description, original.description) >= copyLimits.percent,
  );
  return copied ? [finding('copied-text', copied.jobId)] : [];
}

/**
 * The findings that no operator has cleared for this job. A changed text has new evidence and counts again.
 */
export const unclearedFindings = (
  findings: readonly ScreeningFinding[],
  cleared: readonly ScreeningFinding[],
): ScreeningFinding[] =>
  findings.filter(
    ({ rule, evidence }) =>
      !cleared.some((finding) => finding.rule === rule && finding.evidence === evidence),
  );
