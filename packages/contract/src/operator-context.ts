import { type CaseKind, caseKinds } from './case-kinds.ts';
import { isId } from './ids.ts';

/** The claimed case or reason for an operator's access to someone's data (`OperatorRule.needs`, ADR 176). */
export type OperatorContext = { case?: { kind: CaseKind; subjectId: string }; reason?: string };

export const operatorReasonMin = 10;
export const operatorReasonMax = 300;

export const caseHeader = 'x-operator-case';
/** Percent-encoded UTF-8, since browsers refuse header values beyond Latin-1. */
export const reasonHeader = 'x-operator-reason';

/** Headers by which an operator's call names its case or reason. */
export const operatorHeaders = (context: OperatorContext): Record<string, string> => ({
  ...(context.case ? { [caseHeader]: `${context.case.kind}/${context.case.subjectId}` } : {}),
  ...(context.reason ? { [reasonHeader]: encodeURIComponent(context.reason) } : {}),
});

export const isCaseKind = (text: unknown): text is CaseKind =>
  (caseKinds as readonly unknown[]).includes(text);

/** Reads the case and the reason that an operator's call names. Null if one of them is malformed. */
export function readOperatorHeaders(headers: Record<string, unknown>): OperatorContext | null {
  const namedCase = headers[caseHeader];
  const givenReason = headers[reasonHeader];
  const context: OperatorContext = {};
  if (namedCase !== undefined) {
    const [kind, subjectId, ...rest] = typeof namedCase === 'string' ? namedCase.split('/') : [];
    if (!isCaseKind(kind) || !isId(subjectId) || rest.length > 0) return null;
    context.case = { kind, subjectId };
  }
  if (givenReason !== undefined) {
    const reason = typeof givenReason === 'string' ? decoded(givenReason)?.trim() : undefined;
    if (reason === undefined || reason.length < operatorReasonMin || reason.length > operatorReasonMax)
      return null;
    context.reason = reason;
  }
  return context;
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).replaceAll(/\p{Cc}+/gu, ' ');
  } catch {
    return undefined;
  }
}
