import type { Language } from '@nearhand/contract/languages';
import { describe, expect, it } from 'vitest';
import { readTyped } from './typed-filters.ts';

describe('readTyped', () => {
  const wednesday = '2026-11-25';
  const read = (typed: string, today = wednesday) => readTyped(typed, today);

  const days: Record<Language, Record<string, string>> = {
    en: {
      today: 'today',
      tomorrow: 'tomorrow',
      tonight: 'tonight, this evening',
      weekend: 'weekend, this weekend',
      monday: 'on Monday, next monday',
      friday: 'on friday evening, this Friday evening',
      fridays: 'Friday evening, Fridays evening, every friday evening',
      mondays: 'Monday, Mondays, every Monday',
    },
    nl: {
      today: 'vandaag',
      tomorrow: 'morgen',
      tonight: 'vanavond',
      weekend: 'weekend, dit weekend',
      monday: 'op maandag',
      friday: 'op vrijdagavond',
      fridays: 'vrijdagavond, vrijdag avond',
      mondays: 'maandag, maandagen, elke maandag',
    },
    de: {
      today: 'heute',
      tomorrow: 'morgen',
      tonight: 'heute Abend',
      weekend: 'Wochenende, am Wochenende',
      monday: 'am Montag, nächsten Montag',
      friday: 'am Freitagabend',
      fridays: 'Freitagabend, Freitag Abend',
      mondays: 'Montag, montags, jeden Montag',
    },
    fr: {
      today: "aujourd'hui, aujourd’hui",
      tomorrow: 'demain',
      tonight: 'ce soir',
      weekend: 'week-end, ce weekend',
      monday: 'ce lundi, lundi prochain',
      friday: 'ce vendredi soir',
      fridays: 'vendredi soir',
      mondays: 'lundi, les lundis, chaque lundi',
    },
    es: {
      today: 'hoy',
      tomorrow: 'mañana, manana',
      tonight: 'esta noche',
      weekend: 'fin de semana, este fin de semana',
      monday: 'el lunes, este lunes',
      friday: 'este viernes por la noche',
      fridays: 'viernes por la noche, viernes noche',
      mondays: 'lunes, los lunes, todos los lunes',
    },
    ar: {
      today: 'اليوم',
      tomorrow: 'غدًا, غدا, بكرة',
      tonight: 'الليلة, مساء اليوم',
      weekend: 'نهاية الأسبوع, عطلة نهاية هذا الأسبوع',
      monday: 'يوم الإثنين',
      friday: 'هذا الجمعة مساء',
      fridays: 'مساء الجمعة, الجمعة مساء',
      mondays: 'الاثنين, الإثنين',
    },
  };
  const meant: Record<string, object> = {
    today: { from: wednesday, to: wednesday },
    tomorrow: { from: '2026-11-26', to: '2026-11-26' },
    tonight: { from: wednesday, to: wednesday, only: ['evening'] },
    weekend: { from: '2026-11-28', to: '2026-11-29' },
    monday: { from: '2026-11-30', to: '2026-11-30' },
    friday: { from: '2026-11-27', to: '2026-11-27', only: ['evening'] },
    fridays: { weekdays: ['fri'], only: ['evening'] },
    mondays: { weekdays: ['mon'] },
  };
  it.for(Object.entries(days))('reads days and evenings: %s', ([, words]) => {
    for (const [day, typed] of Object.entries(words))
      for (const text of typed.split(', ')) {
        expect(read(text), text).toEqual({ q: '', change: meant[day] });
        expect(read(`barista ${text}`), text).toEqual({ q: 'barista', change: meant[day] });
        expect(read(`${text} barista`), text).toEqual({ q: 'barista', change: meant[day] });
      }
  });

  it.for([
    [
      'en',
      'mornings, in the morning, morning',
      'saturday morning, Saturday mornings',
      'this morning',
      'tomorrow morning',
    ],
    [
      'nl',
      "'s ochtends, ochtend, in de ochtend",
      'zaterdagochtend, zaterdag ochtend',
      'vanochtend, vanmorgen',
      'morgenochtend',
    ],
    [
      'de',
      'morgens, vormittags, am Morgen',
      'Samstagmorgen, Samstag morgens',
      'heute Morgen, heute früh',
      'morgen früh',
    ],
    ['fr', 'matin, le matin, matinée', 'samedi matin', 'ce matin', 'demain matin'],
    [
      'es',
      'por la mañana, por las mañanas',
      'sábado por la mañana, sabado mañana',
      'esta mañana',
      'mañana por la mañana',
    ],
    ['ar', 'صباحا, في الصباح', 'السبت صباحا, صباح السبت', 'هذا الصباح, صباح اليوم', 'غدا صباحا'],
  ] as const)('reads mornings: %s', ([, alone, saturdays, today, tomorrow]) => {
    const changes: [string, object][] = [
      [alone, { only: ['morning'] }],
      [saturdays, { weekdays: ['sat'], only: ['morning'] }],
      [today, { from: wednesday, to: wednesday, only: ['morning'] }],
      [tomorrow, { from: '2026-11-26', to: '2026-11-26', only: ['morning'] }],
    ];
    for (const [typed, change] of changes)
      for (const text of typed.split(', '))
        expect(read(`barista ${text}`), text).toEqual({ q: 'barista', change });
  });

  it.for([
    ['en', 'afternoon, in the afternoon', 'saturday afternoon, sat afternoons', 'this afternoon'],
    ['nl', "'s middags, in de middag", 'zaterdagmiddag, zaterdag middag', 'vanmiddag'],
    ['de', 'nachmittags, am Nachmittag', 'Samstagnachmittag, Samstag nachmittags', 'heute Nachmittag'],
    ['fr', 'après-midi', 'samedi après-midi', 'cet après-midi'],
    ['ar', 'بعد الظهر', 'السبت بعد الظهر', 'بعد ظهر اليوم'],
  ] as const)('reads afternoons: %s', ([, alone, saturdays, today]) => {
    const changes: [string, object][] = [
      [alone, { only: ['afternoon'] }],
      [saturdays, { weekdays: ['sat'], only: ['afternoon'] }],
      [today, { from: wednesday, to: wednesday, only: ['afternoon'] }],
    ];
    for (const [typed, change] of changes)
      for (const text of typed.split(', '))
        expect(read(`barista ${text}`), text).toEqual({ q: 'barista', change });
  });

  it('reads the Spanish "tarde" as the afternoon and the evening', () => {
    const only = ['afternoon', 'evening'];
    for (const [typed, change] of [
      ['tarde', { only }],
      ['por las tardes', { only }],
      ['sábado por la tarde', { weekdays: ['sat'], only }],
      ['esta tarde', { from: wednesday, to: wednesday, only }],
    ] as const)
      expect(read(`camarero ${typed}`), typed).toEqual({ q: 'camarero', change });
  });

  it('reads evenings without a day', () => {
    for (const text of ['evenings', "'s avonds", 'abends', 'soirs', 'noches'])
      expect(read(`kok ${text}`), text).toEqual({ q: 'kok', change: { only: ['evening'] } });
  });

  it('forgives typing errors in longer words for days, and reads no word for work as one', () => {
    const tomorrow = { from: '2026-11-26', to: '2026-11-26' };
    for (const text of ['tommorow', 'tomorow', 'tommorrow', 'tomorrw'])
      expect(read(`${text} cleening`), text).toEqual({ q: 'cleening', change: tomorrow });
    expect(read('wensday').change).toEqual({ weekdays: ['wed'] });
    expect(read('zaterdg').change).toEqual({ weekdays: ['sat'] });
    for (const typed of [
      'banana',
      'montage',
      'domain',
      'early childhood',
      'wedding',
      'gardener',
      'dominican',
      'montageur',
      'diensten zorg',
      'Dienste Pflege',
      'mercedes monteur',
      "Domino's pizza",
    ])
      expect(read(typed), typed).toEqual({ q: typed, change: {} });
    expect(read('€150 per dienst')).toEqual(read('€150 per shift'));
  });

  it('reads weeks, the day after tomorrow, and a weekend on its Saturday', () => {
    expect(read('overmorgen').change).toEqual({ from: '2026-11-27', to: '2026-11-27' });
    expect(read('this week').change).toEqual({ from: wednesday, to: '2026-11-29' });
    expect(read('nächste Woche').change).toEqual({ from: '2026-11-30', to: '2026-12-06' });
    expect(read('weekend', '2026-11-28').change).toEqual({ from: '2026-11-28', to: '2026-11-29' });
    expect(read('on Wednesday').change).toEqual({ from: wednesday, to: wednesday });
    expect(read('next Wednesday').change).toEqual({ from: '2026-12-02', to: '2026-12-02' });
  });

  it('reads a weekend on a Sunday as the next one, except this weekend', () => {
    const sunday = '2026-11-29';
    for (const typed of ['weekend', 'am Wochenende', 'fin de semana', 'نهاية الأسبوع'])
      expect(read(typed, sunday), typed).toEqual({
        q: '',
        change: { from: '2026-12-05', to: '2026-12-06' },
      });
    for (const typed of [
      'this weekend',
      'dit weekend',
      'dieses Wochenende',
      'an diesem Wochenende',
      'ce week-end',
      'este fin de semana',
      'نهاية هذا الأسبوع',
    ])
      expect(read(typed, sunday), typed).toEqual({ q: '', change: { from: sunday, to: sunday } });
  });

  it.for([
    ['bartender 18 euro', 'bartender', 1_800],
    ['bartender €18', 'bartender', 1_800],
    ['18€/h Kellner', 'Kellner', 1_800],
    ['ober 18,50 per uur', 'ober', 1_850],
    ['ab 20 Euro pro Stunde Lager', 'Lager', 2_000],
    ['serveur 15€ de l’heure', 'serveur', 1_500],
    ['camarero desde 12 euros la hora', 'camarero', 1_200],
    ['نادل ٢٠ يورو', 'نادل', 2_000],
    ['cleaner £15/hr or more', 'cleaner', 1_500],
    ['van driver 17 an hour', 'van driver', 1_700],
    ['cook 20/h', 'cook', 2_000],
    ['kok 20 / uur', 'kok', 2_000],
    ['Koch 20/Std', 'Koch', 2_000],
    ['serveur 15 € / heure', 'serveur', 1_500],
    ['نادل 20/ساعة', 'نادل', 2_000],
    ['نادل 20 في الساعة', 'نادل', 2_000],
  ] as const)('reads pay: %s', ([typed, q, minPay]) => {
    expect(read(typed)).toEqual({ q, change: { minPay } });
  });

  it.for([
    'barista 8 h',
    '8h barista',
    'bartender 20 hour week',
    'bartender 20 uur',
    '20 uur per week',
    'ober 20 u',
    'Kellner 20 Stunde',
    'Kellner 8 Std',
    'serveur à 20 heure',
    'serveur 8 h',
    'camarero 20 hora',
    'نادل 20 ساعة',
  ])("doesn't read hours as pay: %s", (typed) => {
    expect(read(typed)).toEqual({ q: typed, change: {} });
  });

  it.for([
    ['Friday night', 'night'],
    ['vrijdag nacht', 'nacht'],
    ['Freitag Nacht', 'Nacht'],
    ['vendredi nuit', 'nuit'],
    ['الجمعة ليلا', 'ليلا'],
  ] as const)('keeps night words as search words: %s', ([typed, q]) => {
    expect(read(typed)).toEqual({ q, change: { weekdays: ['fri'] } });
  });

  it.for(['vannacht', 'heute Nacht', 'cette nuit'])('reads this night as two days: %s', (typed) => {
    expect(read(typed)).toEqual({ q: '', change: { from: wednesday, to: '2026-11-26' } });
  });

  it.for([
    ['afwasser 19 december', 'afwasser'],
    ['op 19 december afwasser', 'afwasser'],
    ['afwasser 19 dec', 'afwasser'],
    ['barista December 19th, 2026', 'barista'],
    ['barista on the 19th of December', 'barista'],
    ['Kellner am 19. Dezember', 'Kellner'],
    ['Kellner 19.12.', 'Kellner'],
    ['Kellner 19.12.2026', 'Kellner'],
    ['serveur le 19 décembre', 'serveur'],
    ['serveur 19 déc.', 'serveur'],
    ['camarero el 19 de diciembre', 'camarero'],
    ['نادل ١٩ ديسمبر', 'نادل'],
    ['نادل 19 كانون الأول', 'نادل'],
    ['barista 19/12', 'barista'],
    ['barista 12/19', 'barista'],
    ['barista 19/12/26', 'barista'],
    ['barista 19-12-2026', 'barista'],
    ['barista 2026-12-19', 'barista'],
  ] as const)('reads a date: %s', ([typed, q]) => {
    expect(read(typed)).toEqual({ q, change: { from: '2026-12-19', to: '2026-12-19' } });
  });

  type Kind =
    | 'date'
    | 'weekend'
    | 'either'
    | 'workdays'
    | 'evening'
    | 'after'
    | 'without'
    | 'length'
    | 'nights'
    | 'experience';
  const dates: Record<Language, Record<Kind, string[]>> = {
    en: {
      date: [
        'sat 19 dec',
        'saturday 19 december',
        'Sat, 19 Dec',
        'on Saturday the 19th of December',
        '19 dec sat',
      ],
      weekend: ['saturday and sunday', 'saturday or sunday', 'sat & sun', 'sat/sun'],
      either: ['monday or tuesday', 'mon/tue', 'mondays and tuesdays'],
      workdays: ['mon-fri', 'mon - fri', 'weekdays', 'monday to friday', 'not weekends', 'no weekends'],
      without: ['except saturday', 'not on saturdays', 'no saturdays'],
      length: [
        'max 4 hours',
        'at most 4h',
        'up to 4 hours',
        '4 hours or less',
        '4 hour shift',
        'short shifts',
      ],
      nights: ['no nights', 'no night shifts', 'not at night'],
      experience: ['no experience', 'without experience', 'no experience needed'],
      evening: ['fri evening', 'every fri evening'],
      after: ['after 5pm', 'after 5 pm', 'after 17:00', 'from 17:00'],
    },
    nl: {
      date: ['zaterdag 19 december', 'za 19 dec', 'zaterdag de 19e december', '19 december zaterdag'],
      weekend: ['zaterdag en zondag', 'zaterdag of zondag', 'za en zo'],
      either: ['maandag of dinsdag', 'ma en di'],
      workdays: ['ma t/m vr', 'maandag tot en met vrijdag', 'doordeweeks', 'niet in het weekend'],
      without: ['niet op zaterdag', 'behalve zaterdag'],
      length: ['max 4 uur', 'maximaal 4 uur', 'korte diensten'],
      nights: ['geen nachten', 'geen nachtdiensten', "niet 's nachts"],
      experience: ['geen ervaring', 'zonder ervaring', 'geen ervaring nodig'],
      evening: ['vrijdagavond'],
      after: ['na 17 uur', 'vanaf 17:00', 'na 17.00 uur'],
    },
    de: {
      date: ['Samstag 19. Dezember', 'Sa 19.12.', 'am Samstag, den 19. Dezember'],
      weekend: ['Samstag und Sonntag', 'Samstag oder Sonntag', 'Sa und So'],
      either: ['Montag oder Dienstag', 'Mo und Di'],
      workdays: ['Mo bis Fr', 'werktags', 'nicht am Wochenende'],
      without: ['außer Samstag', 'nicht samstags'],
      length: ['höchstens 4 Stunden', 'max. 4 Std', 'bis zu 4 Stunden', 'kurze Schichten'],
      nights: ['keine Nächte', 'keine Nachtschichten', 'nicht nachts'],
      experience: ['ohne Erfahrung', 'keine Erfahrung nötig'],
      evening: ['freitags abends'],
      after: ['nach 17 Uhr', 'ab 17:00 Uhr'],
    },
    fr: {
      date: ['samedi 19 décembre', 'sam. 19 déc.', 'le samedi 19 décembre'],
      weekend: ['samedi et dimanche', 'samedi ou dimanche', 'sam et dim'],
      either: ['lundi ou mardi', 'lundi et mardi'],
      workdays: ['du lundi au vendredi', 'en semaine', 'pas le week-end'],
      without: ['sauf samedi', 'sauf le samedi'],
      length: ['moins de 4 heures', '4 heures maximum', 'missions courtes'],
      nights: ['pas de nuit', 'pas la nuit'],
      experience: ['sans expérience', 'aucune expérience'],
      evening: ['ven. soir', 'ven soir'],
      after: ['après 17h', 'après 17 h', 'à partir de 17h00', 'après 17 heures'],
    },
    es: {
      date: ['sábado 19 de diciembre', 'sáb 19 dic', 'el sábado 19 de diciembre'],
      weekend: ['sábado y domingo', 'sábado o domingo', 'sábados y domingos'],
      either: ['lunes o martes', 'lunes y martes'],
      workdays: ['de lunes a viernes', 'entre semana', 'no en fin de semana'],
      without: ['menos sábado', 'excepto los sábados'],
      length: ['máximo 4 horas', 'menos de 4 horas', 'turnos cortos'],
      nights: ['sin turnos de noche', 'no nocturno'],
      experience: ['sin experiencia', 'sin experiencia previa'],
      evening: ['vie por la noche'],
      after: ['después de las 17 h', 'a partir de las 17:00'],
    },
    ar: {
      date: ['السبت 19 ديسمبر', 'يوم السبت ١٩ ديسمبر'],
      weekend: ['السبت والأحد', 'السبت أو الأحد'],
      either: ['الاثنين أو الثلاثاء', 'الاثنين والثلاثاء'],
      workdays: ['من الاثنين إلى الجمعة', 'أيام الأسبوع'],
      without: ['ما عدا السبت', 'إلا السبت'],
      length: ['أقل من 4 ساعات', 'بحد أقصى 4 ساعات', 'ورديات قصيرة'],
      nights: ['بدون ليل', 'لا ليلا'],
      experience: ['بدون خبرة', 'بلا خبرة'],
      evening: ['الجمعة مساء'],
      after: ['بعد الساعة 17:00', 'بعد 5 مساء'],
    },
  };
  it.for(Object.entries(dates))('reads weekdays, hours and lengths: %s', ([, typed]) => {
    const expected: Record<keyof typeof typed, object> = {
      date: { q: 'barista', change: { from: '2026-12-19', to: '2026-12-19' } },
      weekend: { q: 'barista', change: { weekdays: ['sat', 'sun'] } },
      either: { q: 'barista', change: { weekdays: ['mon', 'tue'] } },
      workdays: { q: 'barista', change: { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri'] } },
      without: { q: 'barista', change: { weekdays: ['mon', 'tue', 'wed', 'thu', 'fri', 'sun'] } },
      length: { q: 'barista', change: { maxMinutes: 240 } },
      nights: { q: 'barista', change: { startsFrom: 360, endsBy: 1_440 } },
      experience: { q: 'barista', change: {}, unsearchable: expect.any(String) },
      evening: { q: 'barista', change: meant.fridays },
      after: { q: 'barista', change: { startsFrom: 17 * 60 } },
    };
    for (const kind of Object.keys(typed) as Kind[])
      for (const text of typed[kind]) {
        expect(read(`barista ${text}`), text).toEqual(expected[kind]);
        expect(read(`${text} barista`), text).toEqual(expected[kind]);
      }
  });

  it('reads a date with another weekday, and names the weekday', () => {
    for (const typed of ['sun 19 dec', '19 december sun'])
      expect(read(typed), typed).toEqual({
        q: '',
        change: { from: '2026-12-19', to: '2026-12-19' },
        unsearchable: 'sun',
      });
    expect(read('sunday barista 19 dec')).toEqual({
      q: 'barista',
      change: { from: '2026-12-19', to: '2026-12-19' },
      unsearchable: 'sunday',
    });
    expect(read('saturday evening barista 19 dec')).toEqual({
      q: 'barista',
      change: { from: '2026-12-19', to: '2026-12-19', only: ['evening'] },
    });
    expect(read('sat 19 dec - sun 20 dec')).toEqual({
      q: '',
      change: { from: '2026-12-19', to: '2026-12-20' },
    });
    expect(read('monday or tuesday evening cook')).toEqual({
      q: 'cook',
      change: { weekdays: ['mon', 'tue'], only: ['evening'] },
    });
  });

  const negated: Record<Language, Record<'workdays' | 'other', string[]>> = {
    en: {
      workdays: ['no weekdays', 'not on weekdays', 'except mon-fri', 'except monday to friday'],
      other: [
        'not after 6pm',
        'not before 9am',
        'not from 9:00 to 17:00',
        'no 4 hour shifts',
        'not short shifts',
        'not saturday mornings',
        'no weekday evenings',
        'no evenings',
        'not in the morning',
      ],
    },
    nl: {
      workdays: ['geen werkdagen', 'niet doordeweeks', 'behalve ma t/m vr', 'niet van maandag tot vrijdag'],
      other: [
        'niet na 18 uur',
        'niet voor 9:00',
        'geen korte diensten',
        'geen 4 uur diensten',
        'niet zaterdagochtend',
        'geen avonden',
      ],
    },
    de: {
      workdays: ['keine Werktage', 'nicht werktags', 'außer Mo-Fr', 'außer Montag bis Freitag'],
      other: [
        'nicht nach 18 Uhr',
        'nicht vor 9 Uhr',
        'keine kurzen Schichten',
        'nicht am Samstagmorgen',
        'nicht abends',
        'nicht vormittags',
      ],
    },
    fr: {
      workdays: ['pas en semaine', 'sauf du lundi au vendredi', 'pas les jours de semaine'],
      other: [
        'pas après 18h',
        'pas avant 9h',
        'pas de missions courtes',
        'sans services courts',
        'pas samedi matin',
        'pas le soir',
      ],
    },
    es: {
      workdays: ['no entre semana', 'excepto de lunes a viernes', 'menos lunes a viernes'],
      other: [
        'no después de las 18:00',
        'no antes de las 9:00',
        'sin turnos cortos',
        'no sábados por la mañana',
        'no por la noche',
        'no por la mañana',
      ],
    },
    ar: {
      workdays: ['ليس أيام العمل', 'ما عدا الاثنين إلى الجمعة'],
      other: ['ليس بعد 18:00', 'ليس قبل 9:00', 'بدون ورديات قصيرة', 'ليس السبت صباحا', 'ليس في المساء'],
    },
  };
  it.each(Object.entries(negated))('never filters for what is not wanted: %s', (_language, phrases) => {
    for (const typed of phrases.workdays)
      expect(read(`barista ${typed}`), typed).toEqual({ q: 'barista', change: { weekdays: ['sat', 'sun'] } });
    for (const typed of phrases.other) {
      const { q, change, unwanted, unsearchable } = read(`barista ${typed}`);
      expect([q, change], typed).toEqual(['barista', {}]);
      expect(unwanted ?? unsearchable, typed).toBeTruthy();
    }
  });

  it('reads times and their span, and keeps short words that are no days', () => {
    const times: Record<string, object> = {
      'before 5pm': { endsBy: 1_020 },
      'from 9am': { startsFrom: 540 },
      'na 12 uur': { startsFrom: 720 },
      'à partir de 17h30': { startsFrom: 1_050 },
      'tot 18 uur': { endsBy: 1_080 },
      'from 9am until 5.30pm': { startsFrom: 540, endsBy: 1_050 },
      'from 9:30am to 5pm': { startsFrom: 570, endsBy: 1_020 },
      'van 9:00 tot 17:00': { startsFrom: 540, endsBy: 1_020 },
      'von 9 Uhr bis 17 Uhr': { startsFrom: 540, endsBy: 1_020 },
      'de 9h à 17h': { startsFrom: 540, endsBy: 1_020 },
      'de 9:00 a 17:00': { startsFrom: 540, endsBy: 1_020 },
      'من 9:00 إلى 17:00': { startsFrom: 540, endsBy: 1_020 },
      'until 12am': { endsBy: 1_440 },
      'from 12am': { startsFrom: 0 },
      'until 12pm': { endsBy: 720 },
      'no more than 4 hours': { maxMinutes: 240 },
      'max 4.5 hours after 5pm on Saturdays': { maxMinutes: 270, startsFrom: 1_020, weekdays: ['sat'] },
    };
    for (const [typed, change] of Object.entries(times))
      expect(read(`cook ${typed}`), typed).toEqual({ q: 'cook', change });
    for (const typed of [
      '17+',
      'at least 6 hours',
      '6 hours or more',
      'from 22:00 to 06:00',
      'at least 5 km',
      'mehr als 5 km',
      '5 km of meer',
    ])
      expect(read(`cook ${typed}`), typed).toEqual({ q: 'cook', change: {}, unsearchable: typed });
    for (const typed of [
      'Good Morning Café',
      'Petit Matin',
      'llegar tarde',
      'SAT tutor',
      '10 km run marshal',
      'do it yourself',
      'after school care',
      'mar de plata',
      'from 20 hours',
    ])
      expect(read(typed), typed).toEqual({ q: typed, change: {} });
  });

  it.for([
    'over €150',
    'mehr als 150 Euro',
    'meer dan 150 euro',
    'plus de 150 €',
    'más de 150 euros',
    'أكثر من 150 يورو',
  ])('reads more than an hour pays as pay for the job: %s', (typed) => {
    expect(read(typed)).toEqual({ q: '', change: { minTotal: 15_000 } });
    expect(read('over €150 an hour').change).toEqual({ minPay: 15_000 });
    expect(read('over €99').change).toEqual({ minPay: 9_900 });
  });

  it('reads spans of dates, the next date without a year, and dates with pay or evening', () => {
    const span = { from: '2026-12-19', to: '2026-12-21' };
    for (const typed of [
      '19-21 december',
      '19 t/m 21 december',
      'van 19 december tot 21 december',
      'vom 19. bis 21. Dezember',
      'du 19 au 21 décembre',
      '19/12 - 21/12',
    ])
      expect(read(typed).change, typed).toEqual(span);
    expect(read('30 december - 2 januari').change).toEqual({ from: '2026-12-30', to: '2027-01-02' });
    expect(read('12/12').change).toEqual({ from: '2026-12-12', to: '2026-12-12' });
    expect(read('1 maart').change).toEqual({ from: '2027-03-01', to: '2027-03-01' });
    expect(read('from 19 december').change).toEqual({ from: '2026-12-19', to: null });
    expect(read('hasta 19 de diciembre').change).toEqual({ from: wednesday, to: '2026-12-19' });
    expect(read('ober 19 dec avond 18 euro')).toEqual({
      q: 'ober',
      change: { from: '2026-12-19', to: '2026-12-19', only: ['evening'], minPay: 1_800 },
    });
    for (const typed of ['24/7', '31 februari', '50/50', 'cook 10/12 euro'])
      expect(read(typed).change, typed).not.toHaveProperty('from');
  });

  it.for([
    ['over 150 euro a day', '', 15_000],
    ['bartender 150 euro per dag', 'bartender', 15_000],
    ['Kellner 120 € am Tag', 'Kellner', 12_000],
    ['serveur 110€ par jour', 'serveur', 11_000],
    ['camarero más de 90 euros al día', 'camarero', 9_000],
    ['نادل ١٥٠ يورو في اليوم', 'نادل', 15_000],
    ['cook €150/day', 'cook', 15_000],
    ['mover €1200 in total', 'mover', 120_000],
  ] as const)('reads pay for a day or job: %s', ([typed, q, minTotal]) => {
    expect(read(typed)).toEqual({ q, change: { minTotal } });
  });

  it.for([
    '€15 to €18',
    '€15-18',
    '€15–€18',
    '15 to 18 euro',
    '15 euro tot 18 euro',
    'zwischen 15 und 18 Euro',
    'entre 15 et 18 €',
    'de 15 a 18 euros',
    'between €15 and €18 an hour',
  ])('filters by the lower end of a range of pay, and names the upper: %s', (typed) => {
    expect(read(typed)).toEqual({ q: '', change: { minPay: 1_500 }, payUpTo: 1_800 });
  });

  const bounds: Record<Language, Record<'lower' | 'upper' | 'range' | 'unwanted', string[]>> = {
    en: {
      lower: [
        'above 16',
        'minimum 16',
        'at least 16 euro',
        'more than €16',
        '16 minimum',
        'not less than 16',
      ],
      upper: [
        'under 15 euro',
        'under 15',
        'max 15 euro',
        'less than 15',
        'up to €15',
        '15 max',
        '15 euro or less',
      ],
      range: ['between 16 and 18', 'between 16-18 an hour'],
      unwanted: [
        'not weekends',
        'not on Monday',
        'no sundays',
        'except the weekend',
        'not saturday or sunday',
      ],
    },
    nl: {
      lower: ['boven 16', 'boven de 16 euro', 'minimaal 16', 'meer dan 16', '16 euro minimaal'],
      upper: ['onder 15 euro', 'onder de 15', 'maximaal 15', 'minder dan 15', 'tot 15 euro', 'hoogstens €15'],
      range: ['tussen 16 en 18'],
      unwanted: ['niet in het weekend', 'geen weekenden', 'niet op maandag', 'behalve zondag'],
    },
    de: {
      lower: ['über 16', 'mindestens 16', 'mehr als 16 Euro', 'nicht unter 16'],
      upper: ['unter 15 Euro', 'unter 15', 'maximal 15', 'max. 15 Euro', 'weniger als 15', 'bis 15 Euro'],
      range: ['zwischen 16 und 18'],
      unwanted: ['nicht am Wochenende', 'kein Wochenende', 'außer sonntags', 'nicht Samstag und Sonntag'],
    },
    fr: {
      lower: ['plus de 16', 'minimum 16', 'au moins 16 €', 'au-dessus de 16'],
      upper: [
        'moins de 15 euros',
        'moins de 15',
        'maximum 15',
        "jusqu'à 15 €",
        '15 € maximum',
        'au plus 15 €',
      ],
      range: ['entre 16 et 18'],
      unwanted: ['pas le week-end', 'sauf le dimanche', 'pas les weekends'],
    },
    es: {
      lower: ['más de 16', 'mínimo 16', 'al menos 16 euros', 'como mínimo 16'],
      upper: ['menos de 15 euros', 'menos de 15', 'máximo 15', 'hasta 15 euros', '15 euros como máximo'],
      range: ['entre 16 y 18'],
      unwanted: ['no fines de semana', 'excepto los domingos', 'menos el lunes', 'sin findes'],
    },
    ar: {
      lower: ['أكثر من 16', 'على الأقل ١٦', 'فوق 16 يورو', 'لا يقل عن 16'],
      upper: ['أقل من 15 يورو', 'أقل من ١٥', 'بحد أقصى 15', 'حتى 15 يورو', 'لا يزيد عن 15'],
      range: ['بين 16 و 18', 'بين ١٦ و١٨'],
      unwanted: ['ليس نهاية الأسبوع', 'ما عدا الجمعة', 'بدون يوم السبت'],
    },
  };
  it.for(Object.entries(bounds))('reads bounds of pay and unwanted days: %s', ([, typed]) => {
    const meant = {
      lower: () => ({ change: { minPay: 1_600 } }),
      upper: () => ({ change: {}, payUpTo: 1_500 }),
      range: () => ({ change: { minPay: 1_600 }, payUpTo: 1_800 }),
      unwanted: () => ({ change: { weekdays: expect.any(Array) } }),
    };
    for (const kind of ['lower', 'upper', 'range', 'unwanted'] as const)
      for (const text of typed[kind]) {
        expect(read(text), text).toEqual({ q: '', ...meant[kind]() });
        expect(read(`barista ${text}`), text).toEqual({ q: 'barista', ...meant[kind]() });
        expect(read(`${text} barista`), text).toEqual({ q: 'barista', ...meant[kind]() });
      }
  });

  it('reads a bound of pay beside a day, and one for a whole day', () => {
    expect(read('barista every saturday above 16')).toEqual({
      q: 'barista',
      change: { minPay: 1_600, weekdays: ['sat'] },
    });
    expect(read('cook max 150 euro a day')).toEqual({ q: 'cook', change: {}, payUpTo: 15_000 });
    expect(read('cook not tomorrow')).toEqual({ q: 'cook', change: {}, unwanted: 'not tomorrow' });
    expect(read('cook not on 19 december')).toEqual({
      q: 'cook',
      change: {},
      unwanted: 'not on 19 december',
    });
  });

  it.for([
    'at least 20 hours',
    'max 24 uur',
    'mindestens 20 Stunden',
    'max 20 hours a week',
    'plus de 10 ans',
    'under 18 years',
  ])("doesn't read other amounts as pay: %s", (typed) => {
    expect(read(typed)).toEqual({ q: typed, change: {} });
  });

  it('names the upper end of a range of pay for a day', () => {
    expect(read('cook 150 to 200 euro a day')).toEqual({
      q: 'cook',
      change: { minTotal: 15_000 },
      payUpTo: 20_000,
    });
  });

  it('reads two numbers around a dot as a date only in the order of the language', () => {
    for (const typed of ['barista 8.30', 'barista 10.45', 'kok 17.00'])
      expect(read(typed).change, typed).not.toHaveProperty('from');
    expect(read('barista 12.10').change).toEqual({ from: '2026-12-10', to: '2026-12-10' });
    expect(read('barista 19.12.26').change).toEqual({ from: '2026-12-19', to: '2026-12-19' });
  });

  it('reads a span that begins in the month before', () => {
    expect(read('28 to 3 january').change).toEqual({ from: '2026-12-28', to: '2027-01-03' });
    expect(read('30-2 december').change).toEqual({ from: '2026-11-30', to: '2026-12-02' });
    expect(read('31-2 december').change).not.toHaveProperty('from');
  });

  it('reads both, and keeps other words unchanged', () => {
    expect(read('bartender tomorrow 18 euro').change).toEqual({ ...meant.tomorrow, minPay: 1_800 });
    for (const typed of [
      'front-desk',
      '20',
      '€2000',
      '€',
      'Morgenschicht',
      'dagloner',
      'night shift',
      '1012 AB',
    ])
      expect(read(typed), typed).toEqual({ q: typed, change: {} });
  });

  it.each([
    ['cleaning tomorrow under 2 km', 'cleaning', 2],
    ['within 3 miles waiter', 'waiter', 4.8],
    ['500 m away barista', 'barista', 0.5],
    ['schoonmaak binnen 5 km', 'schoonmaak', 5],
    ['Kellner im Umkreis von 10 Kilometern', 'Kellner', 10],
    ['serveur à moins de 3 km', 'serveur', 3],
    ['limpieza a menos de 2,5 km', 'limpieza', 2.5],
    ['تنظيف ضمن 2 كم', 'تنظيف', 2],
  ])('reads the distance in "%s" as the radius', (typed, q, radiusKm) => {
    const result = read(typed);
    expect(result.q).toBe(q);
    expect(result.change.radiusKm).toBe(radiusKm);
  });
});
