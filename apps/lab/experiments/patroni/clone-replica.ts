import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { copyCluster } from '@nearhand/api/src/backup/embedded-copy.ts';
import pg from 'pg';

/** Patroni's way to make a replica where `pg_basebackup` is not installed: copies the folder of the running primary, which is on this machine. */
const { values } = parseArgs({
  strict: false,
  options: { datadir: { type: 'string' }, connstring: { type: 'string' } },
});
const given = Object.fromEntries(
  [...String(values.connstring).matchAll(/(\w+)=(?:'([^']*)'|(\S+))/g)].map(([, name, quoted, bare]) => [
    name,
    quoted ?? bare,
  ]),
);
const url = `postgres://postgres:${process.env.SUPERUSER_PASSWORD}@${given.host}:${given.port}/postgres`;
const client = new pg.Client(url);
await client.connect();
const { rows } = await client.query<{ data_directory: string }>('show data_directory');
await client.end();
const target = String(values.datadir);
await copyCluster(url, rows[0]?.data_directory ?? '', target);
await writeFile(path.join(target, 'standby.signal'), '');
