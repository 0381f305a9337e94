import { spawn } from 'node:child_process';
import path from 'node:path';
import { numbersFrom } from '../load/options.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

/**
 * `npm run experiments -- chaos [--steps 200] [--seeds 3] [--first 1]`: a worker takes random steps in a real browser while the network is cut, slow, captive, lossy
 * or dead, the server is killed and the app is opened again; `e2e/chaos.spec.ts` compares what the screens said with what the server has. More than 50 steps also run the
 * five controls, each with a defect that must be found.
 */
export async function chaos(say: (line: string) => void): Promise<boolean> {
  const { steps, seeds, first } = numbersFrom({ steps: 200, seeds: 3, first: 1 });
  const list = Array.from({ length: seeds }, (_, at) => first + at).join(',');
  say(`chaos: ${steps} steps each with seeds ${list}`);
  const cli = path.join(root, 'node_modules/@playwright/test/cli.js');
  const journeys = spawn(
    process.execPath,
    [cli, 'test', '--config=e2e', 'e2e/chaos.spec.ts', '--reporter=list'],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, CHAOS_STEPS: String(steps), CHAOS_SEEDS: list, CHAOS_LOG: 'true' },
    },
  );
  const code = await new Promise((resolve) => journeys.once('close', resolve));
  say(`chaos: ${code === 0 ? 'as it must be' : 'NOT as it must be'}`);
  return code === 0;
}
