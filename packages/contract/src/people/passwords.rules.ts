/** Words that a stranger tries first on this site: its name, and its names for people and operators. */
const ownWords = [
  'nearhand',
  'business',
  'employer',
  'finance',
  'merchant',
  'operator',
  'password',
  'recruiter',
  'shift',
  'support',
  'worker',
] as const;

/** Digits and signs that stand for letters. */
const lookalikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Shorter parts of an address are too likely to be part of something else. */
const shortestOwnPart = 4;

/** A password without the site's words and its email's name, also with digits instead of letters. */
export function withoutOwnWords(password: string, email = ''): string {
  const [name = ''] = email.toLowerCase().split('@');
  const parts = name.split(/[^a-z]+/).filter((part) => part.length >= shortestOwnPart);
  const words = [name, ...parts, ...ownWords].filter((word) => word.length >= shortestOwnPart);
  let left = password.toLowerCase();
  for (const word of words.sort((a, b) => b.length - a.length)) left = without(left, word);
  return left;
}

/** Letters are compared one to one, so that the positions match those of the text. */
function without(text: string, word: string): string {
  const read = [...text].map((character) => lookalikes[character] ?? character).join('');
  const looked = [...word].map((character) => lookalikes[character] ?? character).join('');
  const at = read.length === text.length ? read.indexOf(looked) : text.indexOf(word);
  return at === -1 ? text : without(text.slice(0, at) + text.slice(at + word.length), word);
}
