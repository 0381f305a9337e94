import { type Language, languageIn } from '@nearhand/contract/languages';
import type { QuietHours } from '@nearhand/contract/talk/notification-settings';
import type { Choices, Reader } from '@nearhand/contract/talk/notification-settings.rules';
import { isTimeZone } from '@nearhand/contract/zoned-time';
import zoneOf from '@photostructure/tz-lookup';
import type { Db } from '../../platform/db.ts';
import { findReaders, type ReaderRow } from './readers.sql.ts';

export type { ReaderRow };

/** Someone's chosen zone, otherwise that of their home, otherwise of their business (ADR 95). */
export function zoneOfReader(row: ReaderRow): string {
  if (row.timeZone !== null && isTimeZone(row.timeZone)) return row.timeZone;
  if (row.homeLat !== null && row.homeLng !== null) return zoneOf(row.homeLat, row.homeLng);
  return row.businessZone ?? 'UTC';
}

/** The language that they read. */
export const languageOf = ({ language }: ReaderRow): Language => languageIn([language ?? '']) ?? 'en';

export const quietOf = (row: ReaderRow): QuietHours => ({
  on: row.quietOn ?? false,
  from: row.quietFrom ?? '22:00',
  to: row.quietTo ?? '07:00',
  timeZone: zoneOfReader(row),
});

/** Whether mail reaches them. */
export const emailStateOf = (row: ReaderRow): Reader['email'] =>
  row.disabled ? 'disabled' : !row.emailVerified ? 'not-verified' : row.refused ? 'refused' : 'ok';

/** Their choices for a topic. Someone whose account is being deleted gets only what can't be turned off (ADR 160). */
export const choicesOf = (row: ReaderRow, topic: string): Choices =>
  row.leaving
    ? { push: 'off', email: 'off' }
    : Object.fromEntries(
        row.choices
          .filter((chosen) => chosen.topic === topic)
          .map(({ channel, choice }) => [channel, choice]),
      );

/** The reader of one topic, as the rules need them. `group` names the conversation that may be open. */
export const readerOf = (row: ReaderRow, topic: string, group: string | null): Reader => ({
  choices: choicesOf(row, topic),
  quiet: quietOf(row),
  devices: row.devices,
  email: emailStateOf(row),
  looking: row.looking !== null && group === `chat:${row.looking}`,
});

/** Readers by account; deleted accounts are missing. */
export async function readersOf(
  db: Db,
  accountIds: readonly string[],
  topics: readonly string[],
  now: Date,
): Promise<Map<string, ReaderRow>> {
  const rows = await findReaders(db, [...new Set(accountIds)], [...new Set(topics)], now);
  return new Map(rows.map((row) => [row.id, row]));
}
