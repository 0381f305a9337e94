import { readFile } from 'node:fs/promises';
import path from 'node:path';

export type Ports = {
  sql: readonly number[];
  rest: readonly number[];
  etcd: readonly number[];
  peer: readonly number[];
  proxy: number;
};

/** A code block of docs/operations.md: what a reader copies is what runs here. */
export async function exampleOf(language: 'yaml' | 'haproxy'): Promise<string> {
  const document = await readFile(
    path.resolve(import.meta.dirname, '../../../../docs/operations.md'),
    'utf8',
  );
  const example = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(document)?.[1];
  if (!example) throw new Error(`docs/operations.md has no ${language} example`);
  return example;
}

/** The three machines of an example become ports of this one. */
export function onThisMachine(example: string, ports: Ports): string {
  const [sql, rest] = [ports.sql, ports.rest];
  return example
    .replace(/10\.0\.0\.([123]):2379/g, (_, node) => `127.0.0.1:${ports.etcd[node - 1]}`)
    .replace(
      /10\.0\.0\.([123]):5432 check port 8008/g,
      (_, node) => `127.0.0.1:${sql[node - 1]} check port ${rest[node - 1]}`,
    )
    .replace(/10\.0\.0\.([123]):5432/g, (_, node) => `127.0.0.1:${sql[node - 1]}`)
    .replace(/10\.0\.0\.([123]):8008/g, (_, node) => `127.0.0.1:${rest[node - 1]}`)
    .replace('127.0.0.1:5000', `127.0.0.1:${ports.proxy}`)
    .replaceAll('10.0.0.0/24', '127.0.0.1/32');
}

/**
 * The documented patroni.yml for one node, with this experiment's folders and programs. A failed primary is cloned again: pg_rewind is not
 * among the programs.
 */
export function patroniConfig(
  example: string,
  ports: Ports,
  node: number,
  at: { data: string; programs: string; pgpass: string; cloneCommand: string },
): string {
  const mine = example
    .replace('name: node1', `name: node${node}`)
    .replaceAll('10.0.0.1:8008', `10.0.0.${node}:8008`)
    .replaceAll('10.0.0.1:5432', `10.0.0.${node}:5432`)
    .replace(/data_dir: \S+/, `data_dir: ${at.data}`)
    .replace(/bin_dir: \S+/, `bin_dir: ${at.programs}`)
    .replace(/pgpass: \S+/, `pgpass: ${at.pgpass}`)
    .replace('use_pg_rewind: true', 'use_pg_rewind: false');
  return `${onThisMachine(mine, ports).trimEnd()}
  create_replica_methods: [clone]
  clone:
    command: ${at.cloneCommand}
`;
}
