import MiniSearch from 'minisearch';
import type { ArticleHead, ArticleWords } from './article.ts';

/** Words without meaning for a search, in the languages of the help. */
const stopWords = new Set(
  `a an and are as at be but by can do does for from has have how i if im in is it its me my not of on or so that the
  their them then there they this to was we what when where which who will with you your must should did
  de het een en van in op te is dat die ik je mijn niet voor met zijn er aan om ook als dan maar wat hoe waar wie kan moet
  der die das und oder ein eine einen ich du mein meine nicht fur mit ist sind zu im am auf den dem des wie was wo wer kann
  le la les un une des du et ou je tu mon ma mes ne pas pour avec est sont au aux dans sur que qui comment ou quand dois faut
  el la los las un una y o yo mi mis para con es son al del en que como donde cuando quien tengo debo
  في من على الى عن هل ما لا انا لي هو هي مع كيف متى اين`.split(/\s+/),
);

/** Lower case without accents, apostrophes, Arabic vowel signs and the Arabic article. */
const plainWord = (term: string): string =>
  term
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}|['’ـ]/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ة', 'ه')
    .replaceAll('ى', 'ي')
    .replace(/^(?:ال|وال|بال|لل)(?=.{3})/, '');

/** Options of the article index; the build and the app must agree on them. */
export const searchOptions = {
  idField: 'slug',
  fields: ['title', 'keywords', 'text'],
  processTerm: (term: string): string | null => {
    const word = plainWord(term);
    return word === '' || stopWords.has(word) ? null : word;
  },
};

/** The lengths from which a word may have one typo and two; Arabic words are short, and many differ by one letter. */
const typoLengths = (term: string) =>
  /\p{Script=Arabic}/u.test(term) ? { one: 5, two: 8 } : { one: 4, two: 6 };
/** A shorter word that is in the index isn't the beginning of another one: “fee” is not “feedback”. */
const prefixLength = 4;
/** Results below this share of the best score are noise. */
const scoreShareMin = 0.3;
/** The share of a question's words, rare ones counting more, that an article must contain to answer it. */
const wordShareMin = 0.5;

/** The words of a question that have a meaning, each once. */
const termsIn = (words: string): string[] => [
  ...new Set(words.split(/[\n\r\p{Z}\p{P}]+/u).flatMap((term) => searchOptions.processTerm(term) ?? [])),
];

type HeadOf = (slug: string) => (Pick<ArticleHead, 'title' | 'popular'> & { isForSide: boolean }) | undefined;

/** Slugs of the articles for some words, which may have typos if `typos`: the reader's side first, then by score. */
export function findArticles(
  index: MiniSearch,
  words: string,
  headOf: HeadOf,
  { typos = true } = {},
): string[] {
  const isPrefix = (term: string): boolean =>
    term.length > 1 && (term.length >= prefixLength || index.search(term).length === 0);
  const articlesWith = (term: string, fuzzy: number): number =>
    index.search(term, { prefix: isPrefix(term), fuzzy }).length;
  /** A word with two letters swapped, such as “chekc”, is two typos for the index, which is too many for a short word. */
  const withoutSwap = (term: string): string => {
    if (!typos || term.length < typoLengths(term).one || articlesWith(term, 0) > 0) return term;
    const swapped = Array.from(
      { length: term.length - 1 },
      (_, at) => term.slice(0, at) + term.charAt(at + 1) + term.charAt(at) + term.slice(at + 2),
    );
    return swapped.find((word) => articlesWith(word, 0) > 0) ?? term;
  };
  /** The number of typos that it takes to find a word; 0 for a word that is in the index, or begins one there. */
  const typosOf = (term: string): number => {
    const lengths = typoLengths(term);
    if (!typos || term.length < lengths.one || articlesWith(term, 0) > 0) return 0;
    return term.length < lengths.two || articlesWith(term, 1) > 0 ? 1 : 2;
  };
  const rarity = new Map(
    termsIn(words).map((written) => {
      const term = withoutSwap(written);
      const share = articlesWith(term, typosOf(term)) / index.documentCount;
      return [term, Math.log(1 + 1 / (share + 1 / index.documentCount))] as const;
    }),
  );
  const rarityOf = (terms: Iterable<string>): number =>
    [...terms].reduce((sum, term) => sum + (rarity.get(term) ?? 0), 0);
  const phrase = plainWord(words.trim());
  const results = index
    .search(words, {
      boost: { title: 3, keywords: 4, text: 0.6 },
      boostDocument: (slug) => {
        const head = headOf(String(slug));
        const isTitle = phrase.includes(' ') && head && plainWord(head.title).startsWith(phrase);
        return (head?.popular ? 1.5 : 1) * (isTitle ? 2 : 1);
      },
      bm25: { k: 1.2, b: 0.4, d: 0.5 },
      processTerm: (written) => {
        const term = searchOptions.processTerm(written);
        return term === null ? null : withoutSwap(term);
      },
      prefix: isPrefix,
      fuzzy: typosOf,
      weights: { fuzzy: 0.25, prefix: 0.5 },
    })
    .filter(({ queryTerms }) => rarityOf(new Set(queryTerms)) >= wordShareMin * rarityOf(rarity.keys()));
  const isForSide = (slug: string) => headOf(slug)?.isForSide ?? false;
  const forSide = results.filter(({ id }) => isForSide(id));
  const forOtherSide = results.filter(({ id }) => !isForSide(id));
  const scoreMin = ((forSide[0] ?? results[0])?.score ?? 0) * scoreShareMin;
  return [...forSide, ...forOtherSide].flatMap(({ id, score }) => (score >= scoreMin ? [String(id)] : []));
}

/** An index of titles and keywords in all languages. */
export function indexOfWords(words: readonly ArticleWords[]): MiniSearch {
  const index = new MiniSearch<ArticleWords>(searchOptions);
  index.addAll(words);
  return index;
}

/** Like `findArticles`, for words of any language and without typos: with six languages, some word is always close. */
export function findInOtherLanguages(index: MiniSearch, words: string, headOf: HeadOf): string[] {
  const slugIn = (id: string) => id.slice(id.indexOf('/') + 1);
  return [...new Set(findArticles(index, words, (id) => headOf(slugIn(id)), { typos: false }).map(slugIn))];
}
