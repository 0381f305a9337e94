import { accountSettingsPath } from '@nearhand/contract/app-paths';
import { AppError } from '../../platform/app-error.ts';
import type { Db } from '../../platform/db.ts';
import type { Actor, Scope } from '../../platform/http/scope.ts';
import { isId } from '../../platform/ids.ts';
import { readSigned, signed } from '../../platform/sign.ts';
import { findReady } from './data-exports.sql.ts';

const purpose = 'data export';

/** Where an export is in the file store. */
export const fileKey = (exportId: string): string => `export-${exportId}`;

/** The mailed address: the account settings, which download the file of this ticket for its account. */
export function exportLink({ config, sign }: Pick<Scope, 'config' | 'sign'>, exportId: string): string {
  return `${config.PUBLIC_URL}${accountSettingsPath(signed(sign, purpose, exportId))}`;
}

export type OpenedExport = { name: string; bytes: number; body: NodeJS.ReadableStream };

/**
 * The file behind a mailed ticket, for the account that asked for it and until it expires. A ticket without its account, and the account without a ticket, get nothing.
 * @throws session/required, data-export/link-expired for anything else
 */
export async function openExport(db: Db, scope: Scope<Actor | null>, ticket: unknown): Promise<OpenedExport> {
  if (!scope.actor) throw new AppError('session/required');
  const exportId = readSigned(scope.sign, purpose, ticket);
  const row = isId(exportId)
    ? await findReady(db, exportId, scope.actor.accountId, scope.clock.now())
    : undefined;
  const body = row ? await scope.fileStore.open(fileKey(row.id)) : null;
  if (!row || body === null) throw new AppError('data-export/link-expired');
  const day = (row.ready_at ?? row.requested_at).toISOString().slice(0, 10);
  return { name: `nearhand-data-${day}.zip`, bytes: row.bytes ?? 0, body };
}
