import { addDays, dayMinutes, dayMs } from '@nearhand/contract/durations';
import { nearbyLimits } from '@nearhand/contract/hiring/nearby-start';
import { languages } from '@nearhand/contract/languages';
import { type Weekday, weekdays } from '@nearhand/contract/people/profile-choices';
import { editsBetween, errorsForgiven } from '@nearhand/contract/people/spelling.rules';
import { plainDigits } from '@nearhand/contract/typed-digits';
import { locale } from '../../lib/words/format.ts';
import { fold } from '../../people/places/fold.ts';
import type { NearbyFilters, Only } from './nearby-filters.ts';

/** Typed words without the words for days, hours and pay, and these as filters: "bartender tomorrow 18 euro". */
export type TypedFilters = {
  q: string;
  change: Partial<NearbyFilters>;
  /** The highest amount, which does not filter: "18-20 euro", "under 15". In minor units. */
  payUpTo?: number;
  /** Days as typed that are not wanted, which do not filter: "not tomorrow". */
  unwanted?: string;
  /** Words as typed that do not filter: "no experience", or a weekday that the date next to it does not have. */
  unsearchable?: string;
};

/** Words, separated by commas, in the languages of the app. */
const words = (...lists: string[]): string[] =>
  lists.flatMap((list) => list.split(', ').map((word) => fold(word)));
const anyOf = (alternatives: readonly string[]): string =>
  [...alternatives].sort((a, b) => b.length - a.length).join('|');

const utc = { timeZone: 'UTC' } as const;
const sunday = Date.UTC(2023, 0, 1);
const week = [0, 1, 2, 3, 4, 5, 6];
/** Numbers of the weekdays by name, 0 for Sunday. */
const weekdaysByName = (style: 'long' | 'short') =>
  new Map(
    languages.flatMap((language) => {
      const names = new Intl.DateTimeFormat(language, { ...utc, weekday: style });
      return week.map((weekday) => {
        const name = fold(names.format(sunday + weekday * dayMs)).replace('.', '');
        return [name, weekday] as const;
      });
    }),
  );
const weekdayNumbers = weekdaysByName('long');
/** The plurals of weekdays end in these: "Saturdays", "samedis", "sábados", "zaterdagen". */
const pluralEndings = ['s', 'en', 'e'];
/** "Montage" is more often assembly work, in four languages. */
const weekdayPlurals = new Map(
  [...weekdayNumbers]
    .flatMap(([name, weekday]) => pluralEndings.map((ending) => [`${name}${ending}`, weekday] as const))
    .filter(([plural]) => plural !== 'montage'),
);

/**
 * "Sat", "za", "sam.". Many are other words as well ("do", "SAT tutor"), so they count only next to days, dates
 * and parts of a day.
 */
const shortWeekdays = new Map([
  ...weekdaysByName('short'),
  ...(['tues', 'thur', 'thurs'] as const).map((name) => [name, name === 'tues' ? 2 : 4] as const),
]);
const weekdayOfName = new Map([...shortWeekdays, ...weekdayNumbers, ...weekdayPlurals]);

/**
 * The first and last day that a word means, in days from today; `weekday` is today's. On a Monday, "next
 * Monday" is not today. On a Sunday, only "this weekend" is today.
 */
type DaysAhead = (weekday: number, isNext: boolean, isThis: boolean) => [from: number, to: number];
const daysFromToday =
  (days: number): DaysAhead =>
  () => [days, days];
const nextWeekday =
  (target: number): DaysAhead =>
  (weekday, isNext) => {
    const days = (target - weekday + 7) % 7 || (isNext ? 7 : 0);
    return [days, days];
  };
/** Days from Monday, 0 to 6. */
const sinceMonday = (weekday: number) => (weekday + 6) % 7;

