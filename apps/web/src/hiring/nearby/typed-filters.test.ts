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
      monday: 'Monday, on Monday, next monday',
      friday: 'Friday evening, on friday evening',
    },
    nl: {
      today: 'vandaag',
      tomorrow: 'morgen',
      tonight: 'vanavond',
      weekend: 'weekend, dit weekend',
      monday: 'maandag, op maandag',
      friday: 'vrijdagavond, vrijdag avond',
    },
    de: {
      today: 'heute',
      tomorrow: 'morgen',
      tonight: 'heute Abend',
      weekend: 'Wochenende, am Wochenende',
      monday: 'Montag, am Montag, nächsten Montag',
      friday: 'Freitagabend, Freitag Abend',
    },
    fr: {
      today: "aujourd'hui, aujourd’hui",
      tomorrow: 'demain',
      tonight: 'ce soir',
      weekend: 'week-end, ce weekend',
      monday: 'lundi, lundi prochain',
      friday: 'vendredi soir',
    },
    es: {
      today: 'hoy',
      tomorrow: 'mañana, manana',
      tonight: 'esta noche',
      weekend: 'fin de semana, este fin de semana',
      monday: 'lunes, el lunes',
      friday: 'viernes por la noche, viernes noche',
    },
    ar: {
      today: 'اليوم',
      tomorrow: 'غدًا, غدا, بكرة',
      tonight: 'الليلة, مساء اليوم',
      weekend: 'نهاية الأسبوع, عطلة نهاية هذا الأسبوع',
      monday: 'الاثنين, يوم الإثنين',
      friday: 'مساء الجمعة, الجمعة مساء',
    },
  };
  const meant: Record<string, object> = {
    today: { from: wednesday, to: wednesday },
    tomorrow: { from: '2026-11-26', to: '2026-11-26' },
    tonight: { from: wednesday, to: wednesday, only: ['evening'] },
    weekend: { from: '2026-11-28', to: '2026-11-29' },
    monday: { from: '2026-11-30', to: '2026-11-30' },
    friday: { from: '2026-11-27', to: '2026-11-27', only: ['evening'] },
  };
  it.for(Object.entries(days))('reads days and evenings: %s', ([, words]) => {
    for (const [day, typed] of Object.entries(words))
      for (const text of typed.split(', ')) {
        expect(read(text), text).toEqual({ q: '', change: meant[day] });
        expect(read(`barista ${text}`), text).toEqual({ q: 'barista', change: meant[day] });
        expect(read(`${text} barista`), text).toEqual({ q: 'barista', change: meant[day] });
      }
  });

  it('reads weeks, the day after tomorrow, and a weekend on its Saturday', () => {
    expect(read('overmorgen').change).toEqual({ from: '2026-11-27', to: '2026-11-27' });
    expect(read('this week').change).toEqual({ from: wednesday, to: '2026-11-29' });
    expect(read('nächste Woche').change).toEqual({ from: '2026-11-30', to: '2026-12-06' });
    expect(read('weekend', '2026-11-28').change).toEqual({ from: '2026-11-28', to: '2026-11-29' });
    expect(read('Wednesday').change).toEqual({ from: wednesday, to: wednesday });
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
    ['cook 18-20 euro', 'cook', 1_800],
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
  ])('does not read hours as pay: %s', (typed) => {
    expect(read(typed)).toEqual({ q: typed, change: {} });
  });

  it.for([
    ['Friday night', 'night'],
    ['vrijdag nacht', 'nacht'],
    ['Freitag Nacht', 'Nacht'],
    ['vendredi nuit', 'nuit'],
    ['الجمعة ليلا', 'ليلا'],
  ] as const)('leaves night words to search for: %s', ([typed, q]) => {
    expect(read(typed)).toEqual({ q, change: { from: '2026-11-27', to: '2026-11-27' } });
  });

  it.for(['vannacht', 'heute Nacht', 'cette nuit'])('reads this night as two days: %s', (typed) => {
    expect(read(typed)).toEqual({ q: '', change: { from: wednesday, to: '2026-11-26' } });
  });

  it('reads both, and leaves other words as they were typed', () => {
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
});
