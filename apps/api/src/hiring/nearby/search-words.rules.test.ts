import type { Language } from '@nearhand/contract/languages';
import { folded, namesOfSkill, otherForms } from '@nearhand/contract/people/skill-names.rules';
import { categoryIds, type SkillId, skillIds, taxonomy } from '@nearhand/contract/people/taxonomy';
import { describe, expect, it } from 'vitest';
import { i18nFor } from '../../platform/i18n.ts';
import { categoryText, skillText } from '../public-pages/taxonomy-words.ts';
import { possibleTypos, relevanceQueries, respell, splitsOf, wordQuery } from './search-words.rules.ts';

describe('wordQuery', () => {
  it('requires every word and leaves the last one open', () => {
    expect(wordQuery('Zuid  bar')).toBe("('Zuid' | 'zuids') & 'bar':*");
    expect(wordQuery("a' | !b:*")).toBe("'a' & 'b':*");
    expect(wordQuery('  ')).toBeNull();
  });

  it('finds nothing for signs without a word', () => {
    for (const typed of [' & | ! ', '🙂', '👩🏽‍🍳 🍕'])
      expect(wordQuery(typed), typed).toBe("'skillnothing'");
  });

  it('writes Arabic letters in one way', () => {
    expect(wordQuery('أحمد')).toBe(wordQuery('احمد'));
    expect(wordQuery('مقهى')).toBe(wordQuery('مقهي'));
  });

  it('finds singular and plural', () => {
    expect(wordQuery('ladies shoes')).toBe("('ladies' | 'lady') & ('shoes':* | 'shoe')");
    expect(['party', 'watch', 'salesman', 'boxes', 'glass', 'bus'].map(otherForms)).toEqual([
      ['parties'],
      ['watches'],
      ['salesmen'],
      ['box', 'boxe'],
      ['glasses'],
      ['buses'],
    ]);
  });

  it('finds other names of the same work, of several words too, and jobs that ask for its skill', () => {
    for (const typed of ['waitress', 'Waitresses', 'servers', 'waitr'])
      expect(wordQuery(typed), typed).toContain("'skillwaiter' | ('waiter' | 'waiters')");
    expect(wordQuery('kitchen porters centrum')).toMatch(
      /^\(.*'skillkitchenporter'.*'dishwasher'.*\) & 'centrum':\*$/,
    );
    expect(wordQuery('porters')).toBe("('porters':* | 'porter')");
  });

  it('adds what a misspelt word may mean, with its other names', () => {
    const query = wordQuery('watires', [{ typed: 'watires', meant: ['waiters'] }]);
    expect(query).toContain("'watires':*");
    expect(query).toContain("'skillwaiter'");
  });
});

describe('relevanceQueries', () => {
  it('looks in the title, for other names of the work there, then for its skill', () => {
    const { inTitle = '', named = '', skilled = '' } = relevanceQueries('waiters') ?? {};
    expect(inTitle).toBe("('waiters':*A | 'waiter':A)");
    expect(named).toContain("'waitress':A");
    expect(named).not.toContain("'skillwaiter'");
    expect(skilled).toContain("'skillwaiter'");
    expect(relevanceQueries('🙂')).toBeNull();
  });

  it('wants one of several words in the title, and takes the others from the business or its area', () => {
    expect(relevanceQueries('Zuid  bar')?.inTitle).toBe(
      "('Zuid':AB | 'zuids':AB) & 'bar':*AB & (('Zuid':A | 'zuids':A) | 'bar':*A)",
    );
  });

  it('counts what a misspelt word means like the word', () => {
    expect(relevanceQueries('watires', [{ typed: 'watires', meant: ['waiters'] }])?.inTitle).toContain(
      "'waiters':A",
    );
  });
});

describe('splitsOf', () => {
  const places = (typed: string, respellings: Parameters<typeof splitsOf>[1] = []) =>
    splitsOf(typed, respellings).map(({ what, where }) => `${what} / ${where}`);

  it('reads a place that comes last or first, the longest first', () => {
    expect(places('barista Haarlem')).toEqual(['barista / Haarlem']);
    expect(places('waiter The Hague')).toEqual(['waiter / The Hague', 'waiter The / Hague']);
    expect(places('Den Haag ober')).toEqual(['ober / Den Haag', 'Haag ober / Den']);
    expect(places('kitchen porters Saint-Denis')).toEqual(['kitchen porters / Saint-Denis']);
    expect(places('Haarlem')).toEqual([' / Haarlem']);
  });

  it('drops the words between, and commas', () => {
    expect(places('barista in Haarlem')).toEqual(['barista / Haarlem']);
    expect(places('Kellnerin, nahe Köln')).toEqual(['Kellnerin / Köln']);
    expect(places('in Haarlem barista')).toEqual(['barista / Haarlem']);
  });

  it('never takes work as a place, also not misspelt or half typed', () => {
    for (const typed of ['barista', 'baris', 'van driver', 'Drivers', '', '🙂'])
      expect(places(typed), typed).toEqual([]);
    expect(places('waitter Haarlem', [{ typed: 'waitter', meant: ['waiter'] }])).toEqual([
      'waitter / Haarlem',
    ]);
    expect(places('barista Bari')).toEqual(['barista / Bari']);
    expect(places('bezorger Haren')).toEqual(['bezorger / Haren']);
    expect(places('haren knippen Haren')).toEqual(['haren knippen / Haren']);
  });
});

describe('names of skills', () => {
  it('are folded, singular and known for every skill', () => {
    for (const skill of skillIds) expect(namesOfSkill[skill].length, skill).toBeGreaterThan(0);
    for (const names of Object.values(namesOfSkill))
      for (const name of names) expect(name).toMatch(/^[a-z]+( [a-z]+)*$/);
  });
});

