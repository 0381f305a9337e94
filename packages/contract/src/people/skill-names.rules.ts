import { editsBetween, errorsForgiven, respelledMin } from './spelling.rules.ts';
import { type CategoryId, type SkillId, taxonomy } from './taxonomy.ts';
import { workWords } from './work-words.rules.ts';

/**
 * Names of each skill's work that are searched for in the texts of jobs, singular and without accents (ADR
 * 6); for the common trades, Dutch, German, French and Spanish names too. Words of many trades are left out.
 * Other words that people type are in `work-words.rules.ts`.
 */
export const namesOfSkill: Record<SkillId, readonly string[]> = {
  barista: ['barista', 'coffee maker'],
  bartender: [
    'bartender',
    'barkeeper',
    'barman',
    'barmaid',
    'bar staff',
    'mixologist',
    'barkeeperin',
    'barmedewerker',
  ],
  waiter: [
    'waiter',
    'waitress',
    'server',
    'waiting staff',
    'wait staff',
    'table service',
    'food runner',
    'kelner',
    'serveerster',
    'ober',
    'kellner',
    'kellnerin',
    'serveur',
    'serveuse',
    'camarero',
    'camarera',
  ],
  host: ['host', 'hostess', 'front of house'],
  cook: [
    'cook',
    'chef',
    'line cook',
    'sous chef',
    'commis chef',
    'kok',
    'koch',
    'kochin',
    'cuisinier',
    'cuisiniere',
    'cocinero',
    'cocinera',
  ],
  'kitchen-porter': [
    'kitchen porter',
    'dishwasher',
    'kitchen hand',
    'kitchen assistant',
    'pot washer',
    'afwasser',
    'spulkraft',
    'plongeur',
    'lavaplatos',
  ],
  catering: ['catering', 'caterer', 'catering assistant'],
  housekeeping: [
    'housekeeping',
    'housekeeper',
    'chambermaid',
    'room attendant',
    'kamermeisje',
    'zimmermadchen',
    'femme de chambre',
    'camarera de pisos',
  ],
  'front-desk': ['front desk', 'hotel receptionist', 'concierge', 'night porter'],
  cashier: [
    'cashier',
    'checkout assistant',
    'till operator',
    'caissiere',
    'kassamedewerker',
    'kassierer',
    'kassiererin',
    'caissier',
    'cajero',
    'cajera',
  ],
  'shop-assistant': [
    'shop assistant',
    'sales assistant',
    'salesperson',
    'retail assistant',
    'shopkeeper',
    'winkelmedewerker',
    'verkoper',
    'verkaufer',
    'verkauferin',
    'vendeur',
    'vendeuse',
    'dependiente',
  ],
  'stock-filler': ['shelf stacker', 'stock filler', 'shelf filler', 'stocker', 'replenishment'],
  'visual-merchandising': ['visual merchandising', 'merchandiser', 'window dresser'],
  'market-stall': ['market stall', 'market trader', 'stallholder'],
  'order-picker': [
    'order picker',
    'picker',
    'warehouse operative',
    'order picking',
    'orderpicker',
    'kommissionierer',
    'preparateur de commandes',
    'mozo de almacen',
  ],
  packer: ['packer', 'packing', 'packaging'],
  forklift: ['forklift', 'forklift driver', 'reach truck'],
  loading: ['loading', 'unloading', 'loader', 'unloader'],
  inventory: ['inventory', 'stocktaking', 'stocktaker'],
  'bike-courier': [
    'bike courier',
    'cycle courier',
    'bicycle courier',
    'delivery rider',
    'food delivery',
    'fietskoerier',
    'fahrradkurier',
    'livreur',
    'repartidor',
  ],
  'van-driver': ['van driver', 'delivery driver', 'parcel delivery'],
  'truck-driver': ['truck driver', 'lorry driver', 'hgv driver', 'trucker'],
  movers: [
    'mover',
    'removal',
    'moving help',
    'furniture mover',
    'house move',
    'verhuizer',
    'umzugshelfer',
    'demenageur',
    'mudanza',
  ],
  'event-crew': ['event crew', 'event staff', 'festival crew', 'festival staff'],
  stagehand: ['stagehand', 'stage crew', 'roadie', 'rigger'],
  steward: ['steward', 'stewardess', 'usher', 'crowd marshal'],
  ticketing: ['ticketing', 'box office', 'ticket seller', 'ticket checker'],
  promotion: ['promotion', 'promoter', 'flyering', 'brand ambassador', 'sampling'],
  'home-cleaning': [
    'home cleaning',
    'house cleaning',
    'cleaner',
    'domestic cleaner',
    'maid',
    'schoonmaker',
    'schoonmaakster',
    'putzkraft',
    'reinigungskraft',
    'femme de menage',
    'limpiador',
    'limpiadora',
  ],
  'office-cleaning': ['office cleaning', 'cleaner', 'janitor', 'office cleaner'],
  'window-cleaning': ['window cleaning', 'window cleaner', 'window washer'],
  laundry: ['laundry', 'ironing', 'dry cleaning'],
  carpenter: [
    'carpenter',
    'joiner',
    'woodworker',
    'carpentry',
    'timmerman',
    'tischler',
    'menuisier',
    'carpintero',
  ],
  electrician: ['electrician', 'electrical work', 'elektricien', 'elektriker', 'electricien', 'electricista'],
  plumber: ['plumber', 'plumbing', 'pipe fitter', 'loodgieter', 'klempner', 'plombier', 'fontanero'],
  painter: ['painter', 'decorator', 'painting and decorating', 'schilder', 'maler', 'peintre', 'pintor'],
  'furniture-assembly': ['furniture assembly', 'flat pack', 'flatpack'],
  handyperson: ['handyman', 'handywoman', 'handyperson', 'odd job', 'repair'],
  welder: ['welder', 'welding'],
  labourer: ['labourer', 'laborer', 'construction worker', 'builder', 'site worker'],
  scaffolder: ['scaffolder', 'scaffolding'],
  bricklayer: ['bricklayer', 'mason', 'bricklaying'],
  engineering: ['engineering', 'engineer'],
  'site-safety': ['site safety', 'safety officer', 'traffic marshal', 'banksman'],
  gardener: [
    'gardener',
    'gardening',
    'lawn mowing',
    'tuinman',
    'hovenier',
    'gartner',
    'jardinier',
    'jardinero',
  ],
  landscaping: ['landscaping', 'landscaper'],
  'tree-work': ['tree work', 'tree surgeon', 'arborist'],
  'elder-care': ['elder care', 'elderly care', 'senior care', 'companion'],
  childcare: [
    'childcare',
    'babysitter',
    'nanny',
    'babysitting',
    'child minder',
    'childminder',
    'au pair',
    'oppas',
    'kinderbetreuung',
    'nounou',
    'ninera',
  ],
  nurse: ['nurse', 'nursing', 'registered nurse'],
  'care-assistant': ['care assistant', 'carer', 'caregiver', 'support worker', 'home help'],
  'social-work': ['social work', 'social worker', 'youth worker'],
  'pet-care': ['pet care', 'dog walker', 'dog walking', 'pet sitter', 'dog sitter', 'cat sitter'],
  tutor: [
    'tutor',
    'tutoring',
    'homework help',
    'private lesson',
    'bijles',
    'nachhilfe',
    'soutien scolaire',
    'clases particulares',
  ],
  'teaching-assistant': ['teaching assistant', 'classroom assistant', 'teacher aide'],
  'language-lessons': ['language lesson', 'language teacher', 'language tutor'],
  'sports-coach': ['sports coach', 'sport coach', 'swimming teacher', 'football coach'],
  training: ['training', 'trainer', 'coach', 'coaching'],
  administration: ['administration', 'administrator', 'admin', 'secretary', 'office assistant', 'clerk'],
  reception: ['reception', 'receptionist', 'front office'],
  'data-entry': ['data entry', 'typist', 'data input'],
  accounting: ['accounting', 'accountant', 'bookkeeper', 'bookkeeping'],
  'customer-service': ['customer service', 'customer support', 'call centre', 'call center', 'helpdesk'],
  'human-resources': ['human resource', 'hr', 'recruiter', 'recruitment'],
  legal: ['legal', 'lawyer', 'paralegal', 'solicitor'],
  'policy-research': ['policy research', 'policy analyst', 'researcher'],
  'it-support': ['it support', 'computer help', 'technical support', 'tech support'],
  software: ['software', 'programmer', 'developer', 'coder', 'software engineer'],
  'data-analysis': ['data analysis', 'data analyst', 'data scientist'],
  'web-design': ['web design', 'web designer', 'web developer', 'website'],
  photographer: ['photographer', 'photography', 'photo shoot'],
  'graphic-design': ['graphic design', 'graphic designer', 'illustrator'],
  video: ['video', 'videographer', 'video editor', 'filmmaker', 'camera operator'],
  copywriting: ['copywriting', 'copywriter', 'content writer'],
  music: ['music', 'musician', 'dj', 'singer'],
  hairdresser: ['hairdresser', 'hairstylist', 'barber', 'hair stylist'],
  makeup: ['makeup', 'make up', 'make up artist', 'makeup artist', 'beautician'],
  massage: ['massage', 'masseur', 'masseuse', 'massage therapist'],
  'fitness-trainer': ['fitness trainer', 'personal trainer', 'yoga teacher', 'gym instructor'],
  guard: ['guard', 'security guard', 'security officer', 'watchman'],
  'door-supervisor': ['door supervisor', 'bouncer', 'doorman', 'door staff'],
  investigation: ['investigation', 'investigator', 'detective'],
  inspection: ['inspection', 'inspector', 'mystery shopper'],
};

