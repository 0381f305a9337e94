import { stages } from '@nearhand/contract/hiring/applicants';
import { expect, it } from 'vitest';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { allStages, laneStages, mainMove } from './stage.labels.ts';

it('has the stages of the contract, in its order, and no lane of what has ended', () => {
  expect(allStages).toEqual(stages);
  expect(laneStages).not.toContain('ended');
});

it('never offers to turn down as the next step, nor any step once the offer is out', () => {
  expect(mainMove(sampleApplicant({ actions: ['reject'] }))).toBeNull();
  expect(mainMove(sampleApplicant({ stage: 'offered', actions: ['reject'] }))).toBeNull();
});
