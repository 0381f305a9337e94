/** The tags as stored: the first spelling of each, ignoring case, in the given order. */
export function cleanTags(tags: readonly string[]): string[] {
  const tagsByKey = new Map<string, string>();
  for (const tag of tags) {
    const key = tag.normalize('NFC').toLowerCase();
    if (!tagsByKey.has(key)) tagsByKey.set(key, tag.normalize('NFC'));
  }
  return [...tagsByKey.values()];
}
