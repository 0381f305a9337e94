import { refusedBy } from '../field-issues.rules.ts';
import { line } from '../operation.ts';
import { type NameKind, type NameProblem, nameProblem } from './names.rules.ts';

const refusals: Record<NameProblem, ReturnType<typeof refusedBy>> = {
  address: refusedBy('name-address', 'a name without web addresses'),
  marks: refusedBy('name-marks', 'a name without direction marks'),
  markup: refusedBy('name-markup', 'a name without markup'),
  emoji: refusedBy('name-emoji', 'a name without emoji'),
};

const nameInput =
  (kind: NameKind) =>
  (max: number, min = 1) =>
    line(max, min).superRefine((name, context) => {
      const problem = nameProblem(name, kind);
      if (problem)
        context.addIssue({
          code: 'custom',
          message: refusals[problem].message,
          params: refusals[problem].params,
        });
    });

export const personName = nameInput('person');
/** The name of a business or of a branch. */
export const businessName = nameInput('business');
export const labelName = nameInput('label');
