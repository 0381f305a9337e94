import { defineTask } from '../../platform/tasks/tasks.ts';
import { rewardReferral, runReward } from './rewards.service.ts';

/** Set by the first pay for work of someone who was invited. */
const reward = defineTask({
  ...rewardReferral,
  run: (scope, { referralId }) => runReward(scope, referralId),
});

export const referralsTasks = [reward];
