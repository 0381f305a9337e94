import { plainDigits } from '@nearhand/contract/typed-digits';
import { dayAfter } from '../../lib/words/zoned-time.ts';
import { fold } from '../../people/places/fold.ts';
import type { NearbyFilters } from './nearby-filters.ts';

/** Typed words without those for days and pay, and these as filters: "bartender tomorrow 18 euro". */
export type TypedFilters = { q: string; change: Partial<NearbyFilters> };

/** Words, separated by commas, in the languages of the app. */
const words = (...languages: string[]): string[] =>
  languages.flatMap((language) => language.split(', ').map((word) => fold(word)));
const anyOf = (alternatives: readonly string[]): string =>
  [...alternatives].sort((a, b) => b.length - a.length).join('|');

const languages = ['en', 'nl', 'de', 'fr', 'es', 'ar'];
const sunday = Date.UTC(2023, 0, 1);
/** Names of a weekday (0 is Sunday), also as English and Dutch plurals. */
const weekdayNames = (weekday: number): string[] => {
  const day = new Date(sunday + weekday * 86_400_000);
  const names = languages.map((language) =>
    fold(new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' }).format(day)),
  );
  return [...names, ...names.slice(0, 2).flatMap((name) => [`${name}s`, `${name}en`])];
};

/**
 * The first and last day that a word means, in days from today, whose weekday is given. On a Monday, "next Monday" is
 * not today. On a Sunday, only "this weekend" is today.
 */
type DaysAhead = (weekday: number, isNext: boolean, isThis: boolean) => [from: number, to: number];
const ahead =
  (days: number): DaysAhead =>
  () => [days, days];
const until =
  (target: number): DaysAhead =>
  (weekday, isNext) => {
    const days = (target - weekday + 7) % 7 || (isNext ? 7 : 0);
    return [days, days];
  };
/** Days from Monday, 0 to 6. */
const sinceMonday = (weekday: number) => (weekday + 6) % 7;

/** Night words are left out, except "noche", which also means evening: a night job may begin after midnight. */
const evenings = words(
  'evening, in the evening',
  'avond, in de avond',
  'Abend, am Abend',
  'soir, au soir, dans la soirée',
  'noche, por la noche, tarde, por la tarde',
  'مساء, المساء, في المساء',
);
const tonight = words(
  'tonight, this evening',
  'vanavond',
  'ce soir',
  'esta noche, esta tarde',
  'الليلة, هذا المساء, مساء اليوم',
);
const dayWords: { names: string[]; ahead: DaysAhead }[] = [
  {
    names: [...words('today', 'vandaag', 'heute', "aujourd'hui, aujourdhui", 'hoy', 'اليوم'), ...tonight],
    ahead: ahead(0),
  },
  { names: words('vannacht', 'heute Nacht', 'cette nuit'), ahead: () => [0, 1] },
  { names: words('tomorrow, tmrw', 'morgen', 'demain', 'mañana', 'غدا, غد, بكرة, بكرا'), ahead: ahead(1) },
  {
    names: words(
      'day after tomorrow',
      'overmorgen',
      'übermorgen',
      'après demain',
      'pasado mañana',
      'بعد غد, بعد بكرة',
    ),
    ahead: ahead(2),
  },
  {
    names: words(
      'weekend, weekends',
      'weekeinde',
      'Wochenende',
      'week end, weekend',
      'fin de semana, finde',
      'نهاية الأسبوع, عطلة نهاية الأسبوع, نهاية هذا الأسبوع, عطلة نهاية هذا الأسبوع',
    ),
    ahead: (weekday, _isNext, isThis) => (weekday === 0 && isThis ? [0, 0] : [6 - weekday, 7 - weekday]),
  },
  {
    names: words(
      'this week',
      'deze week',
      'diese Woche, dieser Woche',
      'cette semaine',
      'esta semana',
      'هذا الأسبوع',
    ),
    ahead: (weekday) => [0, 6 - sinceMonday(weekday)],
  },
  {
    names: words(
      'next week',
      'volgende week',
      'nächste Woche, nächster Woche, kommende Woche',
      'semaine prochaine, la semaine prochaine',
      'próxima semana, la próxima semana, semana que viene',
      'الأسبوع القادم, الأسبوع المقبل',
    ),
    ahead: (weekday) => [7 - sinceMonday(weekday), 13 - sinceMonday(weekday)],
  },
  ...[0, 1, 2, 3, 4, 5, 6].map((weekday) => ({ names: weekdayNames(weekday), ahead: until(weekday) })),
];
const daysAhead = new Map(
  dayWords.flatMap(({ names, ahead }) => names.map((name) => [name, ahead] as const)),
);

const beforeDay = words(
  'on, this, next, coming, for, from',
  'op, dit, deze, volgende, komende, aanstaande, voor',
  'am, an, diesem, diesen, dieses, nächsten, nächstes, kommenden, kommendes, für',
  'le, ce, cette, pour',
  'el, este, próximo, para',
  'يوم, هذا, في',
);
const nextDay = /\b(?:next|volgende|nachsten|prochain|proximo|que viene)\b|القادم|المقبل/u;
const thisDay = /\b(?:this|dit|diesem|dieses|ce|este)\b|هذا/u;
const afterDay = words('prochain, que viene, próximo, القادم, المقبل');
// One word in Dutch and German: "vrijdagavond".
const dayPattern = new RegExp(
  `(?:^| )(?:(?:${anyOf(beforeDay)}) )*(?<before>مساء )?(?<name>${anyOf([...daysAhead.keys()])})(?: (?:${anyOf(afterDay)}))*(?: ?(?<after>${anyOf(evenings)}))?(?= |$)`,
  'u',
);

const amount = String.raw`\d{1,3}(?:[.,]\d{1,2})?`;
const money = anyOf(
  words(
    '€, £, eur, euro, euros, gbp, pound, pounds, quid, usd, dollar, dollars',
    'pond',
    'Pfund',
    'livres',
    'libras, dólar, dólares',
    'يورو, دولار, جنيه',
  ).concat(String.raw`\$`),
);
const hourNames = words('h, hr, hour', 'u, uur', 'Std, Stunde', 'heure', 'hora', 'ساعة');
/** Words that make an amount pay without a currency. A bare "20 hours" is a length or a time. */
const perHour = anyOf(
  words(
    'an hour, per hour, per hr, per h, ph, p h',
    'per uur, per u, p u',
    'pro Stunde, pro Std, die Stunde',
    "l'heure, de l'heure, par heure, par h",
    'por hora, la hora, a la hora',
    'في الساعة, بالساعة, للساعة, لكل ساعة',
  ).concat(hourNames.map((name) => `/${name}`)),
);
const hour = `${perHour}|${anyOf(hourNames)}`;
/** Folds a word but keeps the slash of "/h". */
const foldToken = (token: string): string =>
  token.startsWith('/') ? `/${fold(token.slice(1))}` : fold(token);
const beforePay = anyOf(
  words(
    'from, min, minimum, at least, over, above, for',
    'vanaf, minimaal, minstens, meer dan, voor',
    'ab, mind., mindestens, über, für',
    'à partir de, plus de, au moins, dès, pour, à',
    'desde, mínimo, más de, al menos, por, a',
    'من, على الأقل',
  ),
);
const afterPay = anyOf(words('or more, plus', 'of meer', 'oder mehr', 'ou plus', 'o más', 'أو أكثر'));
// The lower of two amounts counts: "18-20 euro".
const payPattern = new RegExp(
  `(?:^| )(?:(?:${beforePay}) )*(?:(?:${money}) ?(${amount})|(${amount})(?: ${amount})? ?(?:${money})|(${amount})(?= ?(?:${perHour})(?: |$)))\\+?(?: ?(?:${hour}))?(?: (?:${afterPay}))?(?= |$)`,
  'u',
);

/**
 * Reads days, evenings and pay in typed words. `today` is a calendar day. Pay is in minor units of a currency with two
 * digits, whatever its sign, because the filter counts in the currency of the jobs nearby.
 */
export function readTyped(typed: string, today: string): TypedFilters {
  let tokens = typed
    .replaceAll(/[\s/]*\/[\s/]*/g, ' /')
    .split(/[\s;–-]+|,(?!\d)/u)
    .map((token) => (hourNames.includes(fold(token).trim()) ? token : token.replace('/', '')))
    .filter((token) => token !== '');
  let change: Partial<NearbyFilters> = {};
  const take = (pattern: RegExp): RegExpExecArray | null => {
    const text = tokens.map((token) => plainDigits(foldToken(token))).join(' ');
    const match = pattern.exec(text);
    if (match === null) return null;
    const first = text.slice(0, match.index + (match[0].startsWith(' ') ? 1 : 0)).split(' ').length - 1;
    tokens = tokens.toSpliced(first, match[0].trim().split(' ').length);
    return match;
  };
  const pay = take(payPattern);
  const [whole = '0', cents = ''] = (pay?.[1] ?? pay?.[2] ?? pay?.[3] ?? '0').split(/[.,]/);
  const minPay = Number(whole) * 100 + Number(cents.padEnd(2, '0'));
  if (minPay > 0) change = { minPay };
  const day = take(dayPattern);
  const { name = '', before, after } = day?.groups ?? {};
  const phrase = day?.[0] ?? '';
  const span = daysAhead.get(name)?.(new Date(today).getUTCDay(), nextDay.test(phrase), thisDay.test(phrase));
  if (span) change = { ...change, from: dayAfter(today, span[0]), to: dayAfter(today, span[1]) };
  if (span && (before || after || tonight.includes(name))) change = { ...change, only: ['evening'] };
  return { q: pay || day ? tokens.join(' ') : typed, change };
}
