import type { Language } from '@nearhand/contract/languages';
import { foldText, namesOfSkill, otherForms } from '@nearhand/contract/people/skill-names.rules';
import { categoryIds, type SkillId, skillIds, taxonomy } from '@nearhand/contract/people/taxonomy';
import { describe, expect, it } from 'vitest';
import { i18nFor } from '../../platform/i18n.ts';
import { categoryText, skillText } from '../public-pages/taxonomy-words.ts';
import {
  findRespelling,
  isNearWord,
  possibleTypos,
  queriesOfParts,
  relevanceQueries,
  splitsOf,
  wordQuery,
} from './search-words.rules.ts';

describe('wordQuery', () => {
  it('requires every word and leaves the last one open', () => {
    expect(wordQuery('Zuid  bar')).toBe("(('Zuid' | 'zuids') | 'skillstreetzuid') & 'bar':*");
    expect(wordQuery("c' | !b:*")).toBe("'c' & 'b':*");
    expect(wordQuery('  ')).toBeNull();
  });

  it('reads "or" between two kinds of work as a choice', () => {
    for (const [first, or, second] of [
      ['dishwasher', 'or', 'cleaner'],
      ['afwasser', 'of', 'schoonmaker'],
      ['Kellner', 'oder', 'Koch'],
      ['serveur', 'ou', 'cuisinier'],
      ['camarero', 'o', 'cocinero'],
      ['نادل', 'أو', 'طباخ'],
    ] as const)
      expect(wordQuery(`${first} ${or} ${second}`), first).toBe(
        `(${wordQuery(first)}) | (${wordQuery(second)})`,
      );
    expect(wordQuery('head of kitchen staff')).toBe(wordQuery('head kitchen staff'));
  });

  it('matches nothing for punctuation without a word', () => {
    for (const typed of [' & | ! ', '🙂', '👩🏽‍🍳 🍕'])
      expect(wordQuery(typed), typed).toBe("'skillnothing'");
  });

  it('drops filler words, but not the start of a word', () => {
    expect(wordQuery('a barista for me')).toBe(wordQuery('barista'));
    expect(wordQuery('jobs')).toBeNull();
    expect(wordQuery('for')).toBe("'for':*");
  });

  it('normalizes Arabic letters', () => {
    expect(wordQuery('أحمد')).toBe(wordQuery('احمد'));
    expect(wordQuery('مقهى')).toBe(wordQuery('مقهي'));
  });

  it('matches singular and plural', () => {
    expect(wordQuery('ladies shoes')).toBe(
      "(('ladies' | 'lady') | 'skillstreetladies') & (('shoes':* | 'shoe') | 'skillstreetshoes')",
    );
    expect(['party', 'watch', 'salesman', 'boxes', 'glass', 'bus'].map(otherForms)).toEqual([
      ['parties'],
      ['watches'],
      ['salesmen'],
      ['box', 'boxe'],
      ['glasses'],
      ['buses'],
    ]);
  });

  it('matches synonyms, also of several words, and jobs that require its skill', () => {
    for (const typed of ['waitress', 'Waitresses', 'servers', 'waitr'])
      expect(wordQuery(typed), typed).toContain("'skillwaiter' | ('waiter' | 'waiters')");
    expect(wordQuery('kitchen porters centrum')).toMatch(
      /^\(.*'skillkitchenporter'.*'dishwasher'.*\) & \('centrum':\* \| 'skillstreetcentrum'\)$/,
    );
    expect(wordQuery('porters')).toBe("(('porters':* | 'porter') | 'skillstreetporters')");
  });

  it('adds corrections of a misspelt word, with their synonyms', () => {
    const query = wordQuery('watires', [{ typed: 'watires', meant: ['waiters'] }]);
    expect(query).toContain("'watires':*");
    expect(query).toContain("'skillwaiter'");
  });
});

describe('relevanceQueries', () => {
  it('searches the title, then synonyms there, then the skill', () => {
    const { inTitle = '', named = '', skilled = '' } = relevanceQueries('waiters') ?? {};
    expect(inTitle).toBe("('waiters':*A | 'waiter':A)");
    expect(named).toContain("'waitress':A");
    expect(named).not.toContain("'skillwaiter'");
    expect(skilled).toContain("'skillwaiter'");
    expect(relevanceQueries('🙂')).toBeNull();
  });

  it('requires one of several words in the title and takes the others from the business or its area', () => {
    expect(relevanceQueries('Zuid  bar')?.inTitle).toBe(
      "('Zuid':AB | 'zuids':AB) & 'bar':*AB & (('Zuid':A | 'zuids':A) | 'bar':*A)",
    );
  });

  it('scores a corrected word like the word itself', () => {
    expect(relevanceQueries('watires', [{ typed: 'watires', meant: ['waiters'] }])?.inTitle).toContain(
      "'waiters':A",
    );
  });
});

