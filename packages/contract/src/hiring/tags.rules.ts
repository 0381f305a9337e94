/** The tags as stored: the first spelling of each, ignoring case, in the given order. */
export function cleanTags(tags: readonly string[]): string[] {
  const seen = new Map<string, string>();
  for (const tag of tags) {
    const key = tag.normalize('NFC').toLowerCase();
    if (!seen.has(key)) seen.set(key, tag.normalize('NFC'));
  }
  return [...seen.values()];
}
