import { crc32c } from './crc32c.ts';

/** Offsets of `ControlFileData` in PostgreSQL 18, from its catalog/pg_control.h, on 64-bit little-endian machines. */
const checksumAt = 292;
const states = [
  'starting up',
  'shut down',
  'shut down in recovery',
  'shutting down',
  'in crash recovery',
  'in archive recovery',
  'in production',
];
const walLevels = ['minimal', 'replica', 'logical'];

/**
 * The lines of `pg_controldata` that Patroni reads, from the bytes of `global/pg_control`: the PostgreSQL that npm installs comes without that program.
 * @throws for another version of the file, or one that is damaged
 */
export function controlLines(file: Buffer): Record<string, string> {
  const version = file.readUInt32LE(8);
  if (version !== 1800) throw new Error(`pg_control has version ${version}, and only 1800 is known`);
  if (crc32c(file.subarray(0, checksumAt)) !== file.readUInt32LE(checksumAt))
    throw new Error('the checksum of pg_control is wrong');
  const position = (at: number) =>
    `${file.readUInt32LE(at + 4).toString(16)}/${file.readUInt32LE(at).toString(16)}`.toUpperCase();
  const flag = (at: number) => (file.readUInt8(at) === 1 ? 'on' : 'off');
  const number = (at: number) => String(file.readUInt32LE(at));
  return {
    'pg_control version number': String(version),
    'Catalog version number': number(12),
    'Database system identifier': String(file.readBigUInt64LE(0)),
    'Database cluster state': states[file.readUInt32LE(16)] ?? 'unrecognized status code',
    'Latest checkpoint location': position(32),
    "Latest checkpoint's REDO location": position(40),
    "Latest checkpoint's TimeLineID": number(48),
    'Minimum recovery ending location': position(136),
    "Min recovery ending loc's timeline": number(144),
    'wal_level setting': walLevels[file.readUInt32LE(172)] ?? 'unrecognized wal_level',
    'wal_log_hints setting': flag(176),
    'max_connections setting': number(180),
    'max_worker_processes setting': number(184),
    'max_wal_senders setting': number(188),
    'max_prepared_xacts setting': number(192),
    'max_locks_per_xact setting': number(196),
    'track_commit_timestamp setting': flag(200),
    'Data page checksum version': number(252),
  };
}
