import type { WordsSplit } from '@nearhand/contract/hiring/nearby';
import {
  findSkills,
  foldText,
  namesOfSkill,
  otherForms,
  plainWords,
  skillsBegun,
  skillsOfName,
  unifyArabic,
  withoutArabicArticle,
} from '@nearhand/contract/people/skill-names.rules';
import { editsBetween, errorsForgiven, respelledMin } from '@nearhand/contract/people/spelling.rules';
import type { SkillId } from '@nearhand/contract/people/taxonomy';
import { fillerWords, sameWords } from '@nearhand/contract/people/work-words.rules';

export type Respelling = { typed: string; meant: readonly string[] };

export type KnownWord = { word: string; jobs: number };

export const respelledLength = { min: respelledMin, max: 30 };
const wordsMax = 12;
const longestName = 4;
const correctionsMax = 2;
/**
 * A word for more skills, such as a category's, finds jobs by skill only, because each name is one more to
 * read.
 */
const namedSkillsMax = 4;
/** A word this much rarer than its neighbour is probably misspelled itself. */
const rareShare = 50;
/** Words with this many of the word's letters in common at the start have the same stem: "gardenwork", "gardener". */
const stemShare = 0.7;
const stemMin = 4;

/** The two parts of a postcode as the SQL function `postcodes` separates them: "1012AB", "SW1A1AA". */
const joinedPostcode = /\b(?:(\d{4})(?=[a-z]{2}\b)|([a-z]{1,2}\d[a-z\d]?)(?=\d[a-z]{2}\b))/gi;

/** The words of a search as they were typed, each with its symbols: "€20". */
const typedTokens = (typed: string): string[] =>
  (
    typed
      .normalize('NFC')
      .replace(joinedPostcode, '$& ')
      .match(/\p{S}*[\p{L}\p{M}\p{N}]+\p{S}*/gu) ?? []
  ).slice(0, wordsMax);

const wordOfToken = (token: string): string => unifyArabic(token.replace(/\p{S}/gu, ''));

/** The words of a search, in the letters of the SQL function `searchable`. */
export const typedWords = (typed: string): string[] => typedTokens(typed).map(wordOfToken);

const sameAs = new Map<string, string[]>();
for (const words of sameWords) {
  const phrases = words.split(', ').map(plainWords);
  for (const word of phrases) sameAs.set(word, phrases);
}

const fillers = new Set(fillerWords.flatMap((words) => words.split(', ').map(plainWords)));
const isFiller = (words: readonly string[]): boolean =>
  fillers.has(words.map(withoutArabicArticle).join(' ')) && findSkills(words).length === 0;

/** Other words for work count only as a whole: Haren is a town, but "haren knippen" is work. */
const searchedNames: readonly string[] = Object.values(namesOfSkill).flat();
const wordsOfNames = new Set(
  searchedNames.flatMap((name) => name.split(' ')).filter((word) => word.length >= respelledLength.min),
);

const listedWords: KnownWord[] = [
  ...new Set([...skillsOfName.keys(), ...sameAs.keys()].flatMap((name) => name.split(' '))),
]
  .filter((word) => word.length >= respelledLength.min)
  .map((word) => ({ word, jobs: 0 }));
const wordsInList = new Set(listedWords.map(({ word }) => word));
/** Words for work that a search understands, whether a job uses them or not. */
export const wordsForWork: readonly string[] = [...wordsInList];

const isName = (words: readonly string[]): boolean =>
  findSkills(words).length > 0 || sameAs.has(words.map(withoutArabicArticle).join(' '));

/** The words that may be misspelt: long enough, and neither a known word nor a name. */
export function possibleTypos(typed: string): string[] {
  const words = typedWords(typed).map(foldText);
  return words.filter(
    (word, at) =>
      word.length >= respelledLength.min &&
      word.length <= respelledLength.max &&
      /^\p{L}+$/u.test(word) &&
      !wordsInList.has(word) &&
      !isName([word]) &&
      !isFiller([word]) &&
      !(at === words.length - 1 && listedWords.some((listedWord) => listedWord.word.startsWith(word))),
  );
}

/**
 * A typing error keeps the first letter or swaps it with the second. In a short word it only swaps letters:
 * "ikea" is not "idea".
 */