/** Letters without a decomposition, as PostgreSQL's `unaccent` writes them. */
const single: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ß: 'ss', æ: 'ae', œ: 'oe', ı: 'i' };

/** Lower case without accents: "Bäcker" and "backer" match. */
export const foldText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[øłđßæœı]/g, (letter) => single[letter] ?? letter);

const arabic: Record<string, string> = { أ: 'ا', إ: 'ا', آ: 'ا', ٱ: 'ا', ى: 'ي', ة: 'ه' };

/** One form of each Arabic letter, as the SQL function `searchable` writes them. */
export const unifyArabic = (text: string): string =>
  text.replace(/[أإآٱىة]/g, (letter) => arabic[letter] ?? letter);

/** The plural of an English word, or its singulars. */
export function otherForms(word: string): string[] {
  if (!/^[a-z]{3,}$/.test(word)) return [];
  const swap = (ending: string, replacement: string) =>
    word.slice(0, -ending.length || undefined) + replacement;
  if (word.endsWith('ies') && word.length > 4) return [swap('ies', 'y')];
  if (word.endsWith('men')) return [swap('men', 'man')];
  if (/(s|x|z|ch|sh)es$/.test(word)) return [swap('es', ''), swap('s', '')];
  if (word.endsWith('man')) return [swap('man', 'men')];
  if (/[^aeiou]y$/.test(word)) return [swap('y', 'ies')];
  if (/(ss|us|is|x|z|ch|sh)$/.test(word)) return [`${word}es`];
  return word.endsWith('s') ? [swap('s', '')] : [`${word}s`];
}

