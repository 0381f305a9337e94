import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

const monitoringFolder = path.resolve(import.meta.dirname, '../../../docs/monitoring');
const promtoolProgram = '/usr/bin/promtool';

export const hasPromtool = existsSync(promtoolProgram);

export function promtool(options: readonly string[], input = ''): string {
  return execFileSync(promtoolProgram, options, { input, encoding: 'utf8', cwd: monitoringFolder });
}

type Rules = { groups: { rules: { expr: string }[] }[] };
type Dashboard = { panels: { targets?: { expr: string }[] }[] };

export async function monitoredMetrics(): Promise<Set<string>> {
  const read = (name: string) => readFile(path.join(monitoringFolder, name), 'utf8');
  const rules = parse(await read('alerts.yml')) as Rules;
  const dashboard = JSON.parse(await read('dashboard.json')) as Dashboard;
  const exprs = [
    ...rules.groups.flatMap((group) => group.rules.map(({ expr }) => expr)),
    ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ];
  return new Set(exprs.flatMap(metricsIn));
}

export const metricsIn = (expr: string): string[] =>
  expr
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replace(/\b(by|without|on|ignoring) *\([^)]*\)/g, ' ')
    .match(/\b[a-z]+(_[a-z0-9]+)+\b(?! *\()/g) ?? [];