const mayBeTypo = (typed: string, word: string): boolean =>
  typed[0] === word[0]
    ? typed.length > respelledLength.min || typed.length !== word.length || sameLetters(typed, word)
    : typed.length === word.length && typed[0] === word[1] && typed[1] === word[0];
const sameLetters = (typed: string, word: string) => [...typed].sort().join('') === [...word].sort().join('');

/**
 * True if a word can be suggested for one without results: it has the same stem, ends the compound, or
 * differs by a typing error.
 */
export function isNearWord(typed: string, word: string): boolean {
  const stem = Math.max(stemMin, Math.ceil(word.length * stemShare));
  return (
    (typed.length > respelledLength.min && typed.slice(0, stem) === word.slice(0, stem)) ||
    (word.length > respelledLength.min && typed.endsWith(word)) ||
    (mayBeTypo(typed, word) && editsBetween(typed, word, errorsForgiven(typed)) <= errorsForgiven(typed))
  );
}

/** The nearest known words, most used first. A word that jobs use stays, unless it is rare next to a neighbour. */
export function findRespelling(typed: string, jobWords: readonly KnownWord[]): Respelling | null {
  const maxEdits = errorsForgiven(typed);
  const exactJobs = jobWords.find(({ word }) => word === typed)?.jobs ?? 0;
  const near = [...jobWords, ...listedWords]
    .filter(({ word, jobs }) => word !== typed && (exactJobs === 0 || jobs >= exactJobs * rareShare))
    .filter(({ word }) => mayBeTypo(typed, word))
    .map((candidate) => ({ ...candidate, edits: editsBetween(typed, candidate.word, maxEdits) }))
    .filter(({ edits }) => edits <= maxEdits);
  const fewest = Math.min(...near.map(({ edits }) => edits));
  const nearest = near
    .filter(({ edits }) => edits === fewest)
    .sort((a, b) => b.jobs - a.jobs || (a.word < b.word ? -1 : 1));
  // "Gartner" is another language's word, and "garder" only part of one: they count if nothing else is as near.
  const used = nearest.filter(({ jobs }) => jobs > 0);
  const names = nearest.filter(({ word }) => isName([word]));
  const meant = [used, names, nearest].find((words) => words.length > 0)?.map(({ word }) => word);
  return meant ? { typed, meant: [...new Set(meant)].slice(0, correctionsMax) } : null;
}

/** `fields` names the parts of a job that count: A is the title, B the business and its area. All if empty. */
const quoted = (word: string, { prefix = false, fields = '' } = {}) =>
  `'${word}'${prefix || fields ? ':' : ''}${prefix ? '*' : ''}${fields}`;
const anyOf = (terms: Iterable<string>) => {
  const all = [...new Set(terms)];
  return all.length === 1 ? (all[0] ?? '') : `(${all.join(' | ')})`;
};

const lexemeOfSkill = (skill: SkillId): string => quoted(`skill${skill.replaceAll('-', '')}`);
/** Words of an address match whole: the beginning of a street is often a town. */
const lexemesOfStreet = (word: string): string[] =>
  word.length >= respelledLength.min && /^\p{L}+$/u.test(word) ? [quoted(`skillstreet${word}`)] : [];
const termsOfNames = (skill: SkillId, fields: string): string[] =>
  namesOfSkill[skill].map((name) => {
    const words = name.split(' ');
    const last = words.pop() ?? '';
    return [
      ...words.map((word) => quoted(word, { fields })),
      anyOf([last, ...otherForms(last)].map((form) => quoted(form, { fields }))),
    ].join(' <-> ');
  });

const phrase = (name: string, fields: string): string =>
  name
    .split(' ')
    .map((word) => quoted(word, { fields }))
    .join(' <-> ');
const sameTerms = (fields: string) => (word: string) =>
  (sameAs.get(word) ?? []).map((name) => phrase(name, fields));

const shortWordsForWork = new Set(['job', 'عمل', 'شغل']);

