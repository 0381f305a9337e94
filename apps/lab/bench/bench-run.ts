import { readConfig } from '@nearhand/api/src/platform/config/config.ts';
import type { Run } from './run-cases.ts';

const secret = 'the secret of the benchmark, thirty-two and more';

/** A run on one database, with the settings of our server: limits too high to trigger. */
export function benchRun(given: Omit<Run, 'config' | 'secret' | 'environment'>): Run {
  const environment = {
    NODE_ENV: 'development',
    SECRET: secret,
    DEMO: 'false',
    READS_PER_MINUTE: '1000000',
    WRITES_PER_MINUTE: '1000000',
    APPLICATIONS_PER_DAY: '10000',
    DATA_DIR: given.scratch,
  };
  return { ...given, config: readConfig(environment), secret, environment };
}
