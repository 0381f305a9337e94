import { t } from '@lingui/core/macro';
import { type NameKind, nameProblem } from '@nearhand/contract/people/names.rules';
import { issueText } from '../api/issue.labels.ts';

export const tooLong = (text: string, max: number): string | undefined =>
  text.trim().length > max ? t`Use ${max} characters or fewer.` : undefined;

/**
 * The problem of a typed name as the contract reads it: no name of this kind, or too long. None for an empty
 * field.
 */
export function nameError(typed: string, kind: NameKind, max: number): string | undefined {
  const name = typed.trim();
  const problem = nameProblem(name, kind);
  return problem ? issueText({ path: 'name', rule: `name-${problem}` }) : tooLong(name, max);
}
