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

const longestUnit = 3;
const rows = ['qwertyuiop', 'qwertzuiop', 'azertyuiop', 'asdfghjkl', 'zxcvbnm', '1234567890'];

/**
 * Repeats up to three characters, counts up or down, or follows a row of the keyboard: "aaaaaa", "121212",
 * "fedcba", "asdfgh".
 */
export function isPattern(password: string): boolean {
  const characters = [...password.toLowerCase()];
  const codes = characters.map((character) => character.codePointAt(0) ?? 0);
  const repeats = (unit: number) => codes.every((code, at) => code === codes[at % unit]);
  for (let unit = 1; unit <= longestUnit; unit += 1) if (codes.length > unit && repeats(unit)) return true;
  const isSequence = (step: number) =>
    codes.every((code, at) => at === 0 || code - (codes[at - 1] ?? 0) === step);
  if (codes.length > longestUnit && (isSequence(1) || isSequence(-1))) return true;
  const forward = characters.join('');
  const backward = [...characters].reverse().join('');
  return codes.length > longestUnit && rows.some((row) => row.includes(forward) || row.includes(backward));
}

/** A password without the site's words and its email's name, even if digits replace letters. */
export function withoutOwnWords(password: string, email = ''): string {
  const [name = ''] = email.toLowerCase().split('@');
  const parts = name.split(/[^a-z]+/).filter((part) => part.length >= shortestOwnPart);
  const words = [name, ...parts, ...ownWords].filter((word) => word.length >= shortestOwnPart);
  let rest = password.toLowerCase();
  for (const word of words.sort((a, b) => b.length - a.length)) rest = without(rest, word);
  return rest;
}

/** Letters are compared one to one, so that positions match the original text. */
function without(text: string, word: string): string {
  const plainText = [...text].map((character) => lookalikes[character] ?? character).join('');
  const plainWord = [...word].map((character) => lookalikes[character] ?? character).join('');
  const at = plainText.length === text.length ? plainText.indexOf(plainWord) : text.indexOf(word);
  return at === -1 ? text : without(text.slice(0, at) + text.slice(at + word.length), word);
}
