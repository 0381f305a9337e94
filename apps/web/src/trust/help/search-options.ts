const empty = new Set(
  'a an and are as at be but by can do does for from has have how i if in is it its me my not of on or so that the their them then there they this to was we what when where which who will with you your'.split(
    ' ',
  ),
);

/** Options of the article index; the build and the app must agree on them. */
export const searchOptions = {
  idField: 'slug',
  fields: ['title', 'keywords', 'text'],
  processTerm: (term: string): string | null => {
    const word = term.toLowerCase().replace(/['’]/g, '');
    return word === '' || empty.has(word) ? null : word;
  },
};

const typoLength = 4;

export const queryOptions = {
  boost: { title: 5, keywords: 3 },
  prefix: true,
  fuzzy: (term: string) => (term.length >= typoLength ? 0.25 : false),
};
