/**
 * Words that a stranger tries first on this site: its name, and what people and operators are called here.
 */
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

/** Digits and signs that people write for letters. */
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

/** Parts of an address shorter than this are too likely to be part of something else. */
const shortestOwnPart = 4;

/**
 * What someone added of their own: a password in lower case without the site's words and the name of its email address, also where digits
 * stand for their letters.
 */
export function withoutOwnWords(password: string, email = ''): string {
  const [name = ''] = email.toLowerCase().split('@');
  const parts = name.split(/[^a-z]+/).filter((part) => part.length >= shortestOwnPart);
  const words = [name, ...parts, ...ownWords].filter((word) => word.length >= shortestOwnPart);
  let left = password.toLowerCase();
  for (const word of words.sort((a, b) => b.length - a.length)) left = without(left, word);
  return left;
}

/** Letters are compared one to one, so that the places found are those of the text itself. */
function without(text: string, word: string): string {
  const read = [...text].map((character) => lookalikes[character] ?? character).join('');
  const looked = [...word].map((character) => lookalikes[character] ?? character).join('');
  const at = read.length === text.length ? read.indexOf(looked) : text.indexOf(word);
  return at === -1 ? text : without(text.slice(0, at) + text.slice(at + word.length), word);
}