function withoutFillers(tokens: readonly string[]): string[] {
  const plain = tokens.map((token) => foldText(wordOfToken(token)));
  const meaningful: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const length = nameLengthAt(plain, at);
    if (!isFiller(plain.slice(at, at + length))) meaningful.push(...tokens.slice(at, at + length));
    at += length;
  }
  const [only = ''] = plain;
  // A short filler alone may be the start of a word that is still being typed: "for", "forklift".
  const isBegun =
    tokens.length === 1 &&
    only.length < respelledLength.min &&
    !shortWordsForWork.has(only) &&
    listedWords.some(({ word }) => word.startsWith(only));
  return meaningful.length === 0 && isBegun ? [...tokens] : meaningful;
}

/** A typed word, or several that name one kind of work, as alternatives of a full-text query. */
type Part = { text: string; typed: string[]; names: string[]; skills: string[]; streets: string[] };

/**
 * Splits a typed text into parts. `written` limits them to those fields of a job; skills, which are written
 * nowhere, count everywhere.
 */
function searchParts(typed: string, respellings: readonly Respelling[], fields = ''): Part[] {
  const tokens = withoutFillers(typedTokens(typed));
  const words = tokens.map(wordOfToken);
  const plain = words.map(foldText);
  const parts: Part[] = [];
  const term = (word: string, prefix = false) => quoted(word, { prefix, fields });
  for (let at = 0; at < words.length; ) {
    const length = nameLengthAt(plain, at);
    const group = words.slice(at, at + length);
    const isAtEnd = at + length === words.length;
    const phrase = plain.slice(at, at + length);
    const literal = group.map((word, index) => {
      const isLast = isAtEnd && index === group.length - 1;
      const wordForms = otherForms(phrase[index] ?? '');
      const forms = isLast
        ? wordForms.filter((form) => !form.startsWith(phrase[index] ?? ''))
        : [word, ...wordForms];
      return anyOf([...(isLast ? [term(word, true)] : []), ...forms.map((form) => term(form))]);
    });
    const corrections =
      length === 1 ? (respellings.find((respelling) => respelling.typed === phrase[0])?.meant ?? []) : [];
    const namedSkills = findSkills(phrase);
    const skills = new Set([
      ...namedSkills,
      ...(isAtEnd && length === 1 && namedSkills.length === 0 ? skillsBegun(phrase[0] ?? '') : []),
      ...corrections.flatMap((word) => findSkills([word])),
    ]);
    parts.push({
      text: tokens.slice(at, at + length).join(' '),
      typed: [
        literal.length === 1 ? (literal[0] ?? '') : `(${literal.join(' & ')})`,
        ...[...corrections, phrase.map(withoutArabicArticle).join(' ')].flatMap(sameTerms(fields)),
        ...corrections.flatMap((word) => [word, ...otherForms(word)]).map((word) => term(word)),
      ],
      names: skills.size > namedSkillsMax ? [] : [...skills].flatMap((skill) => termsOfNames(skill, fields)),
      skills: [...skills].map(lexemeOfSkill),
      streets: namedSkills.length === 0 && fields === '' ? phrase.flatMap(lexemesOfStreet) : [],
    });
    at += length;
  }
  return parts;
}

const everyPart = (parts: readonly Part[], termsOf: (part: Part) => string[]) =>
  parts.map((part) => anyOf(termsOf(part))).join(' & ');
const titleTerms = ({ typed, names }: Part) => [...typed, ...names];
const allTerms = ({ typed, names, skills, streets }: Part) => [...typed, ...skills, ...names, ...streets];

/** "Or" is a word for other things in other languages, so it counts between two kinds of work only. */
const orWord = /\s+(?:or|of|oder|ou|o|أو)\s+/iu;
const namesWork = (parts: readonly Part[]): boolean => parts.some(({ skills }) => skills.length > 0);

/**
 * Every word but fillers must match, the last one as a prefix, including plurals, synonyms and respellings.
 * Null for an empty text.
 */
export function wordQuery(typed: string, respellings: readonly Respelling[] = []): string | null {
  const choices = typed.split(orWord).map((choice) => searchParts(choice, respellings));
  if (choices.length > 1 && choices.every(namesWork))
    return choices.map((choice) => `(${everyPart(choice, allTerms)})`).join(' | ');
  const parts = searchParts(typed, respellings);
  // Signs without a word, such as an emoji, find nothing; fillers alone, such as "jobs", filter nothing.
  if (parts.length === 0)
    return typed.trim() === '' || typedWords(typed).length > 0 ? null : quoted('skillnothing');
  return everyPart(parts, allTerms);
}

