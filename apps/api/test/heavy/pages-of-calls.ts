import type pg from 'pg';

type PlanNode = { 'Shared Hit Blocks'?: number; 'Shared Read Blocks'?: number };
export type Reading = { text: string; pages: number };

export async function reportPlans(superuser: pg.Client, database: string): Promise<void> {
  const settings = {
    session_preload_libraries: 'auto_explain',
    'auto_explain.log_min_duration': '0',
    'auto_explain.log_analyze': 'on',
    'auto_explain.log_timing': 'off',
    'auto_explain.log_buffers': 'on',
    'auto_explain.log_format': 'json',
    'auto_explain.log_level': 'notice',
  };
  // The library defines its settings, so it is loaded first.
  await superuser.query(`load 'auto_explain'`);
  for (const [name, value] of Object.entries(settings))
    await superuser.query(`alter database ${database} set ${name} = '${value}'`);
}

/**
 * Collects the plans of a pool that has not connected yet.
 * @returns the reads since the last call
 */
export function hearPlans(pool: pg.Pool): () => Reading[] {
  let readings: Reading[] = [];
  pool.on('connect', (client) => {
    client.on('notice', ({ message = '' }) => {
      const [, report] = /^duration: .* plan:\n(.*)$/s.exec(message) ?? [];
      if (report === undefined) return;
      const { 'Query Text': text, Plan: plan } = JSON.parse(report) as {
        'Query Text': string;
        Plan: PlanNode;
      };
      // A statement that only explains another one reads nothing.
      const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
      readings.push({ text, pages });
    });
  });
  return () => {
    const since = readings;
    readings = [];
    return since;
  };
}
