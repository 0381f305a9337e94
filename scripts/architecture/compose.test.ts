import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

type Service = {
  env_file?: string;
  environment: Record<string, string>;
  ports?: string[];
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
};
const { services } = parse(read('compose.yaml')) as { services: { database: Service; server: Service } };
const { database, server } = services;
const settings = new Map(
  [...read('docs/configuration.md').matchAll(/^\| `(\w+)`[^|]*\| (?:`([^`]*)`)? *\|/gm)].map(
    ([, name = '', fallback = '']) => [name, fallback],
  ),
);

describe('compose.yaml', () => {
  it('passes every setting from .env, and refuses to start without those that production requires', () => {
    expect(server.env_file).toBe('.env');
    for (const name of ['SECRET', 'DOCUMENT_KEYS', 'PUBLIC_URL', 'SMTP_URL'])
      expect(server.environment[name]).toMatch(new RegExp(`^\\$\\{${name}:\\?`));
    expect(database.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/);
  });

  it('sets nothing that is not a setting', () => {
    expect(settings.size).toBeGreaterThan(80);
    expect(Object.keys(server.environment).filter((name) => !settings.has(name))).toEqual([]);
  });

  it('gives a stop longer than the server takes', () => {
    const seconds = Number(/^(\d+)s$/.exec(server.stop_grace_period ?? '')?.[1]);
    expect(seconds).toBeGreaterThan(Number(settings.get('STOP_SECONDS')));
  });

  it('restarts both, and leaves the server few rights', () => {
    expect([database.restart, server.restart]).toEqual(['unless-stopped', 'unless-stopped']);
    expect(server).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    expect(server.ports).toEqual(['127.0.0.1:8080:8080']);
  });
});
