import { line } from '../operation.ts';
import { type NameKind, type NameProblem, nameProblem } from './names.rules.ts';

/** Read by `fieldIssueOf`, which names the rule of each. */
const messages: Record<NameProblem, string> = {
  address: 'a name without web addresses',
  marks: 'a name without direction marks',
  markup: 'a name without markup',
  emoji: 'a name without emoji',
};

const nameInput =
  (kind: NameKind) =>
  (max: number, min = 1) =>
    line(max, min).superRefine((name, context) => {
      const problem = nameProblem(name, kind);
      if (problem) context.addIssue({ code: 'custom', message: messages[problem] });
    });

export const personName = nameInput('person');
/** The name of a business or of a branch. */
export const businessName = nameInput('business');
export const labelName = nameInput('label');
