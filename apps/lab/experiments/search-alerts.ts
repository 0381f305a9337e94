import { parseArgs } from 'node:util';
import { onAlertStage } from './search-alerts/alert-stage.ts';
import { type AlertResult, type Lost, runSearchAlerts } from './search-alerts/search-alerts-run.ts';

/**
 * `npm run experiments -- search-alerts [--jobs 10000] [--searches 10000] [--seed N]`
 * Alerts of random jobs and saved searches must equal a second implementation and nearby search.
 */
export async function searchAlerts(say: (line: string) => void): Promise<boolean> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { jobs: text, searches: text, seed: text },
  });
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 30));
  const size = { jobs: Number(values.jobs ?? 10_000), searches: Number(values.searches ?? 10_000) };
  const small = { jobs: 200, searches: 200, compare: 0 };
  const real = await onAlertStage((stage) => runSearchAlerts(stage, { ...size, seed, compare: 500 }));
  say(`search-alerts, seed ${seed}: ${wordsOf(real)}`);
  const controls: AlertResult[] = [];
  for (const lose of ['squares', 'words'] satisfies Lost[]) {
    const result = await onAlertStage((stage) => runSearchAlerts(stage, { ...small, seed, lose }));
    say(`negative control without ${lose}: ${wordsOf(result)}`);
    controls.push(result);
  }
  const right = isRight(real) && controls.every((control) => !isRight(control));
  say(right ? 'search-alerts: as it must be' : 'search-alerts: NOT as it must be');
  return right;
}

const isRight = ({ missed, wrong, repeated, unlikeNearby }: AlertResult) =>
  missed + wrong + Math.abs(repeated) + unlikeNearby === 0;

const wordsOf = ({ matches, missed, wrong, named, repeated, compared, unlikeNearby }: AlertResult) =>
  `${matches} matches, ${missed} missed, ${wrong} wrong, ${named} named, ${repeated} repeated; ${unlikeNearby} of ${compared} unlike nearby search`;
