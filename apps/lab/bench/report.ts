import type { Round } from './processes.ts';
import type { CaseResult } from './run-cases.ts';

type Check = { jobs: number; places: number; results: number; differences: string[] };

const ms = (value: number) => value.toFixed(2).padStart(7);
const times = (value: number) => `${value.toFixed(2)}x`.padStart(6);
const total = (round: { node: number; postgres: number }) => round.node + round.postgres;

export function printReport(results: CaseResult[], checks: Check[], say: (line: string) => void): void {
  say('');
  say(
    `${'case'.padEnd(24)}${'jobs'.padStart(9)} |  ours, node + pg  by hand, node + pg  ratio | before, node + pg  ratio | p50/p99 ours | bytes | database p50/p99`,
  );
  const cpu = (round: { node: number; postgres: number }) => `${ms(round.node)} +${ms(round.postgres)}`;
  const comparison = (round: Round | null, ratio: number | null) =>
    round && ratio ? `${cpu(round)} ${times(ratio)}` : ''.padEnd(23);
  for (const { jobs, name, database, bytes, ours, byHand, before } of results)
    say(
      `${name.padEnd(24)}${String(jobs).padStart(9)} | ${cpu(ours)}   ${comparison(byHand, byHand && total(ours) / total(byHand))} |` +
        ` ${comparison(before, before && byHand && total(before) / total(byHand))} |` +
        `${ms(ours.p50)} ${ms(ours.p99)} | ${String(bytes).padStart(5)} |${ms(database.p50)} ${ms(database.p99)}`,
    );
  say(
    '\nBy hand leaves out: sessions, access and input checks, limits, locks, signals, metrics, log lines and most headers. ' +
      'Neither side sends the mail of a notice, which a task does later.',
  );
  const [small, large] = [...new Set(results.map((result) => result.jobs))].sort((a, b) => a - b);
  if (large !== undefined) {
    say(`\nGrowth from ${small} to ${large} jobs, processor time a request`);
    for (const big of results.filter((result) => result.jobs === large)) {
      const before = results.find((result) => result.jobs === small && result.name === big.name);
      if (before) say(`${big.name.padEnd(24)} ${times(total(big.ours) / total(before.ours))}`);
    }
  }
  for (const check of checks) {
    say(
      `\n${check.jobs} jobs: ${check.places} places, ${check.results} results against brute force: ${check.differences.length} differ`,
    );
    for (const difference of check.differences) say(`  ${difference}`);
  }
}