describe('words for work in each language', () => {
  const finds = (typed: string, skill: SkillId) =>
    new RegExp(`'skill${skill.replaceAll('-', '')}'`).test(wordQuery(`${typed} x`) ?? '');

  it.for(['en', 'nl', 'de', 'fr', 'es', 'ar'] as const)(
    'have the name of every category and skill: %s',
    (language) => {
      const name = (id: string) => i18nFor(language)._(id);
      const missing = [
        ...skillIds.filter((skill) => !finds(name(skillText[skill].said), skill)),
        ...categoryIds.filter((category) =>
          taxonomy[category].some((skill) => !finds(name(categoryText[category].said), skill)),
        ),
      ];
      expect(missing).toEqual([]);
    },
  );

  const everyday: Record<Language, Partial<Record<SkillId, string>>> = {
    en: {
      'van-driver': 'courier, drivers, delivery',
      'order-picker': 'warehouse',
      waiter: 'hospitality, waitress',
      guard: 'security, security guards',
    },
    nl: {
      'bike-courier': 'bezorger, bezorgers, koerier, koeriers, maaltijdbezorger, bezorgster',
      'truck-driver': 'chauffeur, chauffeurs, vrachtwagenchauffeurs',
      forklift: 'heftruck, heftruckchauffeur',
      'order-picker': 'magazijnmedewerker, magazijnmedewerkers, magazijn',
      'stock-filler': 'vakkenvuller, vakkenvullers, vulploeg',
      nurse: 'verpleegkundige, verpleegkundigen, verpleegster, zorg',
      guard: 'beveiliger, beveiligers, beveiliging',
      waiter: 'bediening, horeca, obers, serveerster',
      'window-cleaning': 'glazenwasser, glazenwassers',
      gardener: 'tuinieren, tuin, hovenier',
      'kitchen-porter': 'afwas, afwashulp',
    },
    de: {
      'bike-courier': 'Kurier, Kuriere, Lieferfahrer',
      'truck-driver': 'Fahrer, Fahrerinnen, LKW-Fahrer',
      forklift: 'Staplerfahrer, Gabelstapler',
      'order-picker': 'Lagerhelfer, Lager, Lageristen',
      nurse: 'Krankenschwester, Krankenpfleger, Pflegekräfte, Pflege',
      waiter: 'Kellnerinnen, Bedienung, Gastronomie, Köche Kellner',
      guard: 'Wachmann, Sicherheit',
      'home-cleaning': 'Putzfrau, Putzhilfe, putzen, Reinigungskräfte',
    },
    fr: {
      'bike-courier': 'livreur, livreuses, coursier',
      'truck-driver': 'chauffeur, chauffeurs, routier',
      forklift: 'cariste, caristes',
      'order-picker': 'manutentionnaire, préparatrice de commandes, entrepôt',
      nurse: 'infirmière, infirmiers, soins',
      waiter: 'serveurs, serveuse, restauration',
      guard: 'agent de sécurité, vigile, sécurité',
      'home-cleaning': "femme de ménage, ménage, l'entretien",
    },
    es: {
      'bike-courier': 'repartidor, repartidores, mensajero',
      'truck-driver': 'conductora, camioneros, chófer',
      forklift: 'carretillero, carretilleros',
      'order-picker': 'mozo de almacén, almacén',
      nurse: 'enfermera, enfermeros',
      waiter: 'camareras, mesero, hostelería',
      guard: 'vigilante, guardias, seguridad',
      'home-cleaning': 'limpiadoras, limpieza',
    },
    ar: {
      'bike-courier': 'عامل توصيل, توصيل, التوصيل',
      'truck-driver': 'سائق, السائق, سواق',
      nurse: 'ممرضة, ممرض, الممرضات',
      waiter: 'نادل, جرسون, مطعم',
      guard: 'حارس, حارس أمن, حراسة',
      'home-cleaning': 'عاملة نظافة, تنظيف',
    },
  };
  it.for(Object.entries(everyday))('are understood as people type them: %s', ([, words]) => {
    const missing = Object.entries(words).flatMap(([skill, typed]) =>
      typed.split(', ').filter((word) => !finds(word, skill as SkillId)),
    );
    expect(missing).toEqual([]);
  });

  it('are looked for in other languages where no skill has them', () => {
    for (const typed of ['nacht', 'nachtdienst', 'night shift', 'Nachtschicht', 'noche', 'ليل'])
      expect(wordQuery(typed), typed).toMatch(/'night' .*'nacht'/);
    expect(relevanceQueries('nachtdienst')?.inTitle).toContain("'night':A");
  });
});

describe('respelling', () => {
  it('doubts no name of work, no short word and no number', () => {
    expect(possibleTypos('barista 2027 at cafe falcner porter')).toEqual(['cafe', 'falcner']);
    expect(possibleTypos('Bárista baristas')).toEqual([]);
    expect(folded('ŁÓDŹ Straße')).toBe('lodz strasse');
  });

  it('means the nearest known word, then the most used', () => {
    const jobWords = [
      { word: 'falconer', jobs: 3 },
      { word: 'falconry', jobs: 9 },
    ];
    expect(respell('falcner', jobWords)).toEqual({ typed: 'falcner', meant: ['falconer'] });
    expect(respell('barrista', [])).toEqual({ typed: 'barrista', meant: ['barista'] });
    expect(respell('xqzvvkw', jobWords)).toBeNull();
  });

  it('leaves a used word alone, unless its neighbour is used far more', () => {
    const both = (own: number) => [
      { word: 'falcner', jobs: own },
      { word: 'falconer', jobs: 200 },
    ];
    expect(respell('falcner', both(5))).toBeNull();
    expect(respell('falcner', both(4))?.meant).toEqual(['falconer']);
  });
});
