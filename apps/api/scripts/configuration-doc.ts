import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { settings } from '../src/platform/config/config.ts';

const file = path.resolve(import.meta.dirname, '../../../docs/configuration.md');

/** A setting's default in environment syntax. */
const written = (value: unknown): string =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
        .map(([key, value]) => `${key}=${value}`)
        .join(',')
    : String(value);

export function configurationDoc(): string {
  const rows = Object.entries(settings).map(([name, setting]) => {
    const result = setting.shape.safeParse(undefined);
    const standard = result.success && result.data !== undefined ? written(result.data) : '';
    return `| \`${name}\`${'secret' in setting ? ' (secret)' : ''} | ${standard && `\`${standard}\``} | ${setting.doc} |`;
  });
  return `# Configuration

Settings are environment variables. The server does not start on an invalid value or half a group, and names it. It warns
of names that look like a setting and are none. \`npm run docs\` generates this page from
\`apps/api/src/platform/config/config.ts\`; a test compares them.

| setting | default | purpose |
|---|---|---|
${rows.join('\n')}
`;
}

export const writtenConfigurationDoc = () => readFile(file, 'utf8');

if (import.meta.main) await writeFile(file, configurationDoc());
