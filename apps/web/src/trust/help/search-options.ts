import type MiniSearch from 'minisearch';

/** Words without meaning for a search, in the languages of the help. */
const stopWords = new Set(
  `a an and are as at be but by can do does for from has have how i if im in is it its me my not of on or so that the
  their them then there they this to was we what when where which who will with you your
  de het een en van in op te is dat die ik je mijn niet voor met zijn er aan om ook als dan maar wat hoe waar wie kan
  der die das und oder ein eine einen ich du mein meine nicht fur mit ist sind zu im am auf den dem des wie was wo wer kann
  le la les un une des du et ou je tu mon ma mes ne pas pour avec est sont au aux dans sur que qui comment ou quand
  el la los las un una y o yo mi mis para con es son al del en que como donde cuando quien
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

const typoLength = 4;
/** Results below this share of the best score are noise. */
const scoreShareMin = 0.3;

/**
 * The number of typos that it takes to find a word; 0 for a word that is in the index, or begins one there.
 */
function typosOf(index: MiniSearch, term: string): number {
  const isIn = (fuzzy: number) => index.search(term, { prefix: term.length > 1, fuzzy }).length > 0;
  if (term.length < typoLength || isIn(0)) return 0;
  return isIn(1) ? 1 : 2;
}

/** Slugs of the articles for some words, which may have typos: the reader's side first, then by score. */
export function findArticles(
  index: MiniSearch,
  words: string,
  headOf: (slug: string) => { title: string; isForSide: boolean; popular: boolean } | undefined,
): string[] {
  const phrase = plainWord(words.trim());
  const results = index.search(words, {
    boost: { title: 3, keywords: 4, text: 0.6 },
    boostDocument: (slug) => {
      const head = headOf(String(slug));
      const isTitle = phrase.includes(' ') && head && plainWord(head.title).startsWith(phrase);
      return (head?.popular ? 1.5 : 1) * (isTitle ? 2 : 1);
    },
    bm25: { k: 1.2, b: 0.4, d: 0.5 },
    prefix: (term) => term.length > 1,
    fuzzy: (term) => typosOf(index, term),
    weights: { fuzzy: 0.25, prefix: 0.5 },
  });
  const isForSide = (slug: string) => headOf(slug)?.isForSide ?? false;
  const ours = results.filter(({ id }) => isForSide(id));
  const others = results.filter(({ id }) => !isForSide(id));
  const scoreMin = ((ours[0] ?? results[0])?.score ?? 0) * scoreShareMin;
  return [...ours, ...others].flatMap(({ id, score }) => (score >= scoreMin ? [String(id)] : []));
}
