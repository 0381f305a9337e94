import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { findPostmaster } from '@nearhand/api/src/platform/database/database-cluster.ts';
import { clusterUrl } from '@nearhand/api/src/platform/database/database-server.ts';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { controlLines } from '../experiments/patroni/control-file.ts';
import { crc32c } from '../experiments/patroni/crc32c.ts';
import { exampleOf, patroniConfig } from '../experiments/patroni/examples.ts';
import { onThrowAwayDatabase } from '../experiments/throw-away-database.ts';

/** What `npm run experiments -- patroni` stands on (docs/experiments.md); the experiment needs Debian packages and is run by hand. */
describe('patroni', () => {
  it('reads from the control file what the running server says of itself', async () => {
    await onThrowAwayDatabase(
      async (_, { cluster, port }) => {
        expect(await findPostmaster(cluster)).toBeDefined();
        const client = new pg.Client(clusterUrl(cluster, port, { user: 'postgres', database: 'postgres' }));
        await client.connect();
        await client.query('checkpoint');
        const { rows } = await client.query<Record<string, string>>(
          `select system_identifier::text as "Database system identifier", pg_control_version::text as "pg_control version number",
             catalog_version_no::text as "Catalog version number", checkpoint_lsn::text as "Latest checkpoint location",
             redo_lsn::text as "Latest checkpoint's REDO location", timeline_id::text as "Latest checkpoint's TimeLineID",
             min_recovery_end_lsn::text as "Minimum recovery ending location",
             min_recovery_end_timeline::text as "Min recovery ending loc's timeline",
             data_page_checksum_version::text as "Data page checksum version",
             current_setting('wal_level') as "wal_level setting", current_setting('wal_log_hints') as "wal_log_hints setting",
             current_setting('max_connections') as "max_connections setting",
             current_setting('max_worker_processes') as "max_worker_processes setting",
             current_setting('max_wal_senders') as "max_wal_senders setting",
             current_setting('max_prepared_transactions') as "max_prepared_xacts setting",
             current_setting('max_locks_per_transaction') as "max_locks_per_xact setting",
             current_setting('track_commit_timestamp') as "track_commit_timestamp setting"
           from pg_control_system(), pg_control_checkpoint(), pg_control_recovery(), pg_control_init()`,
        );
        await client.end();
        const file = await readFile(path.join(cluster.folder, 'global/pg_control'));
        expect(controlLines(file)).toEqual({ ...rows[0], 'Database cluster state': 'in production' });
        const damaged = Buffer.from(file);
        damaged.writeUInt8(damaged.readUInt8(180) ^ 1, 180);
        expect(() => controlLines(damaged)).toThrow('checksum');
      },
      // Values of its own, so that a wrong offset cannot find a right one.
      {
        fsync: 'off',
        wal_level: 'logical',
        wal_log_hints: 'on',
        max_wal_senders: '7',
        max_worker_processes: '11',
        max_prepared_transactions: '5',
        max_locks_per_transaction: '77',
        track_commit_timestamp: 'on',
      },
    );
  });

  it('calculates the checksum of the standard', () => {
    expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  });

  it('finds the documented files and leaves no address of theirs', async () => {
    const ports = { sql: [1, 2, 3], rest: [4, 5, 6], etcd: [7, 8, 9], peer: [10, 11, 12], proxy: 13 };
    const at = { data: '/data', programs: '/programs', pgpass: '/pgpass', cloneCommand: 'clone' };
    const config = patroniConfig(await exampleOf('yaml'), ports, 2, at);
    expect(config).toContain('name: node2');
    expect(config).toContain('connect_address: 127.0.0.1:2');
    expect(config).toContain('connect_address: 127.0.0.1:5');
    expect(config).toContain('hosts: 127.0.0.1:7,127.0.0.1:8,127.0.0.1:9');
    expect(config).not.toContain('10.0.0.');
    expect(await exampleOf('haproxy')).toContain('on-marked-down shutdown-sessions');
  });
});
