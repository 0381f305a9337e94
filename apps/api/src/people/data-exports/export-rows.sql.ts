import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db.ts';
import type { ExportedTable } from './exported-tables.rules.ts';

export type ExportedRow = Record<string, unknown>;

type ColumnRow = {
  table_name: string;
  column_name: string;
  names_account: boolean;
  place_in_key: number | null;
};

/** The columns of all tables, and which of them name an account: by a foreign key, or as the actor of a move. */
export async function findColumns(db: Db): Promise<ColumnRow[]> {
  const { rows } = await sql<ColumnRow>`
    select class.relname as table_name, attribute.attname as column_name,
      attribute.attname = 'actor' or exists (select from pg_constraint key where key.conrelid = class.oid and key.contype = 'f'
        and key.confrelid = 'accounts'::regclass and attribute.attnum = any(key.conkey)) as names_account,
      (select array_position(key.conkey, attribute.attnum) from pg_constraint key
        where key.conrelid = class.oid and key.contype = 'p') as place_in_key
    from pg_class class join pg_attribute attribute on attribute.attrelid = class.oid
    where class.relnamespace = 'public'::regnamespace and class.relkind = 'r' and attribute.attnum > 0 and not attribute.attisdropped
    order by class.relname, attribute.attnum`.execute(db);
  return rows;
}

/** What makes an id readable: the title of a job, the name of a business. */
const labels: Record<string, string> = {
  job_id: '(select title from jobs where id = it.job_id) as job_title',
  business_id: '(select name from businesses where id = it.business_id) as business_name',
  engagement_id: `(select job.title from engagements work join jobs job on job.id = work.job_id where work.id = it.engagement_id) as job_title`,
  application_id: `(select job.title from applications application join jobs job on job.id = application.job_id where application.id = it.application_id) as job_title`,
};

const rowsAtOnce = 500;

/**
 * The rows of a table that are about an account, in batches, oldest first. Columns that name someone else are empty. Reads through a cursor, so memory does not grow with
 * the rows; one cursor at a time.
 */
export async function* readRows(
  tx: Tx,
  table: string,
  { rows: condition, without = {} }: ExportedTable,
  of: { accountId: string; columns: readonly ColumnRow[] },
): AsyncGenerator<ExportedRow[]> {
  const own = of.columns.filter((column) => column.table_name === table);
  const shown = own.filter(({ column_name: name }) => !(name in without));
  const me = `'${of.accountId}'::uuid`;
  const titles = new Set<string>();
  const wanted = [
    ...shown.map(({ column_name: name, names_account: named }) =>
      named ? `case when it.${name}::text = ${me}::text then it.${name} end as ${name}` : `it.${name}`,
    ),
    ...shown.flatMap(({ column_name: name }) => {
      const label = labels[name];
      const title = label?.split(' as ').at(-1) ?? '';
      if (label === undefined || titles.has(title) || own.some((one) => one.column_name === title)) return [];
      titles.add(title);
      return [label];
    }),
  ];
  const key = own
    .filter(({ place_in_key: place }) => place !== null)
    .sort((a, b) => (a.place_in_key ?? 0) - (b.place_in_key ?? 0))
    .map(({ column_name: name }) => `it.${name}`);
  await sql
    .raw(
      `declare exported no scroll cursor for select ${wanted.join(', ')} from ${table} it
       where ${condition.replaceAll('$me', me)} ${key.length > 0 ? `order by ${key.join(', ')}` : ''}`,
    )
    .execute(tx);
  try {
    for (;;) {
      const { rows } = await sql.raw<ExportedRow>(`fetch ${rowsAtOnce} from exported`).execute(tx);
      if (rows.length > 0) yield rows;
      if (rows.length < rowsAtOnce) return;
    }
  } finally {
    await sql`close exported`.execute(tx);
  }
}

export type ExportedFile = {
  id: string;
  name: string;
  purpose: string;
  media_type: string;
  created_at: Date;
  key_id: string | null;
};

/** The account's files, and those that others sent it in its conversations as a worker; without those of withdrawn messages. */
export async function findExportedFiles(db: Db, accountId: string): Promise<ExportedFile[]> {
  const { rows } = await sql<ExportedFile>`
    select file.id, file.name, file.purpose, file.media_type, file.created_at, file.key_id from files file
    left join message_files sent on sent.file_id = file.id
    where sent.withdrawn_at is null and (file.account_id = ${accountId}
      or sent.conversation_id in (select id from conversations where worker_id = ${accountId}))
    order by file.id`.execute(db);
  return rows;
}

/** A snapshot for reading everything: large tables may take longer than a call may. */
export const allowLongReads = async (tx: Tx): Promise<void> => {
  await sql`set local statement_timeout = 0`.execute(tx);
};
