import { stages } from '@nearhand/contract/hiring/applicants';
import { expect, it } from 'vitest';
import { sampleApplicant } from '../pipeline/pipeline.fixtures.ts';
import { allStages, laneStages, mainMove } from './stage.labels.ts';

it("contains the contract's stages in order, without a lane for ended ones", () => {
  expect(allStages).toEqual(stages);
  expect(laneStages).not.toContain('ended');
});

it('never suggests rejecting as the next step, nor any step after an offer', () => {
  expect(mainMove(sampleApplicant({ actions: ['reject'] }))).toBeNull();
  expect(mainMove(sampleApplicant({ stage: 'offered', actions: ['reject'] }))).toBeNull();
});
