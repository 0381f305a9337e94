export type TextFile = { path: string; text: string };

const sections = ['Context', 'Decision', 'Consequences'];
const maxLines = 59;
const recordPath = /^docs\/adr\/(\d{4})-([a-z0-9-]+)\.md$/;

export const recordsOf = (files: readonly TextFile[]): TextFile[] =>
  files.filter((file) => recordPath.test(file.path));

export function recordFaults(records: readonly TextFile[], index: string): string[] {
  return records.flatMap((record) => {
    const [, digits = '', slug = ''] = recordPath.exec(record.path) ?? [];
    const [heading = '', ...rest] = record.text.trimEnd().split('\n');
    const headings = rest.filter((line) => line.startsWith('## ')).map((line) => line.slice(3).trim());
    const faults: string[] = [];
    const title = new RegExp(`^# ${Number(digits)}\\. (.+)$`).exec(heading)?.[1];
    if (title === undefined) faults.push(`starts with "# ${Number(digits)}. Title"`);
    else if (slugOf(title) !== slug) faults.push(`is named ${digits}-${slugOf(title)}.md, after its title`);
    if (headings.join() !== sections.join()) faults.push(`has the sections ${sections.join(', ')}`);
    if (rest.length + 1 > maxLines) faults.push(`has at most ${maxLines} lines, not ${rest.length + 1}`);
    if (!index.includes(`](${digits}-${slug}.md)`)) faults.push('is listed in docs/adr/README.md');
    return faults.map((fault) => `${record.path} ${fault}`);
  });
}

export function indexFaults(records: readonly TextFile[], index: string): string[] {
  const names = new Set(records.map((record) => record.path.slice('docs/adr/'.length)));
  return [...index.matchAll(/\]\((\d{4}-[a-z0-9-]+\.md)\)/g)]
    .map((match) => match[1] ?? '')
    .filter((name) => !names.has(name))
    .map((name) => `docs/adr/README.md lists ${name}, which does not exist`);
}

/** Mentions (`ADR 12`, `ADR 5, 64`, `adr/0012-…`) of missing records, or with leading zeros. */
export function mentionFaults(files: readonly TextFile[], records: readonly TextFile[]): string[] {
  const numbers = new Set(records.map((record) => Number(recordPath.exec(record.path)?.[1])));
  const paths = new Set(records.map((record) => record.path));
  return files.flatMap(({ path, text }) => {
    const mentioned = mentionedNumbers(text);
    const padded = mentioned
      .filter((digits) => digits.startsWith('0'))
      .map((digits) => `${path} mentions ADR ${digits}; write ADR ${Number(digits)}`);
    const linked = [...text.matchAll(/\badr\/(\d{4})\b/g)].map((match) => match[1] ?? '');
    const missing = [...new Set([...mentioned, ...linked].map(Number))]
      .filter((number) => !numbers.has(number))
      .map((number) => `${path} mentions ADR ${number}, which does not exist; docs/adr/README.md lists all`);
    const broken = [...text.matchAll(/adr\/(\d{4}-[a-z0-9-]+\.md)/g)]
      .map((match) => match[1] ?? '')
      .filter((name) => !paths.has(`docs/adr/${name}`))
      .map((name) => `${path} links to docs/adr/${name}, which does not exist`);
    return [...padded, ...missing, ...broken];
  });
}

export function fileFaults(records: readonly TextFile[], sources: readonly string[]): string[] {
  return records.flatMap(({ path, text }) =>
    [...text.matchAll(/`([\w./-]+\.(?:tsx?|mjs|sql|css))`/g)]
      .map((match) => match[1] ?? '')
      .filter((name) => !sources.some((source) => source === name || source.endsWith(`/${name}`)))
      .map((name) => `${path} names ${name}, which does not exist; name its new path or what it does`),
  );
}

/** A mention may break after "ADR", even in a comment of several lines. */
const mentionedNumbers = (text: string): string[] =>
  [
    ...text.matchAll(/\bADRs?(?: |\s*\n\s*(?:\*|\/\/|--)?\s*)(\d{1,4}(?:(?:, | and | or | to )\d{1,4})*)\b/g),
  ].flatMap((match) => (match[1] ?? '').match(/\d+/g) ?? []);

const slugOf = (title: string) =>
  title
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
