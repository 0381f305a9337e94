/** Words and word starts (with *) that staff looks at, by language; small on purpose: a flag is a hint, not a verdict. */
const lists: Record<string, readonly string[]> = {
  en: [
    ...[
      'arsehole*',
      'asshole*',
      'bastard*',
      'bitch*',
      'bullshit',
      'cunt*',
      'dickhead*',
      'dumbass*',
      'faggot*',
    ],
    ...[
      'fuck*',
      'motherfuck*',
      'nigger*',
      'nigga*',
      'paki',
      'pakis',
      'piss off',
      'prick',
      'pricks',
      'retard',
    ],
    ...['retards', 'retarded', 'shit', 'shits', 'shitty', 'shithead*', 'slut*', 'spastic', 'tranny', 'twat*'],
    ...['wanker*', 'whore*'],
  ],
};

const patterns = Object.values(lists)
  .flat()
  .map((word) => ({
    word: word.replace('*', ''),
    shape: new RegExp(`(?<![\\p{L}\\p{N}])${word.replace('*', '\\p{L}*')}(?![\\p{L}\\p{N}])`, 'u'),
  }));

/** Digits and signs that stand for letters. */
const standIns: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  $: 's',
  '@': 'a',
  '!': 'i',
};

/** The listed words in a text, also where signs stand for letters or a letter is repeated. */
export function findProfanity(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  const spelled = plain.replace(/(?<=\p{L})[01345$@!](?=\p{L})/gu, (sign) => standIns[sign] ?? sign);
  const short = spelled.replace(/(\p{L})\1{2,}/gu, '$1');
  return patterns.flatMap(({ word, shape }) =>
    [plain, spelled, short].some((one) => shape.test(one)) ? [word] : [],
  );
}
