import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type pg from 'pg';
import { describeColumns } from './described-columns.ts';
import { type Recorded, shapeOf } from './recorded.ts';
import { type Answered, compareRows, rowType } from './row-types.ts';
import { type StatementSource, statementsIn } from './statement-sources.ts';

export const recordedIn = (folder: string): Recorded[] =>
  readdirSync(folder).flatMap((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')));

export type Faults = {
  wrong: string[];
  unseen: StatementSource[];
};

export async function checkRows(
  client: pg.Client,
  folder: string,
  recorded: readonly Recorded[],
): Promise<Faults> {
  const keyOf = (template: readonly string[], isValue: boolean) => `${isValue}\0${template.join('\0')}`;
  const byTemplate = Map.groupBy(recorded, ({ template, value }) => keyOf(template, value !== undefined));
  const wrong: string[] = [];
  const unseen: StatementSource[] = [];
  const answered: Answered[] = [];
  for (const source of statementsIn(folder)) {
    const isValue = source.kind !== 'statement';
    if (source.template.join('').trim() === '') {
      if (source.kind === 'expression') continue;
      wrong.push(`${source.file}:${source.line}: has no text of its own, by which what ran is found`);
      continue;
    }
    const ran = merged(byTemplate.get(keyOf(source.template, isValue)) ?? []);
    if (ran.length === 0 && source.kind !== 'expression') unseen.push(source);
    for (const { text, value, seen } of ran)
      try {
        const all = await describeColumns(client, text);
        const columns = isValue ? all.filter(({ name }) => name === value) : all;
        const row = rowType(columns, seen);
        if (!answered.some((pair) => pair.source === source && pair.row === row))
          answered.push({ source, columns, row });
      } catch (error) {
        wrong.push(`${source.file}:${source.line}: ${(error as Error).message}`);
      }
  }
  return { wrong: [...wrong, ...(await compareRows(folder, answered))], unseen };
}

function merged(recorded: readonly Recorded[]): Recorded[] {
  return [...Map.groupBy(recorded, ({ text, value }) => `${value ?? ''}\0${shapeOf(text)}`).values()].flatMap(
    (same) => {
      const [first] = same;
      const kindsByColumn: Recorded['seen'] = {};
      for (const recorded of same)
        for (const [column, kinds] of Object.entries(recorded.seen))
          kindsByColumn[column] = [...new Set([...(kindsByColumn[column] ?? []), ...kinds])];
      return first ? [{ ...first, seen: kindsByColumn }] : [];
    },
  );
}
