import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { settings } from '../src/platform/config.ts';

const file = path.resolve(import.meta.dirname, '../../../docs/configuration.md');

/** The table of settings as docs/configuration.md holds it. */
export function configurationDoc(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const result = setting.shape.safeParse(undefined);
    const standard = result.success && result.data !== undefined ? `\`${String(result.data)}\`` : '';
    return `| \`${name}\`${'secret' in setting ? ' (secret)' : ''} | ${standard} | ${setting.doc} |`;
  });
  return `# Configuration

Settings come from the environment. The server refuses to start on a value that does not fit, and says which. This page is made from
\`apps/api/src/platform/config.ts\` by \`npm run docs\`; a test compares them.

| setting | default | what it is for |
|---|---|---|
${rows.join('\n')}
`;
}

/** What docs/configuration.md says now. */
export const writtenConfigurationDoc = () => readFile(file, 'utf8');

if (import.meta.main) await writeFile(file, configurationDoc());