/** The Spanish afternoon lasts into the evening. */
const tarde = 'tarde, tardes, por la tarde, por las tardes';
/** Night words are left out, except "noche", which also means evening: a night job may begin after midnight. */
const evenings = words(
  'evening, evenings, in the evening',
  "avond, avonden, in de avond, 's avonds",
  'Abend, Abende, Abends, am Abend',
  'soir, soirs, le soir, au soir, soirée, dans la soirée',
  'noche, noches, por la noche',
  tarde,
  'مساء, المساء, في المساء',
);
/** "Morgen" and "mañana" alone are tomorrow. */
const mornings = words(
  'morning, mornings, in the morning',
  "ochtend, ochtenden, in de ochtend, 's ochtends, 's morgens",
  'Morgens, am Morgen, früh, Vormittag, vormittags, am Vormittag',
  'matin, matins, le matin, au matin, matinée, dans la matinée',
  'por la mañana, por las mañanas, de mañana',
  'صباحا, الصباح, في الصباح, صباح',
);
const afternoons = words(
  'afternoon, afternoons, in the afternoon',
  "middag, middagen, in de middag, 's middags",
  'Nachmittag, Nachmittags, am Nachmittag',
  'après midi, après midis, dans l’après midi',
  tarde,
  'بعد الظهر',
);
const thisAfternoon = words(
  'this afternoon',
  'vanmiddag',
  'heute Nachmittag',
  'cet après midi',
  'esta tarde',
  'بعد ظهر اليوم',
);
const thisMorning = words(
  'this morning',
  'vanochtend, vanmorgen',
  'heute Morgen, heute früh',
  'ce matin',
  'esta mañana',
  'هذا الصباح, صباح اليوم',
);
const tonight = words(
  'tonight, this evening',
  'vanavond',
  'ce soir',
  'esta noche, esta tarde',
  'الليلة, هذا المساء, مساء اليوم',
);
const weekends = words(
  'weekend, weekends',
  'weekeinde, weekenden',
  'Wochenende, Wochenenden',
  'week end, week ends',
  'fin de semana, fines de semana, finde, findes',
  'نهاية الأسبوع, عطلة نهاية الأسبوع, نهاية هذا الأسبوع, عطلة نهاية هذا الأسبوع',
);
const dayWords: { names: string[]; ahead: DaysAhead }[] = [
  {
    names: [
      ...words('today', 'vandaag', 'heute', "aujourd'hui, aujourdhui", 'hoy', 'اليوم'),
      ...tonight,
      ...thisMorning,
      ...thisAfternoon,
    ],
    ahead: daysFromToday(0),
  },
  { names: words('vannacht', 'heute Nacht', 'cette nuit'), ahead: () => [0, 1] },
  {
    names: words('tomorrow, tmrw', 'morgen', 'demain', 'mañana', 'غدا, غد, بكرة, بكرا'),
    ahead: daysFromToday(1),
  },
  {
    names: words(
      'day after tomorrow',
      'overmorgen',
      'übermorgen',
      'après demain',
      'pasado mañana',
      'بعد غد, بعد بكرة',
    ),
    ahead: daysFromToday(2),
  },
  {
    names: weekends,
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
  ...[...weekdayNumbers, ...weekdayPlurals].map(([name, weekday]) => ({
    names: [name],
    ahead: nextWeekday(weekday),
  })),
];
const daysAhead = new Map(
  dayWords.flatMap(({ names, ahead }) => names.map((name) => [name, ahead] as const)),
);

const beforeDay = words(
  'on, this, next, coming, for, from, at, the, during',
  'op, dit, deze, volgende, komende, aanstaande, voor, in, het',
  'am, an, diesem, diesen, dieses, nächsten, nächstes, kommenden, kommendes, für',
  'le, ce, cette, pour',
  'el, este, próximo, para, en',
  'يوم, هذا, في',
);
const nextDay = /\b(?:next|volgende|nachsten|prochain|proximo|que viene)\b|القادم|المقبل/u;
const thisDay = /\b(?:this|dit|diesem|dieses|ce|este)\b|هذا/u;
const afterDay = words('prochain, que viene, próximo, القادم, المقبل');
/** Words that mean every such weekday. */
const every = words(
  'every, each',
  'elke, iedere',
  'jeden',
  'chaque, tous les, les',
  'cada, todos los, los',
  'كل',
);
const dayWord = anyOf([...daysAhead.keys()]);
const weekdayName = anyOf([...weekdayOfName.keys()]);
const isLong = (name: string) => name.length > 2;
const longName = anyOf([...weekdayOfName.keys()].filter(isLong));
const shortName = anyOf([...shortWeekdays.keys()].filter(isLong));
const negations = words(
  'not, no, never, except, without, excluding',
  'niet, geen, nooit, behalve, zonder',
  'nicht, kein, keine, keinen, nie, außer, ohne',
  'pas, jamais, sauf, hors, excepté, sans, aucun, aucune',
  'no, nunca, excepto, salvo, menos, sin',
  'ليس, لا, مش, بدون, عدا, ما عدا, إلا, باستثناء',
);
const andOr = anyOf(
  words('and, or, nor', 'en, of, noch', 'und, oder, noch', 'et, ou, ni', 'y, o, ni', 'و, أو, ولا'),
);
/** All days from Monday to Friday. */
const workdayName = anyOf(
  words(
    'weekday, weekdays, workdays, working days, week days',
    'doordeweeks, doordeweekse dagen, door de week, werkdagen, weekdagen',
    'werktags, wochentags, Werktage, Werktagen, Wochentage, unter der Woche',
    'en semaine, jours ouvrables, les jours de semaine, jours de semaine',
    'entre semana, días laborables, días de semana',
    'أيام الأسبوع, أيام العمل, خلال الأسبوع',
  ),
);
const wholeParts = anyOf([...evenings, ...afternoons, ...mornings]);
const partsOfDay = anyOf([...evenings, ...afternoons, ...mornings, 'morgen', 'manana']);
const dayPart = `(?<part>${partsOfDay})`;
const workdays = new RegExp(
  `(?:^| )(?:(?:${anyOf(beforeDay)}) )*(?:${workdayName})(?: ?${dayPart})?(?= |$)`,
  'u',
);
const beforeShortDay = anyOf([
  ...every,
  ...words('on, this, next, coming', 'op, deze, volgende, komende', 'nächsten, kommenden', 'ce', 'este'),
]);
const shortDay = `(?<=(?:^| )(?:${beforeShortDay}) )(?:${shortName})\\.?|(?:${shortName})\\.?(?= (?:${wholeParts})(?: |$))`;
// One word in Dutch and German: "vrijdagavond".
const dayPattern = new RegExp(
  `(?:^| )(?<every>(?:(?:${anyOf(every)}) )*)(?<ahead>(?:(?:${anyOf(beforeDay)}) )*)(?:(?<before>مساء|صباح) )?(?!(?<=(?:^| )(?:por la|de|am) )(?:morgen|manana)(?: |$))(?<name>${dayWord}|${shortDay})(?<next>(?: (?:${anyOf(afterDay)}))*)(?: ?${dayPart})?(?= |$)`,
  'u',
);

/** "Good Morning Café", "Petit Matin" and "llegar tarde" name no part of a day. */
const beforeGreeting = words(
  'good, happy',
  'goede, goeden',
  'guten, schönen',
  'petit, bon, bonne',
  'buen, buenas, llegar',
);
const partPattern = new RegExp(
  `(?<!(?:^| )(?:${anyOf(beforeGreeting)}))(?:^| )(?<part>${wholeParts})(?= |$)`,
  'u',
);

/** Shorter names have too many neighbours among words for work, such as "Montag" and "montage". */
const typoMinLength = 7;
const longDayNames = [...daysAhead.keys()].filter(
  (name) => name.length >= typoMinLength && !name.includes(' '),
);
/** Words and names two letters away from a day: shifts in Dutch and German, fitters, Mercedes, Domino's. */
const resemblesDay = /^(?:dienst(?:e|en)?|montag(?:e|en|eur|eure)|mercedes|domino'?s?|vandaa?l(?:en)?)$/;
/** Corrects a misspelt word for a day, such as "tommorow"; returns any other word unchanged. */
function respellDay(word: string): string {
  if (word.length < typoMinLength - 1 || daysAhead.has(word) || resemblesDay.test(word)) return word;
  const dayName = longDayNames.find((name) => {
    const max = errorsForgiven(name);
    return name[0] === word[0] && editsBetween(word, name, max) <= max;
  });
  return dayName ?? word;
}

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
const dayNames = words('day, shift', 'dag, dienst', 'Tag, Schicht', 'jour', 'día');
/** Words that make an amount the pay for a whole job. */
const inTotal = anyOf(
  words(
    'a day, per day, a shift, per shift, in total',
    'per dag, per dienst, in totaal',
    'am Tag, pro Tag, pro Schicht, insgesamt',
    'par jour, par service, la journée, au total',
    'al día, por día, por turno, en total',
    'في اليوم, باليوم, للوردية, إجمالا',
  ).concat(dayNames.map((name) => `/${name}`)),
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
/** A slash that means "per", or separates the numbers of a date. */
const keepsSlash = (token: string): boolean =>
  /^\/\d/.test(plainDigits(token)) || [...hourNames, ...dayNames].includes(fold(token).trim());
/** Folds a word but keeps the slash of "/h". */
const foldToken = (token: string): string =>
  token.startsWith('/') ? `/${fold(token.slice(1))}` : fold(token);
const between = anyOf(words('between', 'tussen', 'zwischen', 'entre', 'بين'));
const atLeast = anyOf(
  words(
    'min, minimum, at least, over, above, more than, not under, not below, not less than, no less than',
    'min., minimaal, minstens, ten minste, meer dan, boven, boven de, niet minder dan, niet onder de',
    'mind., mindestens, minimal, über, mehr als, nicht unter, nicht weniger als',
    'plus de, au moins, au minimum, au dessus de, pas moins de',
    'mínimo, como mínimo, más de, al menos, por encima de, no menos de',
    'على الأقل, أكثر من, فوق, بحد أدنى, لا يقل عن, ليس أقل من',
  ),
);
const atMost = anyOf(
  words(
    'max, maximum, at most, under, below, less than, no more than, not more than, not over, not above',
    'max., maximaal, hoogstens, hooguit, ten hoogste, minder dan, onder, onder de, niet meer dan, niet boven de',
    'maximal, höchstens, unter, weniger als, nicht mehr als, nicht über',
    'maxi, au maximum, au plus, moins de, en dessous de, pas plus de',
    'máximo, como máximo, máx., menos de, por debajo de, no más de',
    'على الأكثر, أقل من, تحت, دون, بحد أقصى, لا يزيد عن, ليس أكثر من',
  ),
);
/** Words that begin a time as well ("from 9", "until 18"), so that they need a currency. */
const fromPay = anyOf(
  words('from, for', 'vanaf, voor', 'ab, für', 'à partir de, dès, pour, de, à', 'desde, por, de, a', 'من'),
);
const untilPay = anyOf(words('up to, until', 'tot', 'bis, bis zu', "jusqu'à", 'hasta', 'حتى'));
const beforePay = `(?:(?:${fromPay}|${between}|${atLeast}) )*(?:(?<atMost>${atMost}|${untilPay}) )?`;
const orMore = anyOf(
  words(
    'or more, plus, min, minimum',
    'of meer, minimaal',
    'oder mehr, mindestens, minimal',
    'ou plus, au moins, au minimum',
    'o más, mínimo, como mínimo',
    'أو أكثر, على الأقل',
  ),
);
const afterPay = ` (?:${orMore}|(?<orLess>${anyOf(
  words(
    'or less, max, maximum, at most',
    'of minder, max., maximaal',
    'oder weniger, maximal, höchstens',
    'ou moins, maxi, au maximum, au plus',
    'o menos, máximo, máx., como máximo',
    'أو أقل, على الأكثر, كحد أقصى',
  ),
)}))`;
const beforeDays = `(?:(?:${anyOf([...every, ...beforeDay, 'between', 'tussen', 'van', 'zwischen', 'von', 'entre', 'du', 'de', 'بين', 'من'])}) )*`;
const upTo = anyOf(
  words('to, and, until', 'tot, tot en met, t m, en', 'bis, und', 'à, au, et', 'a, al, y', 'إلى, و'),
);
const betweenDays = ` (?:(?:${andOr}|${upTo}|t m|through|&|\\+) |و ?)${beforeDays}`;
/** "Saturday and Sunday", "mon-fri", "za of zo". Names of two letters need a word between them. */
const weekdayList = `(?:${weekdayName})(?:${betweenDays}(?:${weekdayName}))+|(?:${longName})(?:(?:${betweenDays}| )(?:${longName}))+`;
const severalDays = new RegExp(`(?:^| )${beforeDays}(?<names>${weekdayList})(?: ?${dayPart})?(?= |$)`, 'u');
const unwantedDay = `${beforeDays}(?:مساء )?(?:${weekdayList}|${workdayName}|${dayWord})(?: (?:${anyOf(afterDay)}))*(?: ?(?:${partsOfDay}))?`;
const unwantedPattern = new RegExp(
  `(?:^| )(?:(?:${anyOf(negations)}) )+${unwantedDay}(?: (?:(?:${andOr}) )?(?:(?:${anyOf(negations)}) )?${unwantedDay})*(?= |$)`,
  'u',
);
const payPattern = new RegExp(
  `(?:^| )${beforePay}(?:(?:${money}) ?(?<afterSign>${amount})(?: (?:${upTo}) (?:(?:${money}) ?)?(?<upperAfterSign>${amount}))?|(?<beforeSign>${amount})(?: ?(?:${money}) (?:${upTo}))?(?: (?:(?:${upTo}) )?/?(?<upperBeforeSign>${amount}))? ?(?:${money})|(?<alone>${amount})(?= ?(?:${perHour})(?: |$)))\\+?(?: ?(?<perHour>${hour}))?(?:${afterPay})?(?= |$)`,
  'u',
);
/** Without words for an hour, an amount from here on is the pay for the whole job: "over €150". */
const totalLeastMinor = 10_000;
const total = String.raw`\d{1,4}(?:[.,]\d{1,2})?`;
const totalPattern = new RegExp(
  `(?:^| )${beforePay}(?:(?:${money}) ?)?(?<lower>${total})(?: ?(?:${money}))?(?: (?:${upTo}) (?:(?:${money}) ?)?(?<upper>${total})(?: ?(?:${money}))?)?\\+? ?(?:${inTotal})(?:${afterPay})?(?= |$)`,
  'u',
);
/** Words without their endings, after which an amount isn't pay: "at least 20 hours". */
const units = anyOf(
  words(
    "h, hr, hour, min, day, week, month, year, yr, km, mile, kilo, kg, people, person, guest, shift, job, time, o'clock, am, pm, %",
    'u, uur, uren, dag, weken, maand, jaar, mensen, gasten, dienst, keer',
    'std, stunde, uhr, tag, woche, monat, jahr, leute, gäste, schicht, mal',
    'heure, jour, semaine, mois, an, ans, année, personne',
    'hora, día, semana, mes, año, persona, turno',
    'ساعة, ساعات, دقيقة, يوم, أيام, أسبوع, أسابيع, شهر, سنة, سنوات, كم, شخص, أشخاص',
  ),
);
const bareAmount = String.raw`\d\d(?:[.,]\d{1,2})?`;
const barePattern = (form: string) =>
  new RegExp(
    `(?:^| )${form}(?: ?(?:${perHour}))?(?! ?(?:(?:${units})(?:s|n|en|e|es)?|${money}|${inTotal})(?: |$))(?= |$)`,
    'u',
  );
/** Pay without a currency: "between 16 and 18", "above 16" and "18 minimum". */
const bareRange = barePattern(
  `(?:${between}) (?<lower>${bareAmount})(?: (?:${upTo}) ?| )(?<upper>${bareAmount})`,
);
const barePay = barePattern(`(?:${atLeast}|(?<atMost>${atMost})) (?<lower>${bareAmount})`);
const bareBefore = barePattern(`(?<lower>${bareAmount})(?:${afterPay})`);

const minorOf = (typed = '0'): number => {
  const [units = '0', cents = ''] = typed.split(/[.,]/);
  return Number(units) * 100 + Number(cents.padEnd(2, '0'));
};

const monthNumbers = Array.from({ length: 12 }, (_, month) => month);
/** Numbers of the months by name, 1 for January. Arabic ones have other names in the Levant and the Maghreb. */
const months = new Map([
  ['sept', 9],
  ...[...languages, 'ar-SY', 'ar-MA', 'ar-DZ'].flatMap((language) =>
    (['long', 'short'] as const).flatMap((style) => {
      const names = new Intl.DateTimeFormat(language, { ...utc, month: style });
      return monthNumbers.map((month) => {
        const name = fold(names.format(Date.UTC(2023, month, 1))).replace('.', '');
        return [name, month + 1] as const;
      });
    }),
  ),
] as const);
const monthName = anyOf([...months.keys()]);
const since = words(
  'from, starting, after',
  'vanaf, na',
  'ab, nach',
  'à partir du, dès le, après le',
  'desde, a partir del',
  'من, ابتداء من',
);
const until = words(
  'until, till, by, before',
  'tot, tot en met',
  'bis, vor',
  "jusqu'au, avant le",
  'hasta',
  'حتى',
);
const articles = words('the', 'de', 'den, der, dem, zum', 'du', 'el, del', 'بتاريخ');
const beginsWith = (phrase: string, alternatives: readonly string[]): boolean =>
  new RegExp(`^(?:${anyOf(alternatives)}) `, 'u').test(phrase);
const dayNumber = String.raw`\d{1,2}`;
const ordinal = String.raw`(?:st|nd|rd|th|er|e|ste|de|º|\.)?`;
const year = String.raw`20\d\d`;
/**
 * Dates as tokens: "19 december", "19 to 21 december", "december 19", "2026 12 19", "19 /12", "19.12." and
 * "19 12 2026".
 */
const datePatterns = [
  `(?:(?<first>${dayNumber})${ordinal} (?:(?:${upTo}) )?(?:(?:${weekdayName})\\.? )?)?(?<day>${dayNumber})${ordinal}(?: of| de)? (?<month>${monthName})\\.?(?: (?:del? )?(?<year>${year}))?`,
  `(?<month>${monthName})\\.? (?<day>${dayNumber})${ordinal}(?: (?<year>${year}))?`,
  String.raw`(?<year>${year}) /?(?<month>\d\d) /?(?<day>\d\d)`,
  String.raw`(?<firstNumber>${dayNumber}) /(?<secondNumber>${dayNumber})(?: /(?<year>${year}|\d\d))?`,
  String.raw`(?<firstNumber>${dayNumber})\.(?<secondNumber>${dayNumber})\.(?<year>${year}|\d\d)?`,
  String.raw`(?<firstNumber>${dayNumber})(?<dot>\.)(?<secondNumber>${dayNumber})`,
  `(?<firstNumber>${dayNumber}) (?<secondNumber>${dayNumber}) (?<year>${year})`,
].map(
  (form) =>
    new RegExp(
      `(?:^| )(?<before>(?:(?:${anyOf([...negations, ...since, ...until, ...beforeDay, ...articles])}|${upTo}) )*)(?:(?<weekday>${weekdayName})\\.? (?:(?:${anyOf([...beforeDay, ...articles])}) )*)?${form}(?! ?(?:${money}|${perHour}|${inTotal}|${hour})(?: |$))(?: (?<weekdayAfter>${longName})\\.?(?! \\d))?(?= |$)`,
      'u',
    ),
);

const nights = words(
  'night, nights, night shift, night shifts, night work, at night',
  "nacht, nachten, nachtdienst, nachtdiensten, nachtwerk, 's nachts",
  'Nacht, Nächte, Nachtschicht, Nachtschichten, Nachtarbeit, nachts',
  'nuit, nuits, de nuit, la nuit, travail de nuit',
  'nocturno, nocturnos, turno de noche, turnos de noche, madrugada',
  'ليل, ليلا, الليل, ليالي, ليلي, دوام ليلي',
);
/** Work that begins from 6:00 and ends by midnight. */
const noNights = new RegExp(`(?:^| )(?:${anyOf(negations)}) (?:${anyOf(nights)})(?= |$)`, 'u');
const experience = new RegExp(
  `(?:^| )(?:${anyOf(negations.concat(words('بلا, لا يشترط')))}) (?:${anyOf(
    words('experience', 'ervaring', 'Erfahrung', 'expérience', 'experiencia', 'خبرة'),
  )})(?: (?:${anyOf(words('needed, required, necessary', 'nodig, vereist', 'nötig, erforderlich', 'nécessaire, requise', 'necesaria, previa'))}))?(?= |$)`,
  'u',
);
const lengthUnits = anyOf(
  words(
    'h, hr, hrs, hour, hours',
    'u, uur, uren',
    'Std, Stunde, Stunden',
    'heure, heures',
    'hora, horas',
    'ساعة, ساعات',
  ),
);
const shifts = anyOf(
  words(
    'shift, shifts',
    'dienst, diensten',
    'Schicht, Schichten',
    'service, services, mission, missions',
    'turno, turnos',
    'وردية, ورديات',
  ),
);
const lengthNumber = String.raw`\d{1,2}(?:[.,]5)?`;
/** "max 4 hours", "4 uur of minder", "4 hour shift", and a length that is not searched for: "min 6 hours". */
const lengthPattern = new RegExp(
  `(?:^| )(?:(?:(?<atLeast>${atLeast})|${atMost}|${anyOf(words('up to', 'bis zu'))}) (?<hours>${lengthNumber}) ?(?:${lengthUnits})(?: ${shifts})?|(?<before>${lengthNumber}) ?(?:${lengthUnits})(?:${afterPay}| (?<ofShift>${shifts})))(?! (?:per|a|pro|par|por|im|في) )(?= |$)`,
  'u',
);
const distanceNumber = String.raw`\d{1,4}(?:[.,]\d)?`;
const kmPerMile = 1.609_344;
const runs = anyOf(
  words(
    'run, runs, race, races',
    'loop, hardloop, hardloopwedstrijd',
    'Lauf, Läufe, Rennen',
    'course à pied',
    'carrera, carreras',
    'سباق, جري',
  ),
);
/**
 * "under 2 km", "within 3 miles", "500 m away", and a distance that is not searched for: "at least 5 km". A bare
 * "2 km" counts too, unless it is the length of a run.
 */
const distancePattern = new RegExp(
  `(?:^| )(?:(?:(?<atLeast>${atLeast})|${anyOf([
    ...words(
      'within, within a radius of, not more than, up to, closer than',
      'binnen, binnen een straal van, op',
      'innerhalb von, im Umkreis von, im Umkreis, bis zu, bis',
      'à moins de, dans un rayon de, à',
      'a menos de, en un radio de, a',
      'ضمن, في حدود, على بعد, خلال',
    ),
  ])}|${atMost}) )?(?<distance>${distanceNumber}) ?(?:(?<miles>miles?|mi)|(?<metres>m|metres?|meters?|metros?|متر)|(?:${anyOf(
    words(
      'km, kms, kilometre, kilometres, kilometer, kilometers, kilometern',
      'kilomètre, kilomètres',
      'kilómetro, kilómetros',
      'كم, كيلومتر, كيلو',
    ),
  )}))(?: (?:${anyOf(
    words(
      'away, from here, from me, or less',
      'afstand, van hier, van mij',
      'entfernt, von hier, von mir, Entfernung',
      "d'ici, de chez moi",
      'de aquí, de mí, de distancia',
      'من هنا',
    ),
  )}|(?<orMore>${orMore})))?(?! (?:${runs})(?: |$))(?= |$)`,
  'u',
);
const isRadius = (km: number): boolean => km >= 0.1 && km <= nearbyLimits.radiusMaxKm;
/** A typed distance in kilometres. */
const kilometresOf = ({ distance = '', miles, metres }: Groups): number =>
  Number(distance.replace(',', '.')) * (miles ? kmPerMile : metres ? 0.001 : 1);
const shortShifts = new RegExp(
  `(?:^| )(?:${anyOf(
    words(
      'short shift, short shifts',
      'korte dienst, korte diensten',
      'kurze Schicht, kurze Schichten, kurzen Schichten',
      'service court, services courts, mission courte, missions courtes, courte mission, courtes missions',
      'turno corto, turnos cortos',
      'وردية قصيرة, ورديات قصيرة',
    ),
  )})(?= |$)`,
  'u',
);
const shortShiftMinutes = 240;
/** A longer time is meant as hours of a week. */
const longestMinutes = 16 * 60;
const dayBegins = 6 * 60;

/** A time of the day, in groups whose names end in `group`: "18:00", "6pm", "18 uur". */
const time = (group: string) =>
  `(?:(?:las|la|الساعه) )?(?<hour${group}>\\d{1,2})(?:(?:[:.]|h)(?<minute${group}>\\d\\d)(?: ?(?:(?<am${group}>am)|(?<pm${group}>pm)))?| ?(?:(?<amAlone${group}>am|صباحا)|(?<pmAlone${group}>pm|مساء)|uur|u|h|uhr|heures|horas|o'clock))(?: (?:uur|uhr|h))?`;
const timePattern = new RegExp(
  `(?:^| )(?:(?<since>${anyOf(
    words(
      'after, from',
      'na, vanaf, van',
      'nach, ab, von',
      'après, à partir de, dès, de',
      'después de, a partir de, desde, de',
      'بعد, من',
    ),
  )}) ${time('')}(?: (?:${anyOf(words('to, until', 'tot', 'bis', "à, jusqu'à", 'a, hasta', 'إلى, حتى'))}) ${time('Last')})?|(?:${anyOf(
    words('before, until', 'voor, tot', 'vor, bis', "avant, jusqu'à", 'antes de, hasta', 'قبل, حتى'),
  )}) ${time('By')}|(?:1\\d|2[0-3])(?::\\d\\d)?\\+)(?! (?:${money}|${perHour}|${inTotal}|per|par|pro|por|${anyOf(hourNames)})(?: |$))(?= |$)`,
  'u',
);
/** "Not after 6pm" and "no 4 hour shifts" must not find these; "no more than 4 hours" is an upper limit. */
const unsearchablePatterns = [lengthPattern, shortShifts, timePattern, partPattern].map(
  ({ source }) =>
    new RegExp(
      `(?:^| )(?!(?:${atLeast}|${atMost}) )(?:${anyOf(negations.filter((word) => word !== 'menos'))})(?: (?:${anyOf([...negations, ...beforeDay, ...articles, 'any', 'des'])}))*${source}`,
      'u',
    ),
);
/** The length that a match of `lengthPattern` names. */
const minutesOf = ({ hours, before }: Groups): number =>
  Math.round(Number((hours ?? before)?.replace(',', '.')) * 60);
/** The minute of the day in the groups of `time`; null if there is none. */
const minuteOf = (groups: Groups, group: '' | 'Last' | 'By'): number | null => {
  const hour = groups[`hour${group}`];
  if (hour === undefined) return null;
  const isAm = groups[`am${group}`] ?? groups[`amAlone${group}`];
  const isPm = groups[`pm${group}`] ?? groups[`pmAlone${group}`];
  const hours = isAm || isPm ? (Number(hour) % 12) + (isPm && Number(hour) <= 12 ? 12 : 0) : Number(hour);
  return hours * 60 + Number(groups[`minute${group}`] ?? 0);
};
const isTime = (groups: Groups): boolean =>
  (['', 'Last', 'By'] as const).every(
    (group) => (minuteOf(groups, group) ?? 0) <= dayMinutes && Number(groups[`minute${group}`] ?? 0) < 60,
  );

type Groups = Partial<Record<string, string>>;

const monthComesFirst = (): boolean =>
  new Intl.DateTimeFormat(locale()).formatToParts(0).find(({ type }) => type !== 'literal')?.type === 'month';

/** The day that a match of `datePatterns` names, without a year the next one. Null if there is no such day. */
function dayFrom(
  { first, day, month, firstNumber, secondNumber, dot, year }: Groups,
  today: string,
): { day: string; first: string } | null {
  // "24/7" means around the clock, not a day in July.
  if (firstNumber === '24' && secondNumber === '7') return null;
  const dayFirst = { inMonth: Number(secondNumber), onDay: Number(firstNumber) };
  const monthFirst = { inMonth: Number(firstNumber), onDay: Number(secondNumber) };
  const inOrder = monthComesFirst() ? [monthFirst, dayFirst] : [dayFirst, monthFirst];
  // Two numbers around a dot are a time as well ("8.30"), so they are a date only in the order of the language.
  const numeric = dot ? (Number(secondNumber) > 12 ? [] : inOrder.slice(0, 1)) : inOrder;
  const parts = { inMonth: months.get(month ?? '') ?? Number(month), onDay: Number(day) };
  const thisYear = Number(today.slice(0, 4));
  const years = year ? [Number(year.padStart(4, '20'))] : [thisYear, thisYear + 1];
  for (const { inMonth, onDay } of firstNumber ? numeric : [parts])
    for (const inYear of years) {
      const date = calendarDay(inYear, inMonth, onDay);
      const isAcrossMonths = Number(first) > onDay;
      const start = first
        ? calendarDay(
            isAcrossMonths && inMonth === 1 ? inYear - 1 : inYear,
            isAcrossMonths ? ((inMonth + 10) % 12) + 1 : inMonth,
            Number(first),
          )
        : date;
      if (date && start && (year || date >= today)) return { day: date, first: start };
    }
  return null;
}

/** The day as text, or null if the month has no such day. */
function calendarDay(...parts: [year: number, month: number, day: number]): string | null {
  const text = parts.map((part) => String(part).padStart(2, '0')).join('-');
  return new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) ? text : null;
}

/** The typed words, from which each filter takes those that it understands. */
type Taker = {
  take: (pattern: RegExp, isValid?: (groups: Groups) => boolean) => RegExpExecArray | null;
  /** The words that were taken last, as they were typed. */
  last: () => string;
  /** The words that are left; all as typed if none was taken. */
  rest: () => string;
};

function takerOf(typed: string): Taker {
  const tokens = typed
    .replaceAll(weekdaySpan, (text, first, last) =>
      [first, last].every((name) => weekdayNumber(fold(name)) !== undefined) ? `${first} to ${last}` : text,
    )
    .replaceAll(/([€£$] ?\d+(?:[.,]\d+)?) ?[-–] ?(?=[€£$]?\d)/g, '$1 to ')
    .replaceAll(/[\s/]*\/[\s/]*/g, ' /')
    .split(/[\s;–-]+|,(?!\d)/u)
    .map((token) => (keepsSlash(token) ? token : token.replace('/', '')))
    .filter((token) => token !== '');
  const tokensBefore = tokens.length;
  let lastTaken = '';
  return {
    take: (pattern, isValid = () => true) => {
      const text = tokens.map((token) => respellDay(plainDigits(foldToken(token)))).join(' ');
      const match = pattern.exec(text);
      if (match === null || !isValid(match.groups ?? {})) return null;
      const first = text.slice(0, match.index + (match[0].startsWith(' ') ? 1 : 0)).split(' ').length - 1;
      lastTaken = tokens.splice(first, match[0].trim().split(' ').length).join(' ');
      return match;
    },
    last: () => lastTaken,
    rest: () =>
      tokens.length < tokensBefore ? tokens.map((token) => token.replace('/', '')).join(' ') : typed,
  };
}

/** The filters read so far, and the words that do not filter. */
type Reading = { change: Partial<NearbyFilters>; unsearchable: string[]; unwanted: string };

/**
 * Reads days, hours and pay in typed words. `today` is a calendar day. Pay is in minor units of a currency
 * with two digits, whatever its sign, because the filter counts in the currency of the jobs nearby. A weekday
 * alone means every one; with "on", "this" or "next" it is a single day.
 */
export function readTyped(typed: string, today: string): TypedFilters {
  const taker = takerOf(typed);
  const reading: Reading = { change: {}, unsearchable: [], unwanted: '' };
  readExclusions(taker, reading);
  readDistance(taker, reading);
  readLength(taker, reading);
  const dates = readDates(taker, reading, today);
  readTimes(taker, reading);
  const payUpTo = readPay(taker, reading);
  if (dates) Object.assign(reading.change, spanOf(dates.date, dates.last, today));
  readDays(taker, reading, { date: dates?.date ?? null, today });
  const { change, unsearchable, unwanted } = reading;
  return {
    q: taker.rest(),
    change,
    ...(payUpTo === null ? {} : { payUpTo }),
    ...(unwanted ? { unwanted } : {}),
    ...(unsearchable.length > 0 ? { unsearchable: unsearchable.join(', ') } : {}),
  };
}

function readExclusions({ take, last }: Taker, reading: Reading): void {
  if (take(experience)) reading.unsearchable.push(last());
  if (take(noNights)) reading.change = { startsFrom: dayBegins, endsBy: dayMinutes };
  if (take(unwantedPattern)) {
    const otherDays = weekdaysBut(last());
    if (otherDays) reading.change.weekdays = otherDays;
    else reading.unwanted = last();
  }
  for (const pattern of unsearchablePatterns) while (take(pattern)) reading.unsearchable.push(last());
}

function readDistance({ take, last }: Taker, { change, unsearchable }: Reading): void {
  const distance = take(distancePattern, (groups) => isRadius(kilometresOf(groups)))?.groups;
  if (distance?.atLeast || distance?.orMore) unsearchable.push(last());
  else if (distance) change.radiusKm = Math.round(kilometresOf(distance) * 10) / 10;
}

function readLength({ take, last }: Taker, { change, unsearchable }: Reading): void {
  const length = take(lengthPattern, (groups) => minutesOf(groups) <= longestMinutes)?.groups;
  if (length?.atLeast || (length?.before && !length.orLess && !length.ofShift)) unsearchable.push(last());
  else if (length) change.maxMinutes = minutesOf(length);
  if (take(shortShifts)) change.maxMinutes = shortShiftMinutes;
}

/** One or two dates; null if there is none, or only one that is not wanted. */
function readDates(
  taker: Taker,
  reading: Reading,
  today: string,
): { date: TypedDate; last: TypedDate | null } | null {
  const date = takeDate(taker, today);
  if (date && beginsWith(date.before, negations)) {
    reading.unwanted = taker.last();
    return null;
  }
  const last = date && takeDate(taker, today);
  reading.unsearchable.push(...(date?.otherWeekdays ?? []), ...(last?.otherWeekdays ?? []));
  return date && { date, last };
}

function takeDate({ take }: Taker, today: string): (TypedDate & { otherWeekdays: string[] }) | null {
  for (const pattern of datePatterns) {
    const groups = take(pattern, (parts) => dayFrom(parts, today) !== null)?.groups;
    const date = groups && dayFrom(groups, today);
    if (date) {
      const { before = '', weekday = '', weekdayAfter = '' } = groups;
      const otherWeekdays = [
        ...(isWeekdayOf(date.first, weekday) ? [] : [weekday]),
        ...(isWeekdayOf(date.day, weekdayAfter) ? [] : [weekdayAfter]),
      ].filter(Boolean);
      return { ...date, before, otherWeekdays };
    }
  }
  return null;
}

function readTimes({ take, last }: Taker, { change, unsearchable }: Reading): void {
  for (let times = take(timePattern, isTime)?.groups; times; times = take(timePattern, isTime)?.groups) {
    const start = minuteOf(times, '');
    const end = minuteOf(times, 'Last') ?? minuteOf(times, 'By');
    const isOvernight = start !== null && end !== null && end > 0 && end <= start;
    if (isOvernight || (start === null && end === null)) {
      unsearchable.push(last());
      continue;
    }
    if (start !== null) change.startsFrom = start;
    // Work that ends at midnight ends at the end of its day.
    if (end !== null) change.endsBy = end || dayMinutes;
  }
}

/** Reads the least pay, by the hour or for the whole job. Returns the highest amount, or null without one. */
function readPay({ take }: Taker, { change }: Reading): number | null {
  const payTotal = take(totalPattern)?.groups;
  const pay = payTotal
    ? undefined
    : (take(bareRange) ?? take(payPattern) ?? take(barePay) ?? take(bareBefore))?.groups;
  const isAtMost = [payTotal, pay].some((groups) => groups?.atMost ?? groups?.orLess);
  const lower = minorOf(payTotal?.lower ?? pay?.afterSign ?? pay?.beforeSign ?? pay?.alone ?? pay?.lower);
  const upper = minorOf(payTotal?.upper ?? pay?.upperAfterSign ?? pay?.upperBeforeSign ?? pay?.upper);
  const minMinor = isAtMost ? 0 : lower;
  const maxMinor = isAtMost ? Math.max(upper, lower) : upper;
  const isTotal = payTotal !== undefined || (lower >= totalLeastMinor && !pay?.perHour);
  if (minMinor > 0 && isTotal) change.minTotal = minMinor;
  else if (minMinor > 0) change.minPay = minMinor;
  return maxMinor > minMinor ? maxMinor : null;
}

/** Weekdays, days ahead such as "tomorrow", and parts of the day. Next to a date the weekday is only checked. */
function readDays(
  { take }: Taker,
  reading: Reading,
  { date, today }: { date: TypedDate | null; today: string },
): void {
  const { change, unsearchable } = reading;
  const several = date ? null : take(severalDays);
  const workweek = several ? null : take(workdays);
  if (several) change.weekdays = weekdaysIn(several.groups?.names ?? '');
  if (workweek) change.weekdays = weekdays.slice(0, 5);
  const day = several ?? workweek ?? take(dayPattern);
  const groups = day?.groups ?? {};
  const { name = '', every = '', ahead = '', next = '' } = groups;
  const ofDay = partsNamed(name, groups.before ?? groups.part);
  const parts = ofDay.length > 0 ? ofDay : partsNamed('', take(partPattern)?.groups?.part);
  const phrase = day?.[0] ?? '';
  const plural = weekdayPlurals.get(name);
  const weekday = plural ?? weekdayNumber(name);
  const isEvery = plural !== undefined || every !== '' || `${ahead}${next}` === '';
  const spanAhead = daysAhead.get(name) ?? (weekday === undefined ? undefined : nextWeekday(weekday));
  const span = spanAhead?.(new Date(today).getUTCDay(), nextDay.test(phrase), thisDay.test(phrase));
  if (date) {
    if (day && !isWeekdayOf(date.first, name)) unsearchable.push(name);
  } else if (weekday !== undefined && isEvery) change.weekdays = [weekdayNamed(weekday)];
  else if (span) Object.assign(change, { from: addDays(today, span[0]), to: addDays(today, span[1]) });
  if (parts.length > 0) change.only = parts;
}

const wordsByPart: { part: Only; today: string[]; anyDay: string[] }[] = [
  { part: 'morning', today: thisMorning, anyDay: [...mornings, 'morgen', 'manana'] },
  { part: 'afternoon', today: thisAfternoon, anyDay: afternoons },
  { part: 'evening', today: tonight, anyDay: evenings },
];
/** The parts of the day in the name of a day ("tonight") or in the word next to it; "tarde" names two. */
const partsNamed = (day: string, word = ''): Only[] =>
  wordsByPart
    .filter(({ today, anyDay }) => today.includes(day) || anyDay.includes(word))
    .map(({ part }) => part);

const weekdayNumber = (name: string): number | undefined =>
  weekdayOfName.get(name.replace('.', '')) ?? weekdayOfName.get(name.replace(/^و/u, ''));

/** Two words around a dash: "mon-fri". */
const weekdaySpan = /(\p{L}+\.?) ?[-–] ?(\p{L}+)/gu;
const weekdayNamed = (number: number): Weekday => weekdays[(number + 6) % 7] ?? 'mon';
const rangeWord = /(?:^| )(?:to|until|tot|bis|a|au|al|through|الي|t m)(?: |$)/u;

/** The weekdays of a list, in order of the week: "monday or tuesday", "ma t/m vr". */
function weekdaysIn(names: string): Weekday[] {
  const weekdaysInText = new Set<Weekday>();
  let last: number | null = null;
  let between = '';
  for (const word of names.split(' ')) {
    const number = weekdayNumber(word);
    if (number === undefined) {
      between += ` ${word}`;
      continue;
    }
    if (last !== null && rangeWord.test(`${between} `))
      for (let next: number = (last + 1) % 7; next !== number; next = (next + 1) % 7)
        weekdaysInText.add(weekdayNamed(next));
    weekdaysInText.add(weekdayNamed(number));
    last = number;
    between = '';
  }
  return weekdays.filter((weekday) => weekdaysInText.has(weekday));
}

const weekendName = new RegExp(`(?:^| )(?:${anyOf(weekends)})(?= |$)`, 'u');
const workdaysName = new RegExp(`(?:^| )(?:${workdayName})(?= |$)`, 'u');
const partOfDay = new RegExp(`(?:${partsOfDay})(?= |$)`, 'u');

/** The weekdays that remain without those in the phrase; null if it names other days, or parts of days. */
function weekdaysBut(phrase: string): Weekday[] | null {
  const folded = phrase
    .split(/[\s;–-]+/u)
    .map(fold)
    .join(' ');
  const isOther = folded
    .replace(weekendName, '')
    .replace(workdaysName, '')
    .split(' ')
    .some((word) => daysAhead.has(word) && weekdayNumber(word) === undefined);
  if (isOther || partOfDay.test(folded)) return null;
  const unwanted = weekdaysIn(folded);
  if (weekendName.test(folded)) unwanted.push('sat', 'sun');
  if (workdaysName.test(folded)) unwanted.push(...weekdays.slice(0, 5));
  const remaining = weekdays.filter((weekday) => !unwanted.includes(weekday));
  return unwanted.length > 0 && remaining.length > 0 ? remaining : null;
}

const isWeekdayOf = (date: string, name: string): boolean =>
  weekdayNumber(name) === new Date(date).getUTCDay();

type TypedDate = { day: string; first: string; before: string };

/** The days of one or two dates: a span, all days from or until a date, or that date. */
function spanOf(date: TypedDate, last: TypedDate | null, today: string): Pick<NearbyFilters, 'from' | 'to'> {
  if (last && last.day > date.first) return { from: date.first, to: last.day };
  if (date.first === date.day && beginsWith(date.before, until)) return { from: today, to: date.day };
  return {
    from: date.first,
    to: date.first === date.day && beginsWith(date.before, since) ? null : date.day,
  };
}