/** The parts of a typed text that must each match, as typed and as a separate query. */
export const queriesOfParts = (
  typed: string,
  respellings: readonly Respelling[],
): { text: string; query: string; isWork: boolean }[] =>
  searchParts(typed, respellings).map((part) => ({
    text: part.text,
    query: anyOf(allTerms(part)),
    isWork: part.skills.length > 0,
  }));

/**
 * Queries that rank matches: `inTitle` finds the words in the title, `named` another name of the same work in it,
 * and `skilled` a skill for that work.
 */
export type Relevance = { inTitle: string; named: string; skilled: string };

/** Requires one of several words in the title; the others may also be in the name of the business or its area. */
export function relevanceQueries(typed: string, respellings: readonly Respelling[] = []): Relevance | null {
  const inTitle = searchParts(typed, respellings, 'A');
  if (inTitle.length === 0) return null;
  const nearTitle = searchParts(typed, respellings, 'AB');
  const query = (termsOf: (part: Part) => string[]) =>
    inTitle.length === 1
      ? everyPart(inTitle, termsOf)
      : `${everyPart(nearTitle, termsOf)} & ${anyOf(inTitle.flatMap(termsOf))}`;
  return { inTitle: query(({ typed: terms }) => terms), named: query(titleTerms), skilled: query(allTerms) };
}

/** Words between work and a place, in the languages of the app: "barista in Haarlem". */
const prepositions = new Set(
  'in at near around te bij nabij rond bei um nahe a au aux en pres de cerca في قرب'.split(' '),
);
const longestPlace = 4;

/**
 * Ways to read typed words as work and a place that comes last or first, longest place first. A word that
 * names work, even misspelt, is never read as a place. Only the list of places knows which places exist.
 */
export function splitsOf(typed: string, respellings: readonly Respelling[] = []): WordsSplit[] {
  const tokens = typed.split(/[\s,;]+/u).filter((token) => typedWords(token).length > 0);
  const words = tokens.map((token) => typedWords(token).map(foldText).join(' '));
  const isWork = words.map((word) => [word, ...otherForms(word)].some((form) => wordsOfNames.has(form)));
  for (const { typed: word, meant } of respellings)
    if (meant.some((correction) => findSkills([correction]).length > 0)) isWork[words.indexOf(word)] = true;
  for (let at = 0; at < words.length; at += 1) {
    const length = nameLengthAt(words, at);
    if (isName(words.slice(at, at + length))) isWork.fill(true, at, at + length);
  }
  // A single word that is still being typed.
  const last = words.at(-1) ?? '';
  if (!isWork.includes(true) && last.length >= respelledLength.min)
    isWork[words.length - 1] = searchedNames.some((name) => name.startsWith(last));

  const splits: WordsSplit[] = [];
  const add = (from: number, to: number) => {
    let first = from;
    let left = from;
    let next = to;
    while (first < to - 1 && prepositions.has(words[first] ?? '')) first += 1;
    while (left > 0 && prepositions.has(words[left - 1] ?? '')) left -= 1;
    while (next < tokens.length && prepositions.has(words[next] ?? '')) next += 1;
    const placeWords = tokens.slice(first, to).join(' ');
    const workWords = [...tokens.slice(0, left), ...tokens.slice(next)].join(' ');
    const isKnown = splits.some((split) => split.where === placeWords && split.what === workWords);
    if (!isKnown && !isWork.slice(first, to).includes(true) && !prepositions.has(words[to - 1] ?? ''))
      splits.push({ what: workWords, where: placeWords });
  };
  const longest = Math.min(longestPlace, tokens.length);
  for (let length = longest; length > 0; length -= 1) add(tokens.length - length, tokens.length);
  for (let length = longest; length > 0; length -= 1) add(0, length);
  return splits;
}

function nameLengthAt(words: readonly string[], at: number): number {
  for (let length = Math.min(longestName, words.length - at); length > 1; length -= 1)
    if (isName(words.slice(at, at + length)) || isFiller(words.slice(at, at + length))) return length;
  return 1;
}
