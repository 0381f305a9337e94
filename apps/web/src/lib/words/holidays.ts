import { addDays, weekdayOf } from '@nearhand/contract/durations';

/**
 * Public holidays of whole countries, by their local names; regional and one-off ones are left out. A rule is
 * a date (`12-25`), days from Easter Sunday (`E+39`), or a weekday of a month (`05 1Mon` first, `05 -1Mon`
 * last). Sources, November 2026: rijksoverheid.nl, belgium.be, bmi.bund.de, oesterreich.gv.at,
 * service-public.fr, boe.es, gov.ie, gov.uk (England), opm.gov.
 */
const holidays: Record<string, string> = {
  NL: '01-01 Nieuwjaarsdag; E+0 Eerste Paasdag; E+1 Tweede Paasdag; 04-27 Koningsdag; 05-05 Bevrijdingsdag; E+39 Hemelvaartsdag; E+49 Eerste Pinksterdag; E+50 Tweede Pinksterdag; 12-25 Eerste Kerstdag; 12-26 Tweede Kerstdag',
  BE: '01-01 Nieuwjaar; E+1 Paasmaandag; 05-01 Dag van de Arbeid; E+39 Hemelvaart; E+50 Pinkstermaandag; 07-21 Nationale feestdag; 08-15 O.L.V.-Hemelvaart; 11-01 Allerheiligen; 11-11 Wapenstilstand; 12-25 Kerstmis',
  DE: '01-01 Neujahr; E-2 Karfreitag; E+1 Ostermontag; 05-01 Tag der Arbeit; E+39 Christi Himmelfahrt; E+50 Pfingstmontag; 10-03 Tag der Deutschen Einheit; 12-25 1. Weihnachtstag; 12-26 2. Weihnachtstag',
  AT: '01-01 Neujahr; 01-06 Heilige Drei Könige; E+1 Ostermontag; 05-01 Staatsfeiertag; E+39 Christi Himmelfahrt; E+50 Pfingstmontag; E+60 Fronleichnam; 08-15 Mariä Himmelfahrt; 10-26 Nationalfeiertag; 11-01 Allerheiligen; 12-08 Mariä Empfängnis; 12-25 Christtag; 12-26 Stefanitag',
  FR: '01-01 Jour de l’an; E+1 Lundi de Pâques; 05-01 Fête du Travail; 05-08 Victoire 1945; E+39 Ascension; E+50 Lundi de Pentecôte; 07-14 Fête nationale; 08-15 Assomption; 11-01 Toussaint; 11-11 Armistice 1918; 12-25 Noël',
  ES: '01-01 Año Nuevo; 01-06 Epifanía del Señor; E-2 Viernes Santo; 05-01 Fiesta del Trabajo; 08-15 Asunción de la Virgen; 10-12 Fiesta Nacional; 11-01 Todos los Santos; 12-06 Día de la Constitución; 12-08 Inmaculada Concepción; 12-25 Natividad del Señor',
  IE: '01-01 New Year’s Day; 03-17 Saint Patrick’s Day; E+1 Easter Monday; 05 1Mon May Day; 06 1Mon June holiday; 08 1Mon August holiday; 10 -1Mon October holiday; 12-25 Christmas Day; 12-26 Saint Stephen’s Day',
  GB: '01-01 New Year’s Day; E-2 Good Friday; E+1 Easter Monday; 05 1Mon Early May bank holiday; 05 -1Mon Spring bank holiday; 08 -1Mon Summer bank holiday; 12-25 Christmas Day; 12-26 Boxing Day',
  US: '01-01 New Year’s Day; 01 3Mon Martin Luther King Jr. Day; 02 3Mon Washington’s Birthday; 05 -1Mon Memorial Day; 06-19 Juneteenth; 07-04 Independence Day; 09 1Mon Labor Day; 10 2Mon Columbus Day; 11-11 Veterans Day; 11 4Thu Thanksgiving Day; 12-25 Christmas Day',
};

/** The name of a country's public holiday on a day; null on any other day. */
export function holidayOn(country: string, day: string): string | null {
  const year = Number(day.slice(0, 4));
  for (const entry of (holidays[country] ?? '').split('; ')) {
    const [, rule = '', name = ''] = /^(\d\d-\d\d|E[+-]\d+|\d\d -?\d\w{3}) (.*)$/.exec(entry) ?? [];
    if (rule !== '' && dayOfRule(rule, year) === day) return name;
  }
  return null;
}

function dayOfRule(rule: string, year: number): string {
  if (rule.startsWith('E')) return addDays(easterOf(year), Number(rule.slice(1)));
  // King's Day moves to Saturday when it would be a Sunday.
  if (rule === '04-27' && weekdayOf(`${year}-04-27`) === 0) return `${year}-04-26`;
  const [month = '', nth] = rule.split(' ');
  if (nth === undefined) return `${year}-${rule}`;
  const weekday = nth.endsWith('Thu') ? 4 : 1;
  const count = Number.parseInt(nth, 10);
  const first = `${year}-${month}-01`;
  const earliest = addDays(first, (weekday - weekdayOf(first) + 7) % 7);
  if (count > 0) return addDays(earliest, (count - 1) * 7);
  const fifth = addDays(earliest, 28);
  return fifth.slice(5, 7) === month ? fifth : addDays(earliest, 21);
}

/** Easter Sunday in the Gregorian calendar, by Meeus, Jones and Butcher. */
function easterOf(year: number): string {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const f = Math.floor((b - Math.floor((b + 8) / 25) + 1) / 3);
  const h = (19 * a + b - Math.floor(b / 4) - f + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const sum = h + l - 7 * Math.floor((a + 11 * h + 22 * l) / 451) + 114;
  const digits = (value: number) => String(value).padStart(2, '0');
  return `${year}-${digits(Math.floor(sum / 31))}-${digits((sum % 31) + 1)}`;
}