describe('splitsOf', () => {
  const places = (typed: string, respellings: Parameters<typeof splitsOf>[1] = []) =>
    splitsOf(typed, respellings).map(({ what, where }) => `${what} / ${where}`);

  it('accepts a place that comes last or first, the longest first', () => {
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

  it('never reads work as a place, even misspelt or half typed', () => {
    for (const typed of ['barista', 'baris', 'van driver', 'Drivers', '', '🙂'])
      expect(places(typed), typed).toEqual([]);
    expect(places('waitter Haarlem', [{ typed: 'waitter', meant: ['waiter'] }])).toEqual([
      'waitter / Haarlem',
    ]);
    expect(places('work The Hague')).toContain('work / The Hague');
    expect(places('barista Bari')).toEqual(['barista / Bari']);
    expect(places('bezorger Haren')).toEqual(['bezorger / Haren']);
    expect(places('haren knippen Haren')).toEqual(['haren knippen / Haren']);
  });
});

describe('names of skills', () => {
  it('are folded, singular and present for every skill', () => {
    for (const skill of skillIds) expect(namesOfSkill[skill].length, skill).toBeGreaterThan(0);
    for (const names of Object.values(namesOfSkill))
      for (const name of names) expect(name).toMatch(/^[a-z]+( [a-z]+)*$/);
  });
});

describe('words for work in each language', () => {
  const finds = (typed: string, skill: SkillId) =>
    new RegExp(`'skill${skill.replaceAll('-', '')}'`).test(wordQuery(`${typed} x`) ?? '');

  it.for(['en', 'nl', 'de', 'fr', 'es', 'ar'] as const)(
    'include the name of every category and skill: %s',
    (language) => {
      const name = (id: string) => i18nFor(language)._(id);
      const missing = [
        ...skillIds.filter((skill) => !finds(name(skillText[skill].message), skill)),
        ...categoryIds.filter((category) =>
          taxonomy[category].some((skill) => !finds(name(categoryText[category].message), skill)),
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
  it.for(Object.entries(everyday))('match what users type: %s', ([, words]) => {
    const missing = Object.entries(words).flatMap(([skill, typed]) =>
      typed.split(', ').filter((word) => !finds(word, skill as SkillId)),
    );
    expect(missing).toEqual([]);
  });

  it('match in other languages where no skill has them', () => {
    for (const typed of ['nacht', 'nachtdienst', 'night shift', 'Nachtschicht', 'noche', 'ليل'])
      expect(wordQuery(typed), typed).toMatch(/'night' .*'nacht'/);
    expect(relevanceQueries('nachtdienst')?.inTitle).toContain("'night':A");
  });
});

const any = 'any work';
/** Typed job searches with errors and fillers, and the work that they mean. */
const realQueries: Record<Language, Partial<Record<SkillId | typeof any, string>>> = {
  en: {
    movers: 'move a sofa, moving help, mover, carry boxes, help me move, moving a fridge',
    bartender: 'bartender, bartendr, bar work, bar shift tonight',
    waiter: 'waitres, waiter needed, wait staff, restaurant waitress',
    barista: 'barrista, barista job, baristas',
    'kitchen-porter': 'dish washing, washing dishes, dishwaser, wash dishes',
    'pet-care': 'dogwalker, dog walking, walk my dog, dogsitter',
    childcare: 'baby sitter, babysiting, nanny, looking after kids',
    'home-cleaning': 'house cleaner, cleaning lady, clean a house',
    'window-cleaning': 'clean windows, window cleaner',
    'order-picker': 'warehouse job, warehous, order piker',
    forklift: 'fork lift, forklift driver',
    'bike-courier': 'delivery rider, courier, food delivery',
    gardener: 'gardner, mow the lawn, lawn mowing, garden work, gardenwork',
    painter: 'paint a wall, painter',
    plumber: 'plummer',
    electrician: 'electrition',
    hairdresser: 'hair dresser',
    tutor: 'math tutor, maths',
    guard: 'security gaurd',
    'furniture-assembly': 'assemble ikea furniture',
    [any]: 'job, jobs near me, student job, part time, work',
  },
  nl: {
    movers: 'verhuishulp, bank verhuizen, verhuizen, verhuizr, sjouwen, hulp bij verhuizen',
    waiter: 'ober, obber, serveren, bediening, kelner gezocht',
    cook: 'kok, koken',
    'kitchen-porter': 'keukenhulp, afwasser, afwassen, afwasen',
    'bike-courier': 'koerier, bezorger, bezorgr, fietskoerier, maaltijd bezorger',
    'order-picker': 'magazijn, magazijnmedewerkr, orderpicker, werk in magazijn',
    forklift: 'heftruck, heftruk, heftruckchauffeur',
    'stock-filler': 'vakkenvuller, vakkenvullen, vakken vullen',
    'home-cleaning': 'schoonmaak, schoonmaker, poetsen, schoonmaken, schoonmaker gezocht',
    'window-cleaning': 'ramen lappen, glazenwasser',
    gardener: 'tuinman, tuinieren, gras maaien',
    painter: 'schilder, schilderen',
    handyperson: 'klusjesman, klussen',
    plumber: 'loodgieter',
    childcare: 'oppas, babysitten',
    'pet-care': 'hond uitlaten',
    tutor: 'bijles, wiskunde bijles',
    guard: 'beveiliger',
    [any]: 'bijbaan, werk in de buurt, parttime, vacatures',
  },
  de: {
    movers: 'Umzug, Umzugshelfer, Sofa tragen, Möbel schleppen, Hilfe beim Umzug',
    waiter: 'Kellner, Kelner, Kellnerin gesucht, Bedienung',
    cook: 'Koch, Köchin, kochen',
    'kitchen-porter': 'Küchenhilfe, Spüler, spülen, Kuchenhilfe',
    'bike-courier': 'Kurier, Fahrradkurier, Lieferfahrer, Farradkurier',
    'order-picker': 'Lager, Lagerhelfer, Kommissionierer, Arbeit im Lager',
    forklift: 'Staplerfahrer, Stapler fahrer',
    'stock-filler': 'Regale auffüllen',
    'home-cleaning': 'Putzhilfe, Putzen, Reinigungskraft, Putzhilfe gesucht',
    'window-cleaning': 'Fensterputzer',
    gardener: 'Gärtner, Gartner, Gartenarbeit, Rasen mähen',
    painter: 'Maler, malen, Wand streichen',
    handyperson: 'Handwerker',
    'furniture-assembly': 'Möbel aufbauen',
    plumber: 'Klempner',
    electrician: 'Elektriker, Elektricker',
    childcare: 'Babysitter, Babysiter',
    'pet-care': 'Hundesitter, Hunde sitter',
    tutor: 'Nachhilfe, Mathe Nachhilfe',
    guard: 'Sicherheitsdienst',
    [any]: 'Nebenjob, Minijob, Job in der Nähe, Arbeit, Teilzeit',
  },
  fr: {
    movers: 'déménagement, déménager un canapé, déménageur, demenagment',
    waiter: 'serveur, serveuse, serveurr, cherche serveur',
    cook: 'cuisinier, cuisine, cuisinié',
    'kitchen-porter': 'plongeur, plonge, vaisselle, la plonge',
    'bike-courier': 'livreur, livreur vélo, coursier, livreurs',
    'order-picker': 'entrepôt, préparateur de commandes, preparateur commandes',
    forklift: 'cariste',
    'stock-filler': 'mise en rayon',
    'home-cleaning': 'ménage, femme de ménage, nettoyage, faire le ménage',
    'window-cleaning': 'nettoyer vitres',
    gardener: 'jardinier, jardinage, jardinié, tondre pelouse, tondre la pelouse',
    painter: 'peintre, peinture, peindre un mur',
    handyperson: 'bricoleur, bricolage',
    plumber: 'plombier',
    electrician: 'électricien, electricien',
    childcare: 'baby-sitter, garde enfants',
    'pet-care': 'promener chien',
    tutor: 'cours de maths',
    guard: 'agent de sécurité',
    [any]: 'job étudiant, petit boulot, travail, emploi près de moi',
  },
  es: {
    movers: 'mudanza, mover un sofá, mudanzas, ayuda mudanza',
    waiter: 'camarero, camarera, camarro, busco camarero',
    cook: 'cocinero, cocina, cosinero',
    'kitchen-porter': 'lavaplatos, fregar platos, friegaplatos',
    'bike-courier': 'repartidor, repartidor bici, mensajero, repartidr',
    'order-picker': 'almacén, mozo de almacén, trabajo en almacén',
    forklift: 'carretillero',
    'stock-filler': 'reponedor, reponedora',
    'home-cleaning': 'limpieza, limpiar casas, limpiadora, limpiesa',
    'window-cleaning': 'limpiar ventanas',
    gardener: 'jardinero, jardineria, cortar césped, cortar el césped',
    painter: 'pintor, pintar, pintar una pared',
    handyperson: 'manitas',
    'furniture-assembly': 'montar muebles',
    plumber: 'fontanero',
    electrician: 'electricista',
    childcare: 'niñera, cuidar niños',
    'pet-care': 'pasear perros',
    tutor: 'clases de matemáticas',
    guard: 'vigilante',
    [any]: 'trabajo estudiante, empleo, trabajo cerca de mí, media jornada',
  },
  ar: {
    movers: 'نقل أثاث, نقل عفش, نقل كنبة, عمال نقل',
    waiter: 'نادل, جرسون, نادله, مطلوب نادل',
    cook: 'طباخ, مطبخ, طباخة',
    'kitchen-porter': 'غسيل الصحون, جلي, غسيل صحون',
    'bike-courier': 'توصيل, عامل توصيل, التوصيل',
    'truck-driver': 'سائق, سواق',
    'order-picker': 'مستودع, عامل مستودع, عمل في مستودع',
    forklift: 'رافعة شوكية',
    'home-cleaning': 'تنظيف, عاملة نظافة, تنظيف منازل',
    'window-cleaning': 'تنظيف نوافذ',
    gardener: 'بستاني, حديقة, جنايني',
    painter: 'دهان, دهان جدران, صباغ',
    carpenter: 'نجار',
    plumber: 'سباك',
    electrician: 'كهربائي',
    childcare: 'جليسة أطفال, رعاية أطفال',
    'pet-care': 'تمشية كلاب',
    tutor: 'دروس رياضيات, مدرس خصوصي',
    guard: 'حارس, حارس أمن',
    hairdresser: 'حلاق',
    [any]: 'عمل, وظيفة, عمل طلاب, وظائف قريب مني, دوام جزئي',
  },
};

describe('real queries', () => {
  // Words of job titles that are near the typed ones and mean something else.
  const jobWords = 'fish work mats gear wear match idea buro wood care cart parts maken lift'
    .split(' ')
    .map((word) => ({ word, jobs: 1 }));
  const respellings = (typed: string) =>
    possibleTypos(typed).flatMap((word) => findRespelling(word, jobWords) ?? []);

  it.for(Object.entries(realQueries))('find the intended work: %s', ([, queries]) => {
    const all = Object.entries(queries).flatMap(([skill, typed]) =>
      typed.split(', ').map((query) => ({ skill, query })),
    );
    expect(all.length).toBeGreaterThanOrEqual(40);
    const wrong = all.filter(({ skill, query }) => {
      const parts = queriesOfParts(query, respellings(query));
      return skill === any
        ? parts.length > 0
        : !parts.some((part) => part.query.includes(`'skill${skill.replaceAll('-', '')}'`));
    });
    expect(wrong).toEqual([]);
  });

  it('prefer the better reading', () => {
    const typed = 'dish, eats, ikea, near, fork, uber, euro, طلاب, tips';
    expect(typed.split(', ').flatMap((word) => findRespelling(word, jobWords) ?? [])).toEqual([]);
    const worse = {
      carry: 'care cart cargo',
      part: 'park apart',
      bank: 'banksman bands',
      boulot: 'bouw',
      petit: 'permit',
      sweeper: 'shopkeeper',
      washing: 'watching',
    };
    for (const [word, others] of Object.entries(worse))
      for (const other of others.split(' ')) expect(isNearWord(word, other), `${word} ${other}`).toBe(false);
    for (const [word, other] of [
      ['upholsterings', 'upholstery'],
      ['dogwalker', 'walker'],
      ['gardenwork', 'gardener'],
      ['babrista', 'barista'],
    ] as const)
      expect(isNearWord(word, other), `${word} ${other}`).toBe(true);
  });
});

describe('respelling', () => {
  it('keeps names of work, short words and numbers', () => {
    expect(possibleTypos('barista 2027 at cafe falcner porter')).toEqual(['cafe', 'falcner']);
    expect(possibleTypos('Bárista baristas')).toEqual([]);
    expect(foldText('ŁÓDŹ Straße')).toBe('lodz strasse');
  });

  it('picks the nearest known word, then the most used', () => {
    const jobWords = [
      { word: 'falconer', jobs: 3 },
      { word: 'falconry', jobs: 9 },
    ];
    expect(findRespelling('falcner', jobWords)).toEqual({ typed: 'falcner', meant: ['falconer'] });
    expect(findRespelling('barrista', [])).toEqual({ typed: 'barrista', meant: ['barista'] });
    expect(findRespelling('gardner', [])?.meant).toEqual(['gardener', 'gartner']);
    expect(findRespelling('gardner', [{ word: 'gardener', jobs: 2 }])?.meant).toEqual(['gardener']);
    expect(findRespelling('xqzvvkw', jobWords)).toBeNull();
  });

  it('keeps a used word unless its neighbour is used far more', () => {
    const both = (own: number) => [
      { word: 'falcner', jobs: own },
      { word: 'falconer', jobs: 200 },
    ];
    expect(findRespelling('falcner', both(5))).toBeNull();
    expect(findRespelling('falcner', both(4))?.meant).toEqual(['falconer']);
  });
});
