/** The rules that a schema can refuse a value by; forms have a sentence for each. */
export const issueRules = [
  'missing',
  'too-long',
  'too-short',
  'too-many',
  'too-few',
  'too-large',
  'too-small',
  'whole',
  'email',
  'web-address',
  'day',
  'choice',
  'characters',
  'pattern',
  'registration-number',
  'registration-taken',
  'vat-id',
  'tax-number',
  'postcode',
  'name-address',
  'name-marks',
  'name-markup',
  'name-emoji',
  'contact-details',
] as const;
export type IssueRule = (typeof issueRules)[number];

/**
 * One refused value: the field's path, such as `pay.minor`, the rule it broke, and the limit if there is one,
 * with the input's currency if it is an amount in minor units.
 */
export type FieldIssue = {
  path: string;
  message: string;
  rule?: IssueRule;
  limit?: number;
  currency?: string;
};

/** A validation library's report of one problem. */
export type SchemaIssue = {
  path?: readonly (PropertyKey | { key: PropertyKey })[];
  message: string;
};

/** The options of a refinement: its message, and the rule that `fieldIssueOf` names when it refuses a value. */
export const refusedBy = (rule: IssueRule, message: string) => ({ message, params: { rule } });

type Details = {
  params?: { rule?: IssueRule };
  code?: string;
  origin?: string;
  format?: string;
  expected?: string;
  maximum?: number | bigint;
  minimum?: number | bigint;
};

/** Turns a schema's problem into the form that responses use. */
export function fieldIssueOf(issue: SchemaIssue): FieldIssue {
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return { path, message: issue.message, ...ruleOf(issue as SchemaIssue & Details) };
}

function ruleOf(issue: Details & { message: string }): { rule?: IssueRule; limit?: number } {
  const { code, origin, format = '' } = issue;
  if (code === 'too_big') {
    const limit = Number(issue.maximum);
    if (origin === 'string') return { rule: 'too-long', limit };
    return { rule: origin === 'array' ? 'too-many' : 'too-large', limit };
  }
  if (code === 'too_small') {
    const limit = Number(issue.minimum);
    if (origin === 'string') return limit === 1 ? { rule: 'missing' } : { rule: 'too-short', limit };
    return { rule: origin === 'array' ? 'too-few' : 'too-small', limit };
  }
  if (code === 'invalid_type') {
    if (issue.expected === 'int') return { rule: 'whole' };
    // zod 4 names the received type in its message only.
    return issue.message.endsWith('received undefined') || issue.message.endsWith('received null')
      ? { rule: 'missing' }
      : { rule: 'pattern' };
  }
  if (code === 'invalid_format') {
    if (format === 'email') return { rule: 'email' };
    if (format === 'url') return { rule: 'web-address' };
    return { rule: format === 'date' || format === 'datetime' || format === 'time' ? 'day' : 'pattern' };
  }
  if (code === 'invalid_value') return { rule: 'choice' };
  return { rule: issue.params?.rule };
}
