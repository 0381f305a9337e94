import { parsePlPgSQLSync } from 'libpg-query';
import type { Body, WholeSchema } from './read-schema.ts';
import { type Reading, readStatement } from './statement-keys.ts';
import { isObject } from './statement-parts.ts';

/** Transactions and our task queue's own functions name no rows. */
const bare =
  /^\s*(?:\/\*[^*]*\*\/\s*)?(?:$|(?:begin|commit|rollback|savepoint|release|set|notify|listen)\b)/i;

/** A statement's reading and those of the functions that it calls, or that run on its changes. */
export function readDeep(text: string, schema: WholeSchema): (Reading & { text: string })[] {
  const seen = new Set<string>();
  const read = (statement: string): (Reading & { text: string })[] => {
    if (bare.test(statement)) return [];
    const reading = readStatement(statement, schema);
    const names = [...reading.calls, ...reading.written.flatMap((table) => schema.triggers.get(table) ?? [])];
    const inside = names.flatMap((name) => {
      if (seen.has(name)) return [];
      seen.add(name);
      return (schema.functions.get(name) ?? []).flatMap(statementsOf).flatMap(read);
    });
    return [{ ...reading, text: statement }, ...inside];
  };
  return read(text);
}

/** The statements and expressions of a function's body. */
function statementsOf({ language, source, definition }: Body): string[] {
  if (language === 'sql') return [source];
  const found: string[] = [];
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) collect(one);
    if (!isObject(node)) return;
    if (isObject(node.PLpgSQL_expr)) found.push(textOf(node.PLpgSQL_expr.query, node.PLpgSQL_expr.parseMode));
    for (const one of Object.values(node)) collect(one);
  };
  collect(parsePlPgSQLSync(definition));
  return found;
}

/** A statement stands alone; an expression, alone or after `:=`, becomes one. */
function textOf(query: unknown, mode: unknown): string {
  const text = String(query);
  if (mode === undefined || mode === 0) return text;
  return `select ${mode === 2 ? text : text.replace(/^[^:=]*:?=/, '')}`;
}