/** Removes the Arabic article from a word. */
export const withoutArabicArticle = (word: string): string => word.replace(/^ال(?=.{2})/u, '');
/** A name as its plain words. */
export const plainWords = (name: string): string =>
  (unifyArabic(name.normalize('NFC')).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [])
    .map((word) => withoutArabicArticle(foldText(word)))
    .join(' ');

export const skillsOfName = new Map<string, SkillId[]>();
function addSkillName(name: string, skills: readonly SkillId[]): void {
  // One-word spellings match too: "dog walker" is typed "dogwalker".
  for (const form of new Set([name, name.replace(/^(\S+) (\S+)$/, '$1$2')])) {
    const earlier = skillsOfName.get(form) ?? [];
    skillsOfName.set(form, [...new Set([...earlier, ...skills])]);
  }
}
for (const [skill, names] of Object.entries(namesOfSkill) as [SkillId, readonly string[]][])
  for (const name of names) addSkillName(name, [skill]);
for (const words of Object.values(workWords))
  for (const [work, names] of Object.entries(words))
    for (const name of names.split(', '))
      addSkillName(plainWords(name), work in taxonomy ? taxonomy[work as CategoryId] : [work as SkillId]);

/** Endings of plural and feminine forms in Dutch, German, French and Spanish. */
const endings = ['innen', 'nen', 'in', 'en', 'es', 'ne', 'n', 'e', 's', 'x'];
const lettersBeforeMin = 4;

function namesMeant(words: readonly string[]): string[] {
  const last = withoutArabicArticle(words.at(-1) ?? '');
  const shortened = endings
    .filter((ending) => last.endsWith(ending) && last.length >= lettersBeforeMin + ending.length)
    .map((ending) => last.slice(0, -ending.length));
  const before = words.slice(0, -1).map(withoutArabicArticle);
  return [last, ...otherForms(last), ...shortened].map((form) => [...before, form].join(' '));
}

/** The skills that folded words name as a whole, in any language, singular or plural. */
export function findSkills(words: readonly string[]): readonly SkillId[] {
  for (const name of namesMeant(words)) {
    const skills = skillsOfName.get(name);
    if (skills) return skills;
  }
  return words.length === 2 ? findSkills([words.join('')]) : [];
}

/** The skills of names that begin with a folded word. */
export const skillsBegun = (word: string): SkillId[] =>
  word.length < respelledMin
    ? []
    : [...skillsOfName].flatMap(([name, skills]) =>
        name.startsWith(withoutArabicArticle(word)) ? skills : [],
      );

/**
 * The skills that a text means as the job search reads it: a name, its beginning, or the nearest name with
 * typing errors.
 */
export function skillsMeant(typed: string): readonly SkillId[] {
  const text = plainWords(typed);
  const skills = findSkills(text.split(' '));
  if (skills.length > 0) return skills;
  const begun = skillsBegun(text);
  if (begun.length > 0) return begun;
  const maxEdits = errorsForgiven(text);
  const edits = [...skillsOfName].map(([name, skills]) => ({
    skills,
    count: editsBetween(text, name, maxEdits),
  }));
  const fewest = Math.min(maxEdits, ...edits.map(({ count }) => count));
  return maxEdits === 0 ? [] : edits.flatMap(({ skills, count }) => (count === fewest ? skills : []));
}
